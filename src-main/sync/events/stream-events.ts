import { readEvents, type EventUpdate } from '../../api/decode.ts'
import type { EventSource } from '../../live/state.ts'
import type { Member } from '../assignments/assignments.ts'
import type { Faults } from '../faults.ts'
import type { Visibility } from '../health/visibility.ts'
import type { Devices } from '../link/devices.ts'
import type { ConnectionSyncOptions } from '../options.ts'
import { eventKey } from './deduplicator.ts'
import type { EventQueue } from './events.ts'
import type { PlaceReads } from './place-reads.ts'
import type { Rechecks } from './rechecks.ts'
import type { UnreadableEvents } from './unreadable-events.ts'

/** Applies the events of the live connection of one sync. */
export interface StreamEvents {
  /** Returns when the last event of a known device arrived, ms; null before the first. */
  lastEventAt(): number | null
  /**
   * Applies the data of one message of the stream: one event or several. An unreadable event may concern any device.
   */
  apply(data: unknown, source: EventSource): void
}

export interface StreamEventsOptions {
  options: ConnectionSyncOptions
  member: Pick<Member, 'hasCompany'>
  faults: Faults
  devices: Devices
  queue: Pick<EventQueue, 'push' | 'giveUp'>
  visibility: Pick<Visibility, 'prove' | 'visibleSince'>
  rechecks: Rechecks
  placeReads: Pick<PlaceReads, 'add'>
  unreadableEvents: UnreadableEvents
}

interface State {
  lastEventAt: number | null
}

export function createStreamEvents(parts: StreamEventsOptions): StreamEvents {
  const state: State = { lastEventAt: null }
  return {
    lastEventAt: () => state.lastEventAt,
    apply(data, source) {
      for (const event of readEvents(data)) {
        // Checks the clocks first: an event during lost time has no known time, and the comparison finds its change.
        if (parts.options.isTimeLost()) return
        if (event === null || event.id === null) unreadable(parts, event?.tenant ?? null)
        else applyEvent(state, parts, event, source)
      }
    },
  }
}

/** Handles an unreadable event. One of a tenant that this connection does not list is a fault. */
function unreadable({ devices, faults, unreadableEvents }: StreamEventsOptions, tenant: string | null): void {
  if (tenant !== null && devices.of(tenant) === null)
    return faults.note('foreign', 'the live connection', { kind: 'foreign', detail: '' })
  unreadableEvents.add(tenant)
}

/** Applies an event of a subscribed device of a listed tenant; any other one is a fault. */
function applyEvent(
  state: State,
  parts: StreamEventsOptions,
  event: EventUpdate,
  { socket, since, isOverlapping }: EventSource,
): void {
  const { clock, order, service, connection, deduplicator, onState } = parts.options
  const [tenant, ...others] = tenantsOf(parts, event)
  if (tenant === undefined) return foreign(parts, event)
  // Thousands of events may arrive within a millisecond: the window is notified once.
  if (state.lastEventAt !== clock.now()) {
    state.lastEventAt = clock.now()
    onState()
  }
  // Two tenants have this id, so the device is unknown.
  if (others.length > 0) return parts.queue.giveUp(event.id)
  const content = contentOf(event)
  const mayRepeat = isOverlapping || parts.member.hasCompany()
  if (
    mayRepeat &&
    deduplicator.isDuplicate({
      device: eventKey(service, tenant, event.id),
      connection,
      socket,
      content,
      since: Math.max(since, parts.visibility.visibleSince() ?? clock.now()),
    })
  )
    return
  // The proof up to here is independent of this event.
  parts.visibility.prove()
  parts.queue.push({ ...event, tenant, order: order(), at: clock.now() })
  if (event.connected === null || event.connected === undefined)
    parts.rechecks.add({ tenant, id: event.id }, event.connected === undefined)
}

/** Returns what an event says, as text. */
const contentOf = ({ connected, name, site, room, siteName, roomName }: EventUpdate): string =>
  `${String(connected)} ${JSON.stringify([name, site ?? String(site), room ?? String(room), siteName, roomName])}`

/**
 * Handles an event of another tenant than the device's: it is a fault and no move. The device is read by its id, and
 * where the connection lists both tenants, they are compared.
 */
function foreign({ devices, faults, placeReads, unreadableEvents }: StreamEventsOptions, event: EventUpdate): void {
  faults.note('foreign', 'the live connection', { kind: 'foreign', detail: '' })
  const [known, ...others] = devices.tenantsOf(event.id)
  if (known === undefined || others.length > 0 || event.tenant === null) return
  const isRead = placeReads.add([{ tenant: known, id: event.id, known: null, named: null }])
  if (!isRead || devices.of(event.tenant) !== null) unreadableEvents.add(known)
  if (devices.of(event.tenant) !== null) unreadableEvents.add(event.tenant)
}

/** Returns the tenants of this connection with such a device, of those that the event may mean. */
function tenantsOf({ devices }: StreamEventsOptions, { id, tenant }: { id: string; tenant: string | null }): string[] {
  if (tenant === null) return devices.tenantsOf(id)
  return devices.of(tenant)?.has(id) === true ? [tenant] : []
}

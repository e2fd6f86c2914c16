import { readEvents, type EventUpdate } from '../../api/decode.ts'
import type { EventSource } from '../../live/state.ts'
import type { ConnectionSyncState } from '../state.ts'
import { prove, visibleSince } from '../health/visibility.ts'

const eventKey = (service: string, tenant: string, id: string): string => `${service} ${tenant} ${id}`

/** What came of the stream: one device or several. What cannot be read may be of any device. */
export function applyStreamEvent(sync: ConnectionSyncState, data: unknown, source: EventSource): void {
  for (const event of readEvents(data)) {
    // Before the clocks were looked at: it may have happened at any moment of the time that was lost, and is found by comparing.
    if (sync.options.isTimeLost()) return
    if (event === null || event.id === null) unreadable(sync, event?.tenant ?? null)
    else applyEvent(sync, event, source)
  }
}

/** Of a tenant that this connection lists, or of any. Of another tenant the service has nothing to say here. */
function unreadable(sync: ConnectionSyncState, tenant: string | null): void {
  if (tenant !== null && sync.devices.of(tenant) === null)
    return sync.faults.note('foreign', 'the live connection', { kind: 'foreign', detail: '' })
  sync.unreadableEvents?.add(tenant)
}

/**
 * It counts for a device that this connection has subscribed to, of a tenant that it lists: of any other one the service has
 * nothing to say here.
 */
function applyEvent(
  sync: ConnectionSyncState,
  event: EventUpdate,
  { socket, since, isOverlapping }: EventSource,
): void {
  const { clock, order, service, connection, deduplicator } = sync.options
  const [tenant, ...others] = tenantsOf(sync, event)
  if (tenant === undefined) return sync.faults.note('foreign', 'the live connection', { kind: 'foreign', detail: '' })
  noteHeard(sync, clock.now())
  // An id that two tenants have: nobody knows which one it is.
  if (others.length > 0) return sync.queue.giveUp(event.id)
  const word = `${String(event.connected)} ${JSON.stringify(event.name)}`
  const mayRepeat = isOverlapping || sync.member.hasCompany()
  if (
    mayRepeat &&
    deduplicator.isDuplicate({
      device: eventKey(service, tenant, event.id),
      connection,
      socket,
      word,
      since: Math.max(since, visibleSince(sync) ?? clock.now()),
    })
  )
    return
  // Up to here it is proven whatever becomes of this event.
  prove(sync)
  sync.queue.push({ ...event, tenant, order: order(), at: clock.now() })
  if (event.connected === null || event.connected === undefined)
    sync.rechecks?.add({ tenant, id: event.id }, event.connected === undefined)
}

/** Thousands of events may come within a millisecond: the window is notified once. */
function noteHeard(sync: ConnectionSyncState, now: number): void {
  if (sync.lastEventAt === now) return
  sync.lastEventAt = now
  sync.options.onState()
}

/** The tenants of this connection that have such a device, of those that the event may mean. */
function tenantsOf({ devices }: ConnectionSyncState, { id, tenant }: { id: string; tenant: string | null }): string[] {
  if (tenant !== null) return devices.of(tenant)?.has(id) === true ? [tenant] : []
  return devices.tenantsOf(id)
}

/** From now on nothing is heard of these: the word that was told of them last is no duplicate when they are heard of again. */
export function markGap(
  { devices: known, options: { deduplicator, connection, service } }: ConnectionSyncState,
  devices: ReadonlySet<string>,
): void {
  for (const tenant of known.tenants())
    deduplicator.markGap(
      connection,
      Array.from(devices)
        .filter((id) => known.of(tenant)?.has(id) === true)
        .map((id) => eventKey(service, tenant, id)),
    )
}

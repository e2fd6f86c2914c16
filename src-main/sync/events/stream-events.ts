import { readEvents, type EventUpdate } from '../../api/decode.ts'
import type { EventSource } from '../../live/state.ts'
import { noteFault, type ConnectionSyncState } from '../state.ts'
import { prove, visibleSince } from '../health/visibility.ts'

const echoKey = (service: string, tenant: string, id: string): string => `${service} ${tenant} ${id}`

/** What came of the stream: one device or several. What cannot be read may be of any device. */
export function applyStreamEvent(estate: ConnectionSyncState, data: unknown, source: EventSource): void {
  for (const event of readEvents(data)) {
    // Before the clocks were looked at: it may have happened at any moment of the time that was lost, and is found by comparing.
    if (estate.options.isTimeLost()) return
    if (event === null || event.id === null) unreadable(estate, event?.tenant ?? null)
    else heardOf(estate, event, source)
  }
}

/** Of a tenant that this connection lists, or of any. Of another tenant the service has nothing to say here. */
function unreadable(estate: ConnectionSyncState, tenant: string | null): void {
  if (tenant !== null && !estate.ids.has(tenant))
    return noteFault(estate, 'foreign', 'the live connection', { kind: 'foreign', detail: '' })
  estate.unread?.add(tenant)
}

/**
 * It counts for a device that this connection has subscribed to, of a tenant that it lists: of any other one the service has
 * nothing to say here.
 */
function heardOf(estate: ConnectionSyncState, event: EventUpdate, { socket, since, isTwofold }: EventSource): void {
  const { clock, order, service, connection, echoes } = estate.options
  const [tenant, ...others] = tenantsOf(estate, event)
  if (tenant === undefined) return noteFault(estate, 'foreign', 'the live connection', { kind: 'foreign', detail: '' })
  noteHeard(estate, clock.now())
  // An id that two tenants have: nobody knows which one it is.
  if (others.length > 0) return estate.queue.giveUp(event.id)
  const word = `${String(event.connected)} ${JSON.stringify(event.name)}`
  const mayEcho = isTwofold || estate.member.inCompany()
  if (
    mayEcho &&
    echoes.isEcho({
      device: echoKey(service, tenant, event.id),
      connection,
      socket,
      word,
      since: Math.max(since, visibleSince(estate) ?? clock.now()),
    })
  )
    return
  // Up to here it is proven whatever becomes of this event.
  prove(estate)
  estate.queue.push({ ...event, tenant, order: order(), at: clock.now() })
  if (event.connected === null || event.connected === undefined)
    estate.rechecks?.add({ tenant, id: event.id }, event.connected === undefined)
}

/** Thousands may come within a millisecond: whoever looks on is told once of it. */
function noteHeard(estate: ConnectionSyncState, now: number): void {
  if (estate.lastEventAt === now) return
  estate.lastEventAt = now
  estate.options.onState()
}

/** The tenants of this connection that have such a device, of those that the event may mean. */
function tenantsOf({ ids }: ConnectionSyncState, { id, tenant }: { id: string; tenant: string | null }): string[] {
  if (tenant !== null) return ids.get(tenant)?.has(id) === true ? [tenant] : []
  return [...ids].flatMap(([of, known]) => (known.has(id) ? of : []))
}

/** From now on nothing is heard of these: the word that was told of them last is no echo when they are heard of again. */
export function markGap(
  { ids, options: { echoes, connection, service } }: ConnectionSyncState,
  devices: ReadonlySet<string>,
): void {
  for (const [tenant, known] of ids)
    echoes.deaf(
      connection,
      Array.from(devices)
        .filter((id) => known.has(id))
        .map((id) => echoKey(service, tenant, id)),
    )
}

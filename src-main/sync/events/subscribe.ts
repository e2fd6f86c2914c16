import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import { markGap, applyStreamEvent } from './stream-events.ts'
import type { Rank } from '../assignments/assignments.ts'
import { noteFault, requestSync, type Listeners, type ConnectionSyncState } from '../state.ts'
import { isReachable, reportVisibility } from '../health/visibility.ts'
import { endPolling, noteMove } from '../polling.ts'
import { compareFirst } from '../priorities.ts'
import { pollUnsubscribed } from '../unsubscribed.ts'

/** The first reading waits this long for the link, so that it need not be compared again; a dead one does not hold it up. */
const firstLinkMs = 3_000

/** Subscribes to what is known by now; the first time it waits, but not for long, until the link stands or fails. */
export async function subscribeKnown(estate: ConnectionSyncState): Promise<void> {
  const { clock } = estate.options
  const ids = await idsOf(estate)
  if (estate.stopping.signal.aborted) return
  if (estate.live === null) {
    await new Promise<void>((resolve) => {
      estate.live = estate.options.openLive(ears(estate, ids.size > 0, resolve))
      estate.live.want(ids)
      clock.after(firstLinkMs, resolve)
      estate.stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } else estate.live.want(ids)
  if (estate.live?.state().state === 'polling') estate.readableSince ??= clock.now()
  reportRank(estate)
  await reportVisibility(estate)
}

/** The devices that this connection claims, each with its tenant. They are asked for once, and again when a reading has ended; what pages bring in between is added. */
async function idsOf(estate: ConnectionSyncState): Promise<Map<string, string>> {
  const { data, service, connection } = estate.options
  const all = new Map<string, string>()
  for (const { id: tenant } of estate.tenants?.list ?? []) {
    if (!estate.ids.has(tenant) || estate.stale.delete(tenant))
      estate.ids.set(tenant, new Set(await data.ids({ service, tenant, connection })))
    for (const id of estate.ids.get(tenant) ?? []) all.set(id, tenant)
  }
  return all
}

/** What a page brought in. */
export function idsCame(estate: ConnectionSyncState, tenant: string, ids: readonly string[]): void {
  const known = estate.ids.get(tenant)
  for (const id of ids) known?.add(id)
}

export function forgetIds(estate: ConnectionSyncState, tenants: ReadonlySet<string>): void {
  for (const tenant of estate.ids.keys()) if (!tenants.has(tenant)) estate.ids.delete(tenant)
}

function ears(estate: ConnectionSyncState, subscribes: boolean, settled: () => void): Listeners {
  return {
    onState(state: LinkState, fault: Fault | null) {
      if (estate.stopping.signal.aborted) return
      noteMove(estate, state)
      const stands = state.state === 'live' || state.state === 'polling'
      const isStandIn = estate.standIn.since !== null
      if (state.state !== 'live') estate.subscribedAt = null
      estate.downSince =
        stands || (isStandIn && estate.readableSince !== null) ? null : (estate.downSince ?? estate.options.clock.now())
      estate.options.onState()
      reportRank(estate)
      // While it connects again, the reason for the last failure stays in sight.
      if (state.state === 'connecting') return
      // What keeps breaking has not been mended by standing for a moment.
      if (fault !== null || !isStandIn) noteFault(estate, 'live', 'the live connection', fault)
      if (state.state === 'live') noteFault(estate, 'foreign', '', null)
      if (!isStandIn) estate.readableSince = state.state === 'polling' ? estate.options.clock.now() : null
      // What was heard of before is unknown until it is read, and no subscription asks for that.
      if (state.state === 'polling') requestSync(estate, 'states')
      if (stands) isReachable(estate)
      void reportVisibility(estate)
      if (state.state !== 'live' || !subscribes) settled()
    },
    onEvent: (data, source) => applyStreamEvent(estate, data, source),
    onSubscribed() {
      endPolling(estate, () => subscribed(estate))
      settled()
    },
    onUnheard: (devices) => void subscriptionLost(estate, devices),
    onParked: () => pollUnsubscribed(estate),
    onDoubt() {
      estate.options.onState()
      void reportVisibility(estate)
    },
  }
}

function subscribed(estate: ConnectionSyncState): void {
  const { sync: reading } = estate
  if (estate.subscribedAt === null && reading.state === 'syncing' && reading.what === 'inventory')
    void compareFirst(estate)
  estate.subscribedAt ??= estate.options.clock.now()
  // What was told before they were all subscribed to, may be missing: only what is read from now on is vouched for.
  if (estate.live?.covers() === true) void reportVisibility(estate, true)
  requestSync(estate, 'states')
}

/** What happens to these devices until they are subscribed to again, nobody tells: they are compared then. */
export async function subscriptionLost(estate: ConnectionSyncState, devices: ReadonlySet<string>): Promise<void> {
  const { data, service, connection, clock, publish } = estate.options
  markGap(estate, devices)
  try {
    publish(await data.unheard({ service, connection, ids: [...devices], at: clock.now() }))
  } catch (error) {
    noteFault(estate, 'storage', 'this computer', toFault(error))
  }
}

/** Tells the others that list the same tenants how well this connection stands. */
export function reportRank(estate: ConnectionSyncState): void {
  const standing = standingOf(estate)
  estate.member.stands(standing)
}

function standingOf(estate: ConnectionSyncState): Rank {
  if (estate.failures > 0) return 0
  const link = estate.live?.state() ?? { state: 'connecting', attempt: 0 }
  const flawless =
    link.state === 'live' || link.state === 'polling' || (link.state === 'connecting' && link.attempt === 0)
  return flawless ? 2 : 1
}

/** More came of these devices than could be kept, or nobody knows whether it was: they are compared. */
export function gap(estate: ConnectionSyncState, ids: ReadonlySet<string>): void {
  estate.options.log('warn', `live: events of ${ids.size} devices were left out, they are compared`)
  noteFault(estate, 'flood', 'the live connection', { kind: 'flood', detail: '' })
  void subscriptionLost(estate, ids)
  requestSync(estate, 'states')
}

import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import { markGap, applyStreamEvent } from './stream-events.ts'
import type { Rank } from '../assignments/assignments.ts'
import type { Listeners, ConnectionSyncState } from '../state.ts'
import { isReachable, reportVisibility } from '../health/visibility.ts'
import { endPolling, noteLinkState } from '../polling.ts'
import { reconcilePriorities } from '../reader/priorities.ts'
import { pollUnsubscribed } from '../unsubscribed.ts'

/** The first sync waits this long for the link, so that it need not be compared again; a dead one does not hold it up. */
const firstLinkMs = 3_000

/** Subscribes to what is known by now; the first time it waits, but not for long, until the link stands or fails. */
export async function subscribeKnown(sync: ConnectionSyncState): Promise<void> {
  const { clock } = sync.options
  const ids = await idsOf(sync)
  if (sync.stopping.signal.aborted) return
  if (sync.live === null) {
    await new Promise<void>((resolve) => {
      sync.live = sync.options.openLive(listenersOf(sync, ids.size > 0, resolve))
      sync.live.want(ids)
      clock.after(firstLinkMs, resolve)
      sync.stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } else sync.live.want(ids)
  if (sync.live?.state().state === 'polling') sync.pollingVisibleSince ??= clock.now()
  reportRank(sync)
  await reportVisibility(sync)
}

/** The devices that this connection claims, each with its tenant. They are asked for once, and again when a sync has ended; what pages bring in between is added. */
async function idsOf(sync: ConnectionSyncState): Promise<Map<string, string>> {
  const { data, service, connection } = sync.options
  const all = new Map<string, string>()
  for (const { id: tenant } of sync.reader.tenants()?.list ?? []) {
    if (sync.devices.takeStale(tenant)) sync.devices.set(tenant, await data.ids({ service, tenant, connection }))
    for (const id of sync.devices.of(tenant) ?? []) all.set(id, tenant)
  }
  return all
}

function listenersOf(sync: ConnectionSyncState, subscribes: boolean, settled: () => void): Listeners {
  return {
    onState(state: LinkState, fault: Fault | null) {
      if (sync.stopping.signal.aborted) return
      noteLinkState(sync, state)
      const stands = state.state === 'live' || state.state === 'polling'
      const isPolled = sync.polling.since !== null
      if (state.state !== 'live') sync.subscribedAt = null
      sync.downSince =
        stands || (isPolled && sync.pollingVisibleSince !== null) ? null : (sync.downSince ?? sync.options.clock.now())
      sync.options.onState()
      reportRank(sync)
      // While it connects again, the reason for the last failure stays in sight.
      if (state.state === 'connecting') return
      // What keeps breaking has not been mended by standing for a moment.
      if (fault !== null || !isPolled) sync.faults.note('live', 'the live connection', fault)
      if (state.state === 'live') sync.faults.note('foreign', '', null)
      if (!isPolled) sync.pollingVisibleSince = state.state === 'polling' ? sync.options.clock.now() : null
      // What was heard of before is unknown until it is read, and no subscription asks for that.
      if (state.state === 'polling') sync.requests.add('reconciliation')
      if (stands) isReachable(sync)
      void reportVisibility(sync)
      if (state.state !== 'live' || !subscribes) settled()
    },
    onEvent: (data, source) => applyStreamEvent(sync, data, source),
    onSubscribed() {
      endPolling(sync, () => subscribed(sync))
      settled()
    },
    onSubscriptionLost: (devices) => void subscriptionLost(sync, devices),
    onParked: () => pollUnsubscribed(sync),
    onDoubt() {
      sync.options.onState()
      void reportVisibility(sync)
    },
  }
}

function subscribed(sync: ConnectionSyncState): void {
  if (sync.subscribedAt === null && sync.reader.isReadingInventory()) void reconcilePriorities(sync)
  sync.subscribedAt ??= sync.options.clock.now()
  // What was told before they were all subscribed to, may be missing: only what is read from now on is vouched for.
  if (sync.live?.covers() === true) void reportVisibility(sync, true)
  sync.requests.add('reconciliation')
}

/** What happens to these devices until they are subscribed to again, nobody tells: they are compared then. */
export async function subscriptionLost(sync: ConnectionSyncState, devices: ReadonlySet<string>): Promise<void> {
  const { data, service, connection, clock, publish } = sync.options
  markGap(sync, devices)
  try {
    publish(await data.subscriptionLost({ service, connection, ids: [...devices], at: clock.now() }))
  } catch (error) {
    sync.faults.note('storage', 'this computer', toFault(error))
  }
}

/** Tells the others that list the same tenants how well this connection stands. */
export function reportRank(sync: ConnectionSyncState): void {
  const rank = rankOf(sync)
  sync.member.setRank(rank)
}

function rankOf(sync: ConnectionSyncState): Rank {
  if (sync.reader.failures() > 0) return 0
  const link = sync.live?.state() ?? { state: 'connecting', attempt: 0 }
  const flawless =
    link.state === 'live' || link.state === 'polling' || (link.state === 'connecting' && link.attempt === 0)
  return flawless ? 2 : 1
}

/** More came of these devices than could be kept, or nobody knows whether it was: they are compared. */
export function gap(sync: ConnectionSyncState, ids: ReadonlySet<string>): void {
  sync.options.log('warn', `live: events of ${ids.size} devices were left out, they are compared`)
  sync.faults.note('flood', 'the live connection', { kind: 'flood', detail: '' })
  void subscriptionLost(sync, ids)
  sync.requests.add('reconciliation')
}

import type { LinkState } from '../../src-shared/model/connection.ts'
import { smallest } from '../../src-shared/lib/extremes.ts'
import type { ConnectionSyncState } from './state.ts'

/**
 * So many tries in vain, and so long after the first of them, whichever is later, the live connection cannot be had. A service
 * that restarts is back by then, and a slow rejection has been given more than once.
 */
const [mostTries, forMs] = [3, 60_000]
/** A live connection that holds for so long was a good one; after one that was lost sooner the next has to hold before it takes over. */
const holdsMs = 60_000

/** Whether readings alone show the devices: the service has no stream, or its stream cannot be had. */
export const isPolling = ({ live, polling }: ConnectionSyncState): boolean =>
  polling.since !== null || live?.state().state === 'polling'

/** The live connection has moved. Before anything is said of what is seen. */
export function noteLinkState(sync: ConnectionSyncState, state: LinkState): void {
  const {
    polling,
    options: { clock },
  } = sync
  if (state.state === 'connecting') return
  polling.cancel()
  if (state.state === 'off' || state.state === 'polling') return end(sync)
  if (state.state === 'live') {
    polling.liveSince = clock.monotonic()
    return
  }
  if (polling.liveSince !== null && clock.monotonic() - polling.liveSince > holdsMs)
    Object.assign(polling, { attempts: 0, failingSince: null, hasRecovered: false, isUnstable: false })
  polling.liveSince = null
  polling.attempts += 1
  polling.failingSince ??= clock.monotonic()
  if (polling.hasRecovered) return relapse(sync)
  const left = Math.max(0, polling.failingSince + forMs - clock.monotonic())
  // Where the service asks to wait for longer than that, the next try comes too late to be waited for.
  if (polling.attempts >= mostTries || state.retryAt - clock.now() > left)
    polling.cancel = clock.after(left, () => begin(sync))
}

/** A person has something read: what comes of it is shown as of its time, and kept true until the live connection stands. */
export function syncForOperator(sync: ConnectionSyncState): void {
  const state = sync.live?.state().state
  if (state === 'waiting' || state === 'connecting') begin(sync)
}

function begin(sync: ConnectionSyncState): void {
  const {
    polling,
    options: { clock, log },
  } = sync
  if (polling.since !== null) return
  polling.since = clock.now()
  polling.intervalMs = null
  log('info', 'the live connection cannot be had: the devices are read again and again')
  sync.requests.add('poll')
}

/** What it told, or what was read when it took over, is vouched for until the next sync. */
function relapse(sync: ConnectionSyncState): void {
  const {
    polling,
    options: { clock },
  } = sync
  Object.assign(polling, { since: clock.now(), isUnstable: true, hasRecovered: false, intervalMs: null })
  sync.pollingVisibleSince = clock.now()
  sync.requests.add('poll')
}

function end(sync: ConnectionSyncState): void {
  const { polling } = sync
  polling.cancel()
  polling.since = null
}

/** The live connection is subscribed to all: from when on it, and no reading, tells how the devices are. `then` is called at that moment. */
export function endPolling(sync: ConnectionSyncState, then: () => void): void {
  const {
    polling,
    live,
    options: { clock },
  } = sync
  if (polling.since === null) return then()
  if (live?.covers() !== true) return
  const takeOver = () => {
    if (polling.since === null || live.state().state !== 'live') return
    end(sync)
    polling.hasRecovered = true
    sync.pollingVisibleSince = null
    sync.faults.note('live', '', null)
    then()
  }
  polling.cancel()
  if (polling.isUnstable) polling.cancel = clock.after(holdsMs, takeOver)
  else takeOver()
}

/** No query is answered: what was read before is vouched for no longer. */
export function suspendPolling(sync: ConnectionSyncState): void {
  sync.pollingVisibleSince = null
  if (sync.polling.since !== null) sync.polling.since = sync.options.clock.now()
}

/** When the oldest of what this connection shows was read, ms; null before all of it was. */
export function oldestPollAt({ polling: { readAt }, reader }: ConnectionSyncState): number | null {
  const times = reader.ownTenants().map(({ id }) => readAt.get(id) ?? null)
  const known = times.filter((at) => at !== null)
  return known.length === 0 || known.length < times.length ? null : smallest(known)
}

export function noteBegun({ polling, options }: ConnectionSyncState, tenant: string): void {
  polling.begunAt.set(tenant, options.clock.now())
}

export function noteRead({ polling }: ConnectionSyncState, tenant: string): void {
  const at = polling.begunAt.get(tenant)
  if (at === undefined) return
  polling.readAt.set(tenant, at)
  polling.overdue.delete(tenant)
}

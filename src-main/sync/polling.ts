import type { LinkState } from '../../src-shared/model/connection.ts'
import { smallest } from '../../src-shared/lib/extremes.ts'
import { noteFault, requestSync, type ConnectionSyncState } from './state.ts'

/**
 * So many tries in vain, and so long after the first of them, whichever is later, the live connection cannot be had. A service
 * that restarts is back by then, and a slow refusal has been given more than once.
 */
const [mostTries, forMs] = [3, 60_000]
/** A live connection that holds for so long was a good one; after one that was lost sooner the next has to hold before it takes over. */
const holdsMs = 60_000

/** Readings in the place of a live connection. */
export interface Polling {
  /** Since when they vouch for what they read, ms; null while they do not. */
  since: number | null
  /** How often, and since when, the live connection was tried in vain; and since when the present one stands. Monotonic ms. */
  tries: number
  vainSince: number | null
  liveSince: number | null
  /** Whether the live connection has taken over since it was tried in vain, and whether it was lost at once when it did. */
  tookOver: boolean
  isShaky: boolean
  /** Calls off what waits for its time: to begin, or to let the live connection take over. */
  cancel: () => void
  /** When each tenant was read the last time, and when that began which reads it now, ms. */
  readAt: Map<string, number>
  begunAt: Map<string, number>
  /** Tenants whose next reading is overdue: nobody vouches for them. */
  lapsed: Set<string>
  /** From one reading to the next, ms, as it was last reckoned (`watchPaceMs`), which walks through all tenants; null: something that it hangs on is another. */
  paceMs: number | null
}

export const newPolling = (): Polling => ({
  since: null,
  tries: 0,
  vainSince: null,
  liveSince: null,
  tookOver: false,
  isShaky: false,
  cancel: () => {},
  readAt: new Map(),
  begunAt: new Map(),
  lapsed: new Set(),
  paceMs: null,
})

/** Whether readings alone show the devices: the service has no stream, or its stream cannot be had. */
export const isPolling = ({ live, standIn }: ConnectionSyncState): boolean =>
  standIn.since !== null || live?.state().state === 'polling'

/** The live connection has moved. Before anything is said of what is seen. */
export function noteMove(estate: ConnectionSyncState, state: LinkState): void {
  const {
    standIn,
    options: { clock },
  } = estate
  if (state.state === 'connecting') return
  standIn.cancel()
  if (state.state === 'off' || state.state === 'polling') return end(estate)
  if (state.state === 'live') {
    standIn.liveSince = clock.monotonic()
    return
  }
  if (standIn.liveSince !== null && clock.monotonic() - standIn.liveSince > holdsMs)
    Object.assign(standIn, { tries: 0, vainSince: null, tookOver: false, isShaky: false })
  standIn.liveSince = null
  standIn.tries += 1
  standIn.vainSince ??= clock.monotonic()
  if (standIn.tookOver) return relapse(estate)
  const left = Math.max(0, standIn.vainSince + forMs - clock.monotonic())
  // Where the service asks to wait for longer than that, the next try comes too late to be waited for.
  if (standIn.tries >= mostTries || state.retryAt - clock.now() > left)
    standIn.cancel = clock.after(left, () => begin(estate))
}

/** A person has something read: what comes of it is shown as of its time, and kept true until the live connection stands. */
export function syncForOperator(estate: ConnectionSyncState): void {
  const state = estate.live?.state().state
  if (state === 'waiting' || state === 'connecting') begin(estate)
}

function begin(estate: ConnectionSyncState): void {
  const {
    standIn,
    options: { clock, log },
  } = estate
  if (standIn.since !== null) return
  standIn.since = clock.now()
  standIn.paceMs = null
  log('info', 'the live connection cannot be had: the devices are read again and again')
  requestSync(estate, 'watched')
}

/** What it told, or what was read when it took over, is vouched for until the next reading. */
function relapse(estate: ConnectionSyncState): void {
  const {
    standIn,
    options: { clock },
  } = estate
  Object.assign(standIn, { since: clock.now(), isShaky: true, tookOver: false, paceMs: null })
  estate.readableSince = clock.now()
  requestSync(estate, 'watched')
}

function end(estate: ConnectionSyncState): void {
  const { standIn } = estate
  standIn.cancel()
  standIn.since = null
}

/** The live connection is subscribed to all: from when on it, and no reading, tells how the devices are. `then` is called at that moment. */
export function endPolling(estate: ConnectionSyncState, then: () => void): void {
  const {
    standIn,
    live,
    options: { clock },
  } = estate
  if (standIn.since === null) return then()
  if (live?.covers() !== true) return
  const takeOver = () => {
    if (standIn.since === null || live.state().state !== 'live') return
    end(estate)
    standIn.tookOver = true
    estate.readableSince = null
    noteFault(estate, 'live', '', null)
    then()
  }
  standIn.cancel()
  if (standIn.isShaky) standIn.cancel = clock.after(holdsMs, takeOver)
  else takeOver()
}

/** No query is answered: what was read before is vouched for no longer. */
export function failsToAnswer(estate: ConnectionSyncState): void {
  estate.readableSince = null
  if (estate.standIn.since !== null) estate.standIn.since = estate.options.clock.now()
}

/** When the oldest of what this connection shows was read, ms; null before all of it was. */
export function oldestPoll({ standIn: { readAt }, member, tenants }: ConnectionSyncState): number | null {
  const times = (tenants?.list ?? []).flatMap(({ id }) => (member.reads(id) ? (readAt.get(id) ?? null) : []))
  const known = times.filter((at) => at !== null)
  return known.length === 0 || known.length < times.length ? null : smallest(known)
}

export function noteBegun({ standIn, options }: ConnectionSyncState, tenant: string): void {
  standIn.begunAt.set(tenant, options.clock.now())
}

export function noteRead({ standIn }: ConnectionSyncState, tenant: string): void {
  const at = standIn.begunAt.get(tenant)
  if (at === undefined) return
  standIn.readAt.set(tenant, at)
  standIn.lapsed.delete(tenant)
}

import type { Fault } from '../../src-shared/model/fault.ts'
import { traitsOf } from '../../src-shared/model/fault-traits.ts'
import { retryDelay } from '../live/transport/backoff.ts'
import { mayBeMore } from './tenants/tenant-list.ts'
import type { ConnectionSyncState } from './state.ts'
import { smallest } from '../../src-shared/lib/extremes.ts'

const catchUpCapMs = 5 * 60_000
const lastingCapMs = 30 * 60_000

/**
 * When all that it lists has been read, by itself or by those that it stands by for, as long ago as the oldest of it.
 * `resumedFrom`: a part of it is of then, ms.
 */
export function noteLastSync(sync: ConnectionSyncState, resumedFrom: number | null = null): void {
  const { tenants, member, outdated } = sync
  if (tenants === null || tenants.partial || outdated.size > 0) return
  const others = tenants.list.filter(({ id }) => !member.reads(id)).map(({ id }) => member.readAt(id))
  if (others.includes(null)) return
  const all = tenants.list.map(({ id }) => member.readAt(id) ?? sync.options.clock.now())
  sync.lastSyncAt =
    others.length === 0 || others.length < all.length ? (resumedFrom ?? sync.options.clock.now()) : smallest(all)
}

/** Plans the next full sync: so long after the last one as the operator says. */
export function scheduleFullSync(sync: ConnectionSyncState, since = sync.options.clock.monotonic()): void {
  const { clock, refreshMs } = sync.options
  sync.cancelFull()
  sync.fullSince = since
  sync.cancelFull = clock.after(Math.max(0, since + refreshMs() - clock.monotonic()), () => sync.requests.add('full'))
}

/** Those that are behind are read again, and a list of tenants that failed in part is, sooner where the reason may have passed by then. */
export function scheduleCatchUp(sync: ConnectionSyncState, faults: readonly Fault[]): void {
  const { clock, random } = sync.options
  sync.catchUps += 1
  // A list that fails in part is a region that is down, one that is empty may be so for a moment, and either costs next to nothing to ask for.
  const lasts =
    (sync.tenants === null || !mayBeMore(sync.tenants)) && faults.every(({ kind }) => traitsOf(kind).lasts !== null)
  const attempt = sync.catchUps + (lasts ? 7 : 3)
  sync.cancelCatchUp()
  sync.cancelCatchUp = clock.after(retryDelay(attempt, random(), lasts ? lastingCapMs : catchUpCapMs), () =>
    sync.requests.add('catch-up'),
  )
}

import type { Fault } from '../../src-shared/model/fault.ts'
import { traitsOf } from '../../src-shared/model/fault-traits.ts'
import { retryDelay } from '../live/transport/backoff.ts'
import { mayBeMore } from './tenants/tenant-list.ts'
import { requestSync, type ConnectionSyncState } from './state.ts'
import { smallest } from '../../src-shared/lib/extremes.ts'

const catchUpCapMs = 5 * 60_000
const lastingCapMs = 30 * 60_000

/**
 * When all that it lists has been read, by itself or by those that it stands by for, as long ago as the oldest of it.
 * `resumedFrom`: a part of it is of then, ms.
 */
export function readUpToNow(estate: ConnectionSyncState, resumedFrom: number | null = null): void {
  const { tenants, member, behind } = estate
  if (tenants === null || tenants.partial || behind.size > 0) return
  const others = tenants.list.filter(({ id }) => !member.reads(id)).map(({ id }) => member.readAt(id))
  if (others.includes(null)) return
  const all = tenants.list.map(({ id }) => member.readAt(id) ?? estate.options.clock.now())
  estate.lastReadingAt =
    others.length === 0 || others.length < all.length ? (resumedFrom ?? estate.options.clock.now()) : smallest(all)
}

/** Plans the next full reading: so long after the last one as the operator says. */
export function readAgainInTime(estate: ConnectionSyncState, since = estate.options.clock.monotonic()): void {
  const { clock, refreshMs } = estate.options
  estate.cancelFull()
  estate.fullSince = since
  estate.cancelFull = clock.after(Math.max(0, since + refreshMs() - clock.monotonic()), () =>
    requestSync(estate, 'full'),
  )
}

/** Those that are behind are read again, and a list of tenants that failed in part is, sooner where the reason may have passed by then. */
export function catchUpLater(estate: ConnectionSyncState, faults: readonly Fault[]): void {
  const { clock, random } = estate.options
  estate.catchUps += 1
  // A list that fails in part is a region that is down, one that is empty may be so for a moment, and either costs next to nothing to ask for.
  const lasts =
    (estate.tenants === null || !mayBeMore(estate.tenants)) && faults.every(({ kind }) => traitsOf(kind).lasts !== null)
  const attempt = estate.catchUps + (lasts ? 7 : 3)
  estate.cancelCatchUp()
  estate.cancelCatchUp = clock.after(retryDelay(attempt, random(), lasts ? lastingCapMs : catchUpCapMs), () =>
    requestSync(estate, 'behind'),
  )
}

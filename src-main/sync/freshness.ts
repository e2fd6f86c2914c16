import type { Fault } from '../../src-shared/model/fault.ts'
import { traitsOf } from '../../src-shared/model/fault-traits.ts'
import type { ConnectionSyncState } from './state.ts'
import { reportVisibility } from './health/visibility.ts'
import { failsToAnswer, isPolling } from './polling.ts'
import { subscriptionLost } from './events/subscribe.ts'
import { pollIntervalMs } from './unsubscribed.ts'

/** Beyond twice the time between two readings. */
const overdueMs = 60_000

/** A query was answered: what was read since readings stand in, is seen. */
export function answers(estate: ConnectionSyncState): void {
  const { standIn } = estate
  if (standIn.since === null || estate.readableSince !== null) return
  estate.readableSince = standIn.since
  estate.downSince = null
  estate.options.onState()
  void reportVisibility(estate)
}

/** All tenants that were asked for failed, and none by what it answered: there is nothing to read in the place of the live connection. */
export function noteFailed(estate: ConnectionSyncState, asked: number, failed: ReadonlyMap<string, Fault>): void {
  if (
    !isPolling(estate) ||
    failed.size === 0 ||
    failed.size < asked ||
    [...failed.values()].some(({ kind }) => traitsOf(kind).answered)
  )
    return
  failsToAnswer(estate)
  estate.downSince ??= estate.options.clock.now()
  estate.options.onState()
  void reportVisibility(estate)
}

/** A reading vouches for what it read until the next one is overdue. While a full one is under way the next one waits for it, but not for ever. */
export function lookForOverdue(estate: ConnectionSyncState): void {
  const {
    standIn,
    readableSince,
    sync,
    options: { clock, refreshMs },
    member,
    tenants,
  } = estate
  if (!isPolling(estate) || readableSince === null) return
  const isReading = sync.state === 'syncing' && sync.what === 'inventory'
  standIn.paceMs ??= pollIntervalMs(estate)
  const most = 2 * standIn.paceMs + overdueMs + (isReading ? refreshMs() : 0)
  for (const { id } of tenants?.list ?? []) {
    const at = Math.max(standIn.readAt.get(id) ?? 0, readableSince)
    if (!member.reads(id) || standIn.lapsed.has(id) || clock.now() - at <= most) continue
    standIn.lapsed.add(id)
    void subscriptionLost(estate, estate.ids.get(id) ?? new Set())
  }
}

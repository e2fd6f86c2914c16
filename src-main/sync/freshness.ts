import type { Fault } from '../../src-shared/model/fault.ts'
import { traitsOf } from '../../src-shared/model/fault-traits.ts'
import type { ConnectionSyncState } from './state.ts'
import { reportVisibility } from './health/visibility.ts'
import { suspendPolling, isPolling } from './polling.ts'
import { subscriptionLost } from './events/subscribe.ts'
import { pollIntervalMs } from './unsubscribed.ts'

/** Beyond twice the time between two readings. */
const overdueMs = 60_000

/** A query was answered: what was read since readings stand in, is seen. */
export function noteAnswer(sync: ConnectionSyncState): void {
  const { polling } = sync
  if (polling.since === null || sync.pollingVisibleSince !== null) return
  sync.pollingVisibleSince = polling.since
  sync.downSince = null
  sync.options.onState()
  void reportVisibility(sync)
}

/** All tenants that were asked for failed, and none by what it answered: there is nothing to read in the place of the live connection. */
export function noteFailed(sync: ConnectionSyncState, asked: number, failed: ReadonlyMap<string, Fault>): void {
  if (
    !isPolling(sync) ||
    failed.size === 0 ||
    failed.size < asked ||
    [...failed.values()].some(({ kind }) => traitsOf(kind).answered)
  )
    return
  suspendPolling(sync)
  sync.downSince ??= sync.options.clock.now()
  sync.options.onState()
  void reportVisibility(sync)
}

/** A sync vouches for what it read until the next one is overdue. While a full one is under way the next one waits for it, but not for ever. */
export function checkOverdue(sync: ConnectionSyncState): void {
  const {
    polling,
    pollingVisibleSince,
    reader,
    options: { clock, refreshMs },
  } = sync
  if (!isPolling(sync) || pollingVisibleSince === null) return
  polling.intervalMs ??= pollIntervalMs(sync)
  const most = 2 * polling.intervalMs + overdueMs + (reader.isReadingInventory() ? refreshMs() : 0)
  for (const { id } of reader.ownTenants()) {
    const at = Math.max(polling.readAt.get(id) ?? 0, pollingVisibleSince)
    if (polling.overdue.has(id) || clock.now() - at <= most) continue
    polling.overdue.add(id)
    void subscriptionLost(sync, sync.devices.of(id) ?? new Set())
  }
}

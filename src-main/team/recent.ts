import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Entry } from './log/log-store.ts'

/**
 * Rows are known for so long, ms: a failover loses the newest ones. It is less than the log keeps them (`keepMs` of the writer), so that one
 * which is not lost is found in it by its id, and not written twice.
 */
const knownMs = 5 * 60_000
const maxBytes = 1 << 24

/** What this member wrote last for its operator: a failover of the database may lose it after it was answered. */
export interface RecentRows {
  /** Notes rows that are in the log, of one call. */
  add(entries: readonly Entry[]): void
  /** Returns the rows of each call, in the order in which they were written. */
  all(): (readonly Entry[])[]
}

export function createRecentRows(clock: Clock): RecentRows {
  let calls: { entries: readonly Entry[]; at: number; bytes: number }[] = []
  const tidy = () => {
    const since = clock.monotonic() - knownMs
    let bytes = 0
    const kept = calls.toReversed().filter((call) => (bytes += call.bytes) <= maxBytes && call.at > since)
    calls = kept.toReversed()
  }
  return {
    add(entries) {
      calls.push({
        entries,
        at: clock.monotonic(),
        bytes: entries.reduce((sum, { body }) => sum + body.length, 0),
      })
      tidy()
    },
    all() {
      tidy()
      return calls.map(({ entries }) => entries)
    },
  }
}

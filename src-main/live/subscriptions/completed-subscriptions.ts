import type { Clock } from '../../../src-shared/lib/clock.ts'
import { retryDelay } from '../transport/backoff.ts'
import type { Shard } from './shards.ts'
import { smallest } from '../../../src-shared/lib/extremes.ts'

/** After a subscription that lasted this many ms, its ends are counted from one. */
const goodAfterMs = 60_000

/**
 * The subscriptions of one transport that the service has ended: each is repeated, with growing delays where it always
 * ends at once.
 */
export interface CompletedSubscriptions {
  /** Returns how often in succession it ended soon after it began. */
  ended(shard: Shard): number
  /** Records that it is subscribed again. */
  resubscribed(shard: Shard): void
  /** Forgets all shards but these. */
  only(shards: readonly Shard[]): void
  /** Returns since when any of them is not subscribed, ms since the epoch; null while all are. */
  since(): number | null
  stop(): void
}

export interface CompletedOptions {
  clock: Clock
  random: () => number
  subscribeAgain: (shard: Shard) => void
  /** Called when the value of `since` changes. */
  onChange: () => void
}

export function startCompleted({ clock, random, subscribeAgain, onChange }: CompletedOptions): CompletedSubscriptions {
  const ends = new Map<number, { count: number; at: number }>()
  const open = new Map<Shard, { since: number; cancel: () => void }>()
  const countOf = ({ id }: Shard): number => {
    const at = clock.monotonic()
    const last = ends.get(id)
    const count = last === undefined || at - last.at > goodAfterMs ? 1 : last.count + 1
    ends.set(id, { count, at })
    return count
  }
  const forget = (shards: readonly Shard[]) => {
    const known = shards.filter((shard) => open.has(shard))
    for (const shard of known) {
      open.get(shard)?.cancel()
      open.delete(shard)
    }
    if (known.length > 0) onChange()
  }
  return {
    ended(shard) {
      const since = open.get(shard)?.since ?? clock.now()
      open.get(shard)?.cancel()
      const count = countOf(shard)
      open.set(shard, { since, cancel: clock.after(retryDelay(count, random()), () => subscribeAgain(shard)) })
      onChange()
      return count
    },
    resubscribed: (shard) => forget([shard]),
    only: (shards) => forget([...open.keys()].filter((shard) => !shards.includes(shard))),
    since: () => (open.size === 0 ? null : smallest([...open.values()].map(({ since }) => since))),
    stop() {
      for (const { cancel } of open.values()) cancel()
    },
  }
}

import type { Clock } from '../../../src-shared/lib/clock.ts'
import { smallest } from '../../../src-shared/lib/extremes.ts'
import type { Reader } from '../reader/reader.ts'
import type { Requests } from '../reader/requests.ts'

/** Tolerance beyond twice the interval of polls, ms. */
const overdueMs = 60_000

/** The age of each tenant's last sync, and the time of the next poll. */
export interface Freshness {
  /** Records that a tenant's sync has begun, or has brought something. */
  begun(tenant: string): void
  read(tenant: string): void
  /** Returns when the oldest shown data of this connection was read, ms; null before all was. */
  oldestReadAt(): number | null
  /**
   * Reports overdue tenants, each once. A poll covers what it read until the next one is overdue. While a full sync
   * runs the next poll waits for it, but not forever. `visibleSince`: since when only polls are available, ms.
   */
  checkOverdue(visibleSince: number): void
  /** Requests the next poll when it is due, if there is anything to poll. */
  pollAgain(): void
  /** Has the interval of polls calculated again. */
  forgetInterval(): void
  stop(): void
}

export interface FreshnessOptions {
  clock: Pick<Clock, 'now' | 'after'>
  /** Returns the ms between full syncs. */
  refreshMs: () => number
  reader: Reader
  requests: Pick<Requests, 'add'>
  /** Returns the ms from the end of one poll to the next one. Walks through all tenants. */
  intervalMs: () => number
  /** Returns whether there is anything to poll. */
  isNeeded: () => boolean
  onOverdue: (tenant: string) => void
}

export function createFreshness(options: FreshnessOptions): Freshness {
  const { clock, refreshMs, reader, requests, onOverdue } = options
  const readAt = new Map<string, number>()
  const begunAt = new Map<string, number>()
  const overdue = new Set<string>()
  let interval: number | null = null
  let cancel = () => {}
  return {
    begun: (tenant) => void begunAt.set(tenant, clock.now()),
    read(tenant) {
      const at = begunAt.get(tenant)
      if (at === undefined) return
      readAt.set(tenant, at)
      overdue.delete(tenant)
    },
    oldestReadAt() {
      const times = reader.ownTenants().map(({ id }) => readAt.get(id) ?? null)
      const known = times.filter((at) => at !== null)
      return known.length === 0 || known.length < times.length ? null : smallest(known)
    },
    checkOverdue(visibleSince) {
      interval ??= options.intervalMs()
      const maxAge = 2 * interval + overdueMs + (reader.isReadingInventory() ? refreshMs() : 0)
      for (const { id } of reader.ownTenants()) {
        const at = Math.max(readAt.get(id) ?? 0, visibleSince)
        if (overdue.has(id) || clock.now() - at <= maxAge) continue
        overdue.add(id)
        onOverdue(id)
      }
    },
    pollAgain() {
      cancel()
      if (!options.isNeeded()) return
      interval = options.intervalMs()
      cancel = clock.after(interval, () => requests.add('poll'))
    },
    forgetInterval() {
      interval = null
    },
    stop: () => cancel(),
  }
}

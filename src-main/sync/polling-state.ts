/** Readings in the place of a live connection. */
export interface Polling {
  /** Since when they vouch for what they read, ms; null while they do not. */
  since: number | null
  /** How often, and since when, the live connection was tried in vain; and since when the present one stands. Monotonic ms. */
  attempts: number
  failingSince: number | null
  liveSince: number | null
  /** Whether the live connection has taken over since it was tried in vain, and whether it was lost at once when it did. */
  hasRecovered: boolean
  isUnstable: boolean
  /** Calls off what waits for its time: to begin, or to let the live connection take over. */
  cancel: () => void
  /** When each tenant was read the last time, and when that began which reads it now, ms. */
  readAt: Map<string, number>
  begunAt: Map<string, number>
  /** Tenants whose next sync is overdue: nobody vouches for them. */
  overdue: Set<string>
  /** From one sync to the next, ms, as it was last reckoned (`watchPaceMs`), which walks through all tenants; null: something that it hangs on is another. */
  intervalMs: number | null
}

export const newPolling = (): Polling => ({
  since: null,
  attempts: 0,
  failingSince: null,
  liveSince: null,
  hasRecovered: false,
  isUnstable: false,
  cancel: () => {},
  readAt: new Map(),
  begunAt: new Map(),
  overdue: new Set(),
  intervalMs: null,
})

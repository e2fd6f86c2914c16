/**
 * Pure arithmetic of the delay before the next attempt, with full jitter so that many clients do not return at once.
 */

const firstMs = 1_000
const capMs = 30_000
/** Shortest delay, ms. */
const minDelayMs = 250

/** Returns the ms before attempt number `attempt` (from 1); `random` in [0, 1). */
export function retryDelay(attempt: number, random: number, longestMs = capMs): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20))
  return minDelayMs + random * Math.max(0, ceiling - minDelayMs)
}

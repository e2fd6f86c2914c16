/**
 * What is known of a credential set's balance (service-spec.md, section 8): 100,000 points in a fixed window of 60 s.
 * Pure: the service's figures overrule Muster's own guesses (invariant 6).
 */

/** The figures that an answer carried; null where it carried none. Seconds as the wire has them. */
export interface Figures {
  cost: number | null
  limit: number | null
  remaining: number | null
  /** Seconds to the reset, or an epoch in seconds when greater than 10^9. */
  reset: number | null
}

export interface Balance {
  limit: number
  remaining: number
  /** Milliseconds since the epoch; null before the service said it. */
  resetAt: number | null
  /** True once the service gave its figures. */
  known: boolean
}

/** Documented limit and window; used until the service says otherwise. */
export const unknownBalance: Balance = { limit: 100_000, remaining: 100_000, resetAt: null, known: false }
export const windowMs = 60_000

/** Two answers speak of the same window when their resets are closer than this: whole seconds round, and travel differs. */
const sameWindowMs = 3_000

export function readFigures(headers: { get(name: string): string | null }): Figures {
  return {
    cost: numberOf(headers.get('graphql-ratelimit-querycost')),
    limit: numberOf(headers.get('ratelimit-limit')),
    remaining: numberOf(headers.get('ratelimit-remaining')),
    reset: numberOf(headers.get('ratelimit-reset')),
  }
}

function numberOf(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** Milliseconds since the epoch of a `reset` figure. */
export function resetTime(reset: number, now: number): number {
  return reset > 1e9 ? reset * 1000 : now + reset * 1000
}

/** The balance after an answer. Within one window the lowest `remaining` counts: answers come out of order. */
export function noted(balance: Balance, figures: Figures, now: number): Balance {
  const current = rolled(balance, now)
  if (figures.remaining === null) return spentWithoutWord(current, figures)
  const resetAt = figures.reset === null ? (current.resetAt ?? now + windowMs) : resetTime(figures.reset, now)
  const limit = figures.limit ?? current.limit
  const older = current.known && current.resetAt !== null && resetAt < current.resetAt - sameWindowMs
  if (older) return current
  const same = current.known && current.resetAt !== null && Math.abs(resetAt - current.resetAt) <= sameWindowMs
  const remaining = same ? Math.min(current.remaining, figures.remaining) : figures.remaining
  return { limit, remaining, resetAt: same ? current.resetAt : resetAt, known: true }
}

function spentWithoutWord(balance: Balance, figures: Figures): Balance {
  return figures.cost === null ? balance : { ...balance, remaining: Math.max(0, balance.remaining - figures.cost) }
}

/** The balance with its window turned over when its time has come. */
export function rolled(balance: Balance, now: number): Balance {
  if (balance.resetAt === null || now < balance.resetAt) return balance
  const windows = Math.floor((now - balance.resetAt) / windowMs) + 1
  return { ...balance, remaining: balance.limit, resetAt: balance.resetAt + windows * windowMs }
}

/** The balance after a refusal for lack of points: nothing left until the reset, or until `retryAfterMs` is over. */
export function exhausted(balance: Balance, now: number, retryAfterMs: number | null): Balance {
  const current = rolled(balance, now)
  const resetAt = retryAfterMs !== null ? now + retryAfterMs : (current.resetAt ?? now + windowMs)
  return { ...current, remaining: 0, resetAt }
}

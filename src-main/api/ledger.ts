/**
 * What is known of a credential set's balance (service-spec.md, section 8): 100,000 points in a fixed window of 60 s.
 * Pure: the service's figures overrule Muster's own guesses (invariant 6).
 */

/** The figures that an answer carried; null where it carried none. Seconds as the wire has them. */
export interface Figures {
  cost: number | null
  limit: number | null
  remaining: number | null
  /** Milliseconds to the reset. */
  resetIn: number | null
}

export interface Balance {
  limit: number
  remaining: number
  /** Monotonic milliseconds, so that a clock that is set cannot make the window last; null before the service said it. */
  resetAt: number | null
  /** True once the service gave its figures. */
  known: boolean
}

/** Documented limit and window; used until the service says otherwise. */
export const unknownBalance: Balance = { limit: 100_000, remaining: 100_000, resetAt: null, known: false }
export const windowMs = 60_000

/** Two answers speak of the same window when their resets are closer than this: whole seconds round, and travel differs. */
const sameWindowMs = 3_000

/** `wall` in ms since the epoch: some services tell the reset as an epoch. */
export function readFigures(headers: { get(name: string): string | null }, wall: number): Figures {
  const reset = numberOf(headers.get('ratelimit-reset'))
  return {
    cost: numberOf(headers.get('graphql-ratelimit-querycost')),
    limit: numberOf(headers.get('ratelimit-limit')),
    remaining: numberOf(headers.get('ratelimit-remaining')),
    resetIn: reset === null ? null : resetIn(reset, wall),
  }
}

function numberOf(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** A window is 60 s; what is far from that comes of a clock that is wrong, theirs or ours, and tells nothing. */
const plausibleMs = 10 * 60_000

/** Milliseconds to the reset: the figure is seconds, or an epoch in seconds or milliseconds. Null when it cannot be. */
function resetIn(reset: number, wall: number): number | null {
  const epoch = reset > 1e12 ? reset : reset * 1000
  const delay = reset > 1e9 ? epoch - wall : reset * 1000
  return delay < 0 || delay > plausibleMs ? null : delay
}

/** The balance after an answer; `now` is monotonic, here and below. Within one window the lowest `remaining` counts: answers come out of order. */
export function noted(balance: Balance, figures: Figures, now: number): Balance {
  const current = rolled(balance, now)
  if (figures.remaining === null) return spentWithoutWord(current, figures)
  const resetAt = figures.resetIn === null ? (current.resetAt ?? now + windowMs) : now + figures.resetIn
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

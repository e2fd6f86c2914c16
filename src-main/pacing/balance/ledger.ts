import { largest } from '../../../src-shared/lib/extremes.ts'

/**
 * What is known of a credential set's balance (service-spec.md, section 8): 100,000 points in a fixed window of 60 s.
 * Pure: the service's figures overrule Muster's own guesses (invariant 6). Moments are monotonic ms, so that a clock that
 * is set cannot make a window last.
 */

/** The figures that an answer carried; null where it carried none. */
export interface CostReport {
  /** Where the cost comes from; null where there is none. */
  source: 'headers' | 'field' | null
  cost: number | null
  limit: number | null
  remaining: number | null
  /** Ms to the reset from the moment at which the service answered, give or take a second. */
  resetIn: number | null
}

/** Figures with the moments between which the service took the operation off the balance. */
export interface TimedCostReport extends CostReport {
  sentAt: number
  at: number
}

/** Moments between which something happens. */
export interface Span {
  from: number
  until: number
}

export interface Balance {
  limit: number
  remaining: number
  /** When the window turns over; null before the service said it. */
  turns: Span | null
  /** True once the service gave its figures. */
  known: boolean
  /** What was sent before this belongs to an older window, unless its answer says otherwise. */
  since: number
  /** When the answer came in that told `remaining`; null while that is reckoned: the window has turned, and no answer has spoken of it yet. */
  toldAt: number | null
}

export const windowMs = 60_000

/** Documented limit; used until the service says otherwise. */
export const unknownBalance: Balance = {
  limit: 100_000,
  remaining: 100_000,
  turns: null,
  known: false,
  since: -Infinity,
  toldAt: null,
}

/** Whole seconds are rounded in either way, and an epoch is compared with a clock that tells whole seconds too. */
const early = 2_000
const late = 1_000

/** `wall` in ms since the epoch. Some services tell the reset as an epoch: it is compared with their own clock where they tell it (`date`). */
export function readCostReport(headers: { get(name: string): string | null }, wall: number): CostReport {
  const reset = numberOf(headers.get('ratelimit-reset'))
  const cost = numberOf(headers.get('graphql-ratelimit-querycost'))
  const theirs = Date.parse(headers.get('date') ?? '')
  return {
    source: cost === null ? null : 'headers',
    cost,
    // A window of nothing is none: nobody could ever ask anything.
    limit: numberOf(headers.get('ratelimit-limit')) || null,
    remaining: numberOf(headers.get('ratelimit-remaining')),
    resetIn: reset === null ? null : resetIn(reset, Number.isNaN(theirs) ? wall : theirs),
  }
}

function numberOf(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** A window is 60 s; what is far from that comes of a clock that is wrong, theirs or ours, and tells nothing. */
const plausibleMs = 10 * 60_000

/** The figure is seconds, or an epoch in seconds or milliseconds. Null when it cannot be. */
function resetIn(reset: number, wall: number): number | null {
  const epoch = reset > 1e12 ? reset : reset * 1000
  const delay = reset > 1e9 ? epoch - wall : reset * 1000
  return delay < 0 || delay > plausibleMs ? null : delay
}

/**
 * The balance after an answer. Answers come late and out of order, from this window and the one before: within a window
 * the lowest `remaining` counts, and what a former window says is not heard.
 */
export function afterReport(balance: Balance, received: TimedCostReport): Balance {
  const current = afterReset(balance, received.at)
  if (received.remaining === null)
    return received.cost === null ? current : afterOperation(current, received, received.cost)
  const span = spanOf(received)
  const fresh: Balance = {
    limit: received.limit ?? current.limit,
    remaining: received.remaining,
    known: true,
    since: received.sentAt,
    toldAt: received.at,
    turns: span ?? { from: (current.toldAt ?? received.sentAt) + windowMs, until: received.at + windowMs },
  }
  if (current.turns === null) return fresh
  if (hasRisen(current, received)) return fresh
  if (span === null) return received.sentAt < current.since ? current : lowered(current, received, current.turns)
  if (overlap(span, current.turns)) return lowered(current, received, meet(span, current.turns))
  const before = span.until <= current.turns.from
  return before && received.sentAt < current.since ? current : fresh
}

/** Points never come back within a window: who asks later and hears of more hears of a new one. */
function hasRisen({ toldAt, remaining }: Balance, received: TimedCostReport): boolean {
  return toldAt !== null && received.sentAt >= toldAt && received.remaining !== null && received.remaining > remaining
}

function lowered(current: Balance, { remaining, limit, at }: TimedCostReport, turns: Span): Balance {
  const result = remaining ?? current.remaining
  const lower = current.toldAt === null || !current.known || result <= current.remaining
  return {
    ...current,
    limit: limit ?? current.limit,
    known: true,
    turns,
    remaining: lower ? result : current.remaining,
    toldAt: lower ? at : current.toldAt,
  }
}

function spanOf({ resetIn: ms, sentAt, at }: TimedCostReport): Span | null {
  return ms === null ? null : { from: Math.max(sentAt, sentAt + ms - early), until: at + ms + late }
}

const overlap = (one: Span, other: Span): boolean => one.from < other.until && other.from < one.until

const meet = (one: Span, other: Span): Span => ({
  from: Math.max(one.from, other.from),
  until: Math.min(one.until, other.until),
})

/** Whether an answer speaks of this window; `balance` has heard it. */
export function belongs({ turns, since }: Balance, received: TimedCostReport): boolean {
  const span = spanOf(received)
  return span === null || turns === null ? received.sentAt >= since : overlap(span, turns)
}

/** The balance after an operation of which the service said no more than its cost, or not even that. */
export function afterOperation(
  balance: Balance,
  { sentAt, at }: Pick<TimedCostReport, 'sentAt' | 'at'>,
  cost: number,
): Balance {
  const current = afterReset(balance, at)
  const turns = current.turns ?? { from: sentAt + windowMs, until: at + windowMs }
  return { ...current, turns, remaining: Math.max(0, current.remaining - cost) }
}

/** The balance with its window turned over when its time has come, at the latest that it can be. */
export function afterReset(balance: Balance, now: number): Balance {
  const { turns } = balance
  if (turns === null || now < turns.until) return balance
  const shift = (Math.floor((now - turns.until) / windowMs) + 1) * windowMs
  return {
    ...balance,
    remaining: balance.limit,
    toldAt: null,
    since: turns.until + shift - windowMs,
    turns: { from: turns.from + shift, until: turns.until + shift },
  }
}

/**
 * The balance after a rejection for lack of points: what the service says is left, where that explains it, else nothing,
 * until the reset and until `retryAfterMs` is over. A rejection of a former window changes nothing.
 */
export function afterRejection(balance: Balance, received: TimedCostReport, retryAfterMs: number | null): Balance {
  const explained = received.cost !== null && received.remaining !== null && received.remaining < received.cost
  const waits = [received.resetIn, retryAfterMs].filter((ms) => ms !== null)
  const resetIn = waits.length === 0 ? null : Math.min(plausibleMs, largest(waits))
  const after = afterReport(balance, { ...received, remaining: explained ? received.remaining : 0, resetIn })
  return { ...after, known: balance.known || received.remaining !== null }
}

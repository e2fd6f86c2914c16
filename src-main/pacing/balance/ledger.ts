import { largest } from '../../../src-shared/lib/extremes.ts'

/**
 * The known balance of a credential set (service-spec.md, section 8): 100,000 points in a fixed rate window of 60 s.
 * Pure: the service's numbers overrule Muster's estimates (invariant 6). Moments are monotonic ms, so that a changed
 * system clock cannot make a rate window last.
 */

/** The points that an answer reported; null where it reported none. */
export interface CostReport {
  /** Where the cost comes from; null where there is none. */
  source: 'headers' | 'field' | null
  cost: number | null
  limit: number | null
  remaining: number | null
  /** Ms from the service's answer to the reset, to within a second. */
  resetIn: number | null
}

/** A report with the moments between which the service charged the operation. */
export interface TimedCostReport extends CostReport {
  sentAt: number
  at: number
}

/** The earliest and the latest moment of an event. */
export interface Span {
  from: number
  until: number
}

export interface Balance {
  limit: number
  remaining: number
  /** When the rate window turns over; null before the service reported it. */
  resetSpan: Span | null
  /** True once the service has reported its balance. */
  known: boolean
  /** An operation sent before this belongs to an older rate window, unless its answer says otherwise. */
  since: number
  /**
   * When the answer arrived that reported `remaining`; null while it is calculated, because the rate window turned over
   * and no answer has reported it since.
   */
  reportedAt: number | null
}

export const windowMs = 60_000

/** The documented limit, used until the service reports its own. */
export const unknownBalance: Balance = {
  limit: 100_000,
  remaining: 100_000,
  resetSpan: null,
  known: false,
  since: -Infinity,
  reportedAt: null,
}

/** Tolerance for a reset in whole seconds, rounded up or down and compared with a clock in whole seconds, ms. */
const earlyMs = 2_000
const lateMs = 1_000

/**
 * Reads the points that an answer's headers report; `wall` in ms since the epoch. A reset given as an epoch is compared
 * with the service's own clock (`date`) where the answer has it.
 */
export function readCostReport(headers: { get(name: string): string | null }, wall: number): CostReport {
  const reset = numberOf(headers.get('ratelimit-reset'))
  const cost = numberOf(headers.get('graphql-ratelimit-querycost'))
  const serviceTime = Date.parse(headers.get('date') ?? '')
  return {
    source: cost === null ? null : 'headers',
    cost,
    // A limit of zero counts as none: otherwise nothing could ever be sent.
    limit: numberOf(headers.get('ratelimit-limit')) || null,
    remaining: numberOf(headers.get('ratelimit-remaining')),
    resetIn: reset === null ? null : resetIn(reset, Number.isNaN(serviceTime) ? wall : serviceTime),
  }
}

function numberOf(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** A rate window is 60 s. A reset further away than this comes from a wrong clock and is ignored, ms. */
const plausibleMs = 10 * 60_000

/**
 * Returns ms to the reset from a number of seconds, or an epoch in seconds or milliseconds; null when it is
 * implausible.
 */
function resetIn(reset: number, wall: number): number | null {
  const epoch = reset > 1e12 ? reset : reset * 1000
  const delay = reset > 1e9 ? epoch - wall : reset * 1000
  return delay < 0 || delay > plausibleMs ? null : delay
}

/**
 * Returns the balance after an answer. Answers arrive late and out of order, from this rate window and the one before:
 * within a window the lowest `remaining` counts, and the report of an earlier window is ignored.
 */
export function afterReport(balance: Balance, received: TimedCostReport): Balance {
  const current = afterReset(balance, received.at)
  if (received.remaining === null)
    return received.cost === null ? current : afterOperation(current, received, received.cost)
  const span = spanOf(received)
  const next: Balance = {
    limit: received.limit ?? current.limit,
    remaining: received.remaining,
    known: true,
    since: received.sentAt,
    reportedAt: received.at,
    resetSpan: span ?? { from: (current.reportedAt ?? received.sentAt) + windowMs, until: received.at + windowMs },
  }
  if (current.resetSpan === null) return next
  if (hasRisen(current, received)) return next
  if (span === null) return received.sentAt < current.since ? current : lowered(current, received, current.resetSpan)
  if (overlap(span, current.resetSpan)) return lowered(current, received, intersect(span, current.resetSpan))
  const before = span.until <= current.resetSpan.from
  return before && received.sentAt < current.since ? current : next
}

/**
 * Returns whether an operation that was sent later reports a higher balance. Points never return within a rate window,
 * so this shows a new one.
 */
function hasRisen({ reportedAt, remaining }: Balance, received: TimedCostReport): boolean {
  return (
    reportedAt !== null &&
    received.sentAt >= reportedAt &&
    received.remaining !== null &&
    received.remaining > remaining
  )
}

function lowered(current: Balance, { remaining, limit, at }: TimedCostReport, resetSpan: Span): Balance {
  const result = remaining ?? current.remaining
  const lower = current.reportedAt === null || !current.known || result <= current.remaining
  return {
    ...current,
    limit: limit ?? current.limit,
    known: true,
    resetSpan,
    remaining: lower ? result : current.remaining,
    reportedAt: lower ? at : current.reportedAt,
  }
}

function spanOf({ resetIn: ms, sentAt, at }: TimedCostReport): Span | null {
  return ms === null ? null : { from: Math.max(sentAt, sentAt + ms - earlyMs), until: at + ms + lateMs }
}

const overlap = (one: Span, other: Span): boolean => one.from < other.until && other.from < one.until

const intersect = (one: Span, other: Span): Span => ({
  from: Math.max(one.from, other.from),
  until: Math.min(one.until, other.until),
})

/** Returns whether an answer belongs to this rate window, which `balance` already takes into account. */
export function belongs({ resetSpan, since }: Balance, received: TimedCostReport): boolean {
  const span = spanOf(received)
  return span === null || resetSpan === null ? received.sentAt >= since : overlap(span, resetSpan)
}

/** Returns the balance after an operation for which the service reported at most its cost. */
export function afterOperation(
  balance: Balance,
  { sentAt, at }: Pick<TimedCostReport, 'sentAt' | 'at'>,
  cost: number,
): Balance {
  const current = afterReset(balance, at)
  const resetSpan = current.resetSpan ?? { from: sentAt + windowMs, until: at + windowMs }
  return { ...current, resetSpan, remaining: Math.max(0, current.remaining - cost) }
}

/** Returns the balance with its rate window turned over once the latest possible reset has passed. */
export function afterReset(balance: Balance, now: number): Balance {
  const { resetSpan } = balance
  if (resetSpan === null || now < resetSpan.until) return balance
  const shift = (Math.floor((now - resetSpan.until) / windowMs) + 1) * windowMs
  return {
    ...balance,
    remaining: balance.limit,
    reportedAt: null,
    since: resetSpan.until + shift - windowMs,
    resetSpan: { from: resetSpan.from + shift, until: resetSpan.until + shift },
  }
}

/**
 * Returns the balance after a rejection for lack of points: the reported one where it explains the rejection, otherwise
 * zero, until the reset and until `retryAfterMs` is over. A rejection from an earlier rate window changes nothing.
 */
export function afterRejection(balance: Balance, received: TimedCostReport, retryAfterMs: number | null): Balance {
  const explained = received.cost !== null && received.remaining !== null && received.remaining < received.cost
  const waits = [received.resetIn, retryAfterMs].filter((ms) => ms !== null)
  const resetIn = waits.length === 0 ? null : Math.min(plausibleMs, largest(waits))
  const after = afterReport(balance, { ...received, remaining: explained ? received.remaining : 0, resetIn })
  return { ...after, known: balance.known || received.remaining !== null }
}

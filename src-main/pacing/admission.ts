import type { Lane, WaitWhy } from '../../src-shared/model/gauge.ts'
import { windowMs, type Balance } from './balance/ledger.ts'

/** The operator's pacing settings. */
export interface Policy {
  /** Share of a rate window, in per cent, that only the lane `person` may use before the window's last 5 s. */
  reservePercent: number
  /** Largest share of a rate window, in per cent, that the lanes other than `person` use; 100: no limit. */
  backgroundLimitPercent: number
  /** True: nothing of the lane `background` is sent. */
  backgroundPaused: boolean
}

/** The state by which an operation is admitted. Costs in points, moments in monotonic ms. */
export interface AdmissionState {
  now: number
  balance: Balance
  /** Points that the lanes other than `person` spent in this rate window, at least. */
  inBackground: number
  /** The highest cost of the operations in flight, points. */
  inFlight: number
  running: number
  /** The running operations of lanes other than `person`. */
  runningInBackground: number
  person: { used: number; expected: number }
  /** Points that other clients are likely to use before the reset. */
  others: number
  policy: Policy
  /** Number of operations that may be in flight where the service does not report its points; null: it reports them. */
  parallelLimit: number | null
  /** Moment until which the service asks for no requests; null: it does not ask. */
  holdUntil: number | null
}

export type Verdict =
  | { go: true }
  | {
      go: false
      why: WaitWhy
      /** When to decide again, monotonic ms; null: when a request ends or a setting changes. */ at: number | null
    }

/**
 * Concurrent requests of one credential set: enough to hide the round trip, few enough to be polite. A person's request
 * may use two more.
 */
export const parallel = 4
const parallelForPerson = 6
/** The reserve is released to every lane in the last ms of a rate window: unused points are lost then. */
export const releaseMs = 5_000
/**
 * Where the service does not report what is left, half of a rate window stays unused, and rejections scale the costs
 * (unreported-balance.ts).
 */
const unreportedMargin = 0.5

/** Returns whether an operation of at most `cost` points may be sent now (design, section 6). Pure. */
export function decide(lane: Lane, cost: number, admission: AdmissionState): Verdict {
  const { balance, policy, inFlight, running } = admission
  if (lane === 'background' && policy.backgroundPaused) return { go: false, why: 'paused', at: null }
  if (admission.holdUntil !== null) return { go: false, why: 'service', at: admission.holdUntil }
  if (balance.resetSpan === null) return running === 0 ? go : waitForTurn
  const reserve = lane === 'person' ? 0 : reserveNow(admission)
  const others = lane === 'person' ? 0 : othersNow(admission)
  const left = balance.remaining - inFlight - unreportedShare(admission)
  const usable = balance.limit - (lane === 'person' ? 0 : reserveOf(admission))
  // An operation that costs more than a rate window holds is sent when the window is full: the service decides about
  // it.
  const needed = Math.min(cost, Math.max(1, usable - unreportedShare(admission)))
  if (left - reserve - others >= needed)
    return isBelowCeiling(lane, needed, admission)
      ? slotFor(lane, needed, admission)
      : { go: false, why: 'ceiling', at: latestReset(admission) }
  if (left < needed) return { go: false, why: 'points', at: latestReset(admission) }
  if (left - others < needed)
    return { go: false, why: 'others', at: Math.min(latestReset(admission), admission.now + recheckMs) }
  return {
    go: false,
    why: 'reserve',
    at:
      releaseAt(admission) > admission.now
        ? releaseAt(admission)
        : Math.min(latestReset(admission), admission.now + recheckMs),
  }
}

const go: Verdict = { go: true }
const waitForTurn: Verdict = { go: false, why: 'turn', at: null }
/** While a rate window ends, the points kept for others shrink, so the decision is repeated after this many ms. */
const recheckMs = 1_000

/** After this many ms without an answer, other clients may have spent the reported balance. */
const freshMs = 3_000

/**
 * Limits concurrency so that at most one operation is rejected if costs have doubled, and sends a single one where the
 * service has not reported this rate window, or not recently. A person's request does not wait for background requests
 * unless points are few.
 */
function slotFor(
  lane: Lane,
  cost: number,
  { now, balance, inFlight, running, runningInBackground, parallelLimit }: AdmissionState,
): Verdict {
  if (running === 0) return go
  if (parallelLimit !== null) return running < parallelLimit ? go : waitForTurn
  if (balance.reportedAt === null) return waitForTurn
  if (lane === 'person')
    return running < parallelForPerson && balance.remaining >= inFlight + 2 * cost ? go : waitForTurn
  const isSure = balance.remaining >= cost + 2 * inFlight
  return isSure && now - balance.reportedAt <= freshMs && runningInBackground < parallel ? go : waitForTurn
}

/** Returns the moment at which the rate window ends at the latest, monotonic ms. */
const latestReset = ({ balance, now }: AdmissionState): number => balance.resetSpan?.until ?? now + windowMs

const releaseAt = ({ balance, now }: AdmissionState): number => (balance.resetSpan?.from ?? now) - releaseMs

/** Returns the points of a rate window that the operator reserves for the lane `person`. */
export const reserveOf = ({ balance, policy }: Pick<AdmissionState, 'balance' | 'policy'>): number =>
  (balance.limit * policy.reservePercent) / 100

/**
 * Returns the points still reserved for the lane `person`: without those it has used and, in the last moments of the
 * rate window, no more than it is likely to need.
 */
export function reserveNow(admission: AdmissionState): number {
  const { now, person } = admission
  const inFlight = Math.max(0, reserveOf(admission) - person.used)
  return now < releaseAt(admission) ? inFlight : Math.min(inFlight, person.expected)
}

/** Returns the points left to other clients: their expected use, at most half of the rate window. */
export const othersNow = ({ balance, others }: AdmissionState): number => Math.min(others, balance.limit / 2)

/** Returns the points of a rate window that stay unused where the service does not report what is left. */
export const unreportedShare = ({
  balance,
  parallelLimit,
}: Pick<AdmissionState, 'balance' | 'parallelLimit'>): number =>
  parallelLimit === null ? 0 : balance.limit * unreportedMargin

/** Returns the points of a rate window that the lanes other than `person` may use. */
export const ceilingOf = ({ balance, policy }: Pick<AdmissionState, 'balance' | 'policy'>): number =>
  (balance.limit * policy.backgroundLimitPercent) / 100

function isBelowCeiling(
  lane: Lane,
  cost: number,
  { balance, policy, inBackground, inFlight }: AdmissionState,
): boolean {
  if (lane === 'person' || policy.backgroundLimitPercent >= 100) return true
  return inBackground + inFlight + cost <= ceilingOf({ balance, policy }) || (inBackground === 0 && inFlight === 0)
}

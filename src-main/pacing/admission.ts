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
  kept: number
  running: number
  /** The running operations of lanes other than `person`. */
  runningInBackground: number
  person: { used: number; expected: number }
  /** Points that other clients are likely to use before the reset. */
  others: number
  policy: Policy
  /** Number of operations that may be in flight where the service does not report its points; null: it reports them. */
  silent: number | null
  /** Moment until which the service asks for no requests; null: it does not ask. */
  heldUntil: number | null
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
const silentShare = 0.5

/** Returns whether an operation of at most `price` points may be sent now (design, section 6). Pure. */
export function decide(lane: Lane, price: number, admission: AdmissionState): Verdict {
  const { balance, policy, kept, running } = admission
  if (lane === 'background' && policy.backgroundPaused) return { go: false, why: 'paused', at: null }
  if (admission.heldUntil !== null) return { go: false, why: 'service', at: admission.heldUntil }
  if (balance.turns === null) return running === 0 ? go : ourTurn
  const reserve = lane === 'person' ? 0 : reserveNow(admission)
  const others = lane === 'person' ? 0 : othersNow(admission)
  const left = balance.remaining - kept - unreportedShare(admission)
  const whole = balance.limit - (lane === 'person' ? 0 : reserveOf(admission))
  // An operation that costs more than a rate window holds is sent when the window is full: the service decides about
  // it.
  const wanted = Math.min(price, Math.max(1, whole - unreportedShare(admission)))
  if (left - reserve - others >= wanted)
    return beneathCeiling(lane, wanted, admission)
      ? slotFor(lane, wanted, admission)
      : { go: false, why: 'ceiling', at: atReset(admission) }
  if (left < wanted) return { go: false, why: 'points', at: atReset(admission) }
  if (left - others < wanted)
    return { go: false, why: 'others', at: Math.min(atReset(admission), admission.now + lookAgainMs) }
  return {
    go: false,
    why: 'reserve',
    at:
      releaseAt(admission) > admission.now
        ? releaseAt(admission)
        : Math.min(atReset(admission), admission.now + lookAgainMs),
  }
}

const go: Verdict = { go: true }
const ourTurn: Verdict = { go: false, why: 'turn', at: null }
/** While a rate window ends, the points kept for others shrink, so the decision is repeated after this many ms. */
const lookAgainMs = 1_000

/** After this many ms without an answer, other clients may have spent the reported balance. */
const freshMs = 3_000

/**
 * Limits concurrency so that at most one operation is rejected if costs have doubled, and sends a single one where the
 * service has not reported this rate window, or not recently. A person's request does not wait for background requests
 * unless points are few.
 */
function slotFor(
  lane: Lane,
  price: number,
  { now, balance, kept, running, runningInBackground, silent }: AdmissionState,
): Verdict {
  if (running === 0) return go
  if (silent !== null) return running < silent ? go : ourTurn
  if (balance.toldAt === null) return ourTurn
  if (lane === 'person') return running < parallelForPerson && balance.remaining >= kept + 2 * price ? go : ourTurn
  const isSure = balance.remaining >= price + 2 * kept
  return isSure && now - balance.toldAt <= freshMs && runningInBackground < parallel ? go : ourTurn
}

/** Returns the moment at which the rate window ends at the latest, monotonic ms. */
const atReset = ({ balance, now }: AdmissionState): number => balance.turns?.until ?? now + windowMs

const releaseAt = ({ balance, now }: AdmissionState): number => (balance.turns?.from ?? now) - releaseMs

/** Returns the points of a rate window that the operator reserves for the lane `person`. */
export const reserveOf = ({ balance, policy }: Pick<AdmissionState, 'balance' | 'policy'>): number =>
  (balance.limit * policy.reservePercent) / 100

/**
 * Returns the points still reserved for the lane `person`: without those it has used and, in the last moments of the
 * rate window, no more than it is likely to need.
 */
export function reserveNow(admission: AdmissionState): number {
  const { now, person } = admission
  const kept = Math.max(0, reserveOf(admission) - person.used)
  return now < releaseAt(admission) ? kept : Math.min(kept, person.expected)
}

/** Returns the points left to other clients: their expected use, at most half of the rate window. */
export const othersNow = ({ balance, others }: AdmissionState): number => Math.min(others, balance.limit / 2)

/** Returns the points of a rate window that stay unused where the service does not report what is left. */
export const unreportedShare = ({ balance, silent }: Pick<AdmissionState, 'balance' | 'silent'>): number =>
  silent === null ? 0 : balance.limit * silentShare

/** Returns the points of a rate window that the lanes other than `person` may use. */
export const ceilingOf = ({ balance, policy }: Pick<AdmissionState, 'balance' | 'policy'>): number =>
  (balance.limit * policy.backgroundLimitPercent) / 100

function beneathCeiling(lane: Lane, price: number, { balance, policy, inBackground, kept }: AdmissionState): boolean {
  if (lane === 'person' || policy.backgroundLimitPercent >= 100) return true
  return inBackground + kept + price <= ceilingOf({ balance, policy }) || (inBackground === 0 && kept === 0)
}

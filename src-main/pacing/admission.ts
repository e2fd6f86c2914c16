import type { Lane, WaitWhy } from '../../src-shared/model/gauge.ts'
import { windowMs, type Balance } from './balance/ledger.ts'

/** What the operator has set. */
export interface Policy {
  /** Share of a window, in per cent, that only the lane `person` may use before the window's last 5 s. */
  reservePercent: number
  /** Share of a window, in per cent, that Muster uses at most by itself; 100: all of it. */
  backgroundLimitPercent: number
  /** Nothing of the lane `background` is sent. */
  backgroundPaused: boolean
}

/** All that decides whether an operation may go. Points; moments are monotonic ms. */
export interface AdmissionState {
  now: number
  balance: Balance
  /** What the lanes other than `person` spent in this window, at least. */
  inBackground: number
  /** What is on its way, as dear as that can be. */
  kept: number
  running: number
  /** Of these, what no person waits for. */
  runningInBackground: number
  person: { used: number; expected: number }
  /** What other clients are likely to use before the reset. */
  others: number
  policy: Policy
  /** The service tells no figures at all: so many operations may be under way. Null: it does. */
  silent: number | null
  /** Until then the service asks to be left alone; null: it does not. */
  heldUntil: number | null
}

export type Verdict =
  | { go: true }
  | {
      go: false
      why: WaitWhy
      /** When to look again; null: when something comes back or changes. */ at: number | null
    }

/** Requests of one credential set at the same time: enough to hide the way there and back, few enough to be polite. A person's act finds two more. */
export const parallel = 4
const parallelForPerson = 6
/** The reserve is for everybody in the last moments of a window: what is not used by then is lost. */
export const releaseMs = 5_000
/** Where nobody says what is left, half of a window is left alone, and costs are scaled by what was rejected (unreported-balance.ts). */
const silentShare = 0.5

/** Whether an operation of at most `cost` points may go now (design, section 6). Pure. */
export function decide(lane: Lane, price: number, admission: AdmissionState): Verdict {
  const { balance, policy, kept, running } = admission
  if (lane === 'background' && policy.backgroundPaused) return { go: false, why: 'paused', at: null }
  if (admission.heldUntil !== null) return { go: false, why: 'service', at: admission.heldUntil }
  if (balance.turns === null) return running === 0 ? go : ourTurn
  const reserve = lane === 'person' ? 0 : reserveNow(admission)
  const others = lane === 'person' ? 0 : othersNow(admission)
  const left = balance.remaining - kept - unreportedShare(admission)
  const whole = balance.limit - (lane === 'person' ? 0 : reserveOf(admission))
  // What no window holds goes when a window is whole: the service will say what it thinks of it.
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
/** What is kept shrinks while the window ends. */
const lookAgainMs = 1_000

/** After so long without an answer, others may have spent what seems to be left. */
const freshMs = 3_000

/**
 * Not so many at once that, if costs have doubled, more than one would be rejected; and one alone where nothing has been
 * heard of this window, or nothing lately. A person does not wait for what goes on in the background, unless points are few.
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

/** Until here a window lasts at the latest. */
const atReset = ({ balance, now }: AdmissionState): number => balance.turns?.until ?? now + windowMs

const releaseAt = ({ balance, now }: AdmissionState): number => (balance.turns?.from ?? now) - releaseMs

/** What the operator keeps of a window for a person. */
export const reserveOf = ({ balance, policy }: Pick<AdmissionState, 'balance' | 'policy'>): number =>
  (balance.limit * policy.reservePercent) / 100

/** What a person has used of the reserve is no longer kept; in the last moments only what they are likely to need is. */
export function reserveNow(admission: AdmissionState): number {
  const { now, person } = admission
  const kept = Math.max(0, reserveOf(admission) - person.used)
  return now < releaseAt(admission) ? kept : Math.min(kept, person.expected)
}

/** Others are left what they are likely to use, but never so much that nothing of a window is Muster's. */
export const othersNow = ({ balance, others }: AdmissionState): number => Math.min(others, balance.limit / 2)

/** What is left alone of a window, where nobody tells what is left of it. */
export const unreportedShare = ({ balance, silent }: Pick<AdmissionState, 'balance' | 'silent'>): number =>
  silent === null ? 0 : balance.limit * silentShare

/** The most that Muster uses of a window by itself. */
export const ceilingOf = ({ balance, policy }: Pick<AdmissionState, 'balance' | 'policy'>): number =>
  (balance.limit * policy.backgroundLimitPercent) / 100

function beneathCeiling(lane: Lane, price: number, { balance, policy, inBackground, kept }: AdmissionState): boolean {
  if (lane === 'person' || policy.backgroundLimitPercent >= 100) return true
  return inBackground + kept + price <= ceilingOf({ balance, policy }) || (inBackground === 0 && kept === 0)
}

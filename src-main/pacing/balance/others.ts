import { windowMs, type Balance } from './ledger.ts'

/**
 * Other clients of the same credential set, which spend points that Muster did not spend. Their use is a lower bound,
 * since operations in flight may be charged already.
 */
export interface Others {
  /**
   * Updates after an answer. `own`: points that Muster spent in this rate window; `unsure`: points that it may have
   * spent beyond them.
   */
  observe(balance: Balance, own: number, unsure: number, now: number): void
  /** Begins a new rate window. */
  turn(): void
  /** Returns the points that they used in this rate window. */
  used(): number
  /** Returns the points that they usually use in a rate window, as far as known. */
  usual(): number
  /**
   * Returns the points that they are likely to use in the next `ms`, and to have used since the last answer, from their
   * use in this rate window and before.
   */
  expected(balance: Balance, now: number, ms: number): number
}

/** The weight of the previous rate window; each one before it counts half as much as the next. */
const fading = 0.5
/** A difference of this many points may come from rounding. */
const noise = 50
/** Margin for a rate that rises. */
const room = 1.25
/** No rate is measured before this many ms of the rate window. */
const settledMs = 5_000

export function watchOthers(): Others {
  let usual = 0
  let used = 0
  /** Points already used when the first answer arrived: their owner is unknown, so they predict nothing. */
  let before: number | null = null
  /** Points that they use at once or within a second. */
  let stroke = 0
  let lookedAt: number | null = null
  return {
    observe({ limit, remaining, known }, own, unsure, now) {
      if (!known) return
      const gone = limit - remaining - own - unsure
      before ??= Math.max(0, gone)
      const seconds = Math.max(1, (now - (lookedAt ?? now)) / 1000)
      lookedAt = now
      const sum = gone - before
      if (sum <= noise || sum <= used) return
      stroke = Math.max(stroke * 0.9, (sum - used) / seconds)
      used = sum
    },
    turn() {
      usual = usual * fading + used * (1 - fading)
      used = 0
      before = 0
    },
    used: () => used,
    usual: () => Math.max(usual, used),
    expected({ turns, toldAt }, now, ms) {
      if (turns === null || (usual < noise && used === 0)) return 0
      const begun = turns.until - windowMs
      const received = Math.max(begun, toldAt ?? begun)
      const rate = Math.max(usual / windowMs, received - begun > settledMs ? used / (received - begun) : 0)
      return room * rate * (ms + Math.max(0, now - received)) + Math.min(stroke, room * rate * windowMs)
    },
  }
}

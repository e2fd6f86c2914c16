import { windowMs, type Balance } from './ledger.ts'

/**
 * Other clients of the same credential set, which spend points that Muster did not spend. Their use is a lower bound,
 * since operations in flight may be charged already.
 */
export interface Others {
  /**
   * Updates after an answer. `own`: points that Muster spent in this rate window; `uncertain`: points that it may have
   * spent beyond them.
   */
  observe(balance: Balance, own: number, uncertain: number, now: number): void
  /** Begins a new rate window. */
  startWindow(): void
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
const decay = 0.5
/** A difference of this many points may come from rounding. */
const noise = 50
/** Margin for a rate that rises. */
const margin = 1.25
/** No rate is measured before this many ms of the rate window. */
const minSampleMs = 5_000

export function watchOthers(): Others {
  let usual = 0
  let used = 0
  /** Points already used when the first answer arrived: their owner is unknown, so they predict nothing. */
  let before: number | null = null
  /** Points that they use at once or within a second. */
  let burst = 0
  let observedAt: number | null = null
  return {
    observe({ limit, remaining, known }, own, uncertain, now) {
      if (!known) return
      const missing = limit - remaining - own - uncertain
      before ??= Math.max(0, missing)
      const seconds = Math.max(1, (now - (observedAt ?? now)) / 1000)
      observedAt = now
      const sum = missing - before
      if (sum <= noise || sum <= used) return
      burst = Math.max(burst * 0.9, (sum - used) / seconds)
      used = sum
    },
    startWindow() {
      usual = usual * decay + used * (1 - decay)
      used = 0
      before = 0
    },
    used: () => used,
    usual: () => Math.max(usual, used),
    expected({ resetSpan, reportedAt }, now, ms) {
      if (resetSpan === null || (usual < noise && used === 0)) return 0
      const windowStart = resetSpan.until - windowMs
      const received = Math.max(windowStart, reportedAt ?? windowStart)
      const rate = Math.max(
        usual / windowMs,
        received - windowStart > minSampleMs ? used / (received - windowStart) : 0,
      )
      return margin * rate * (ms + Math.max(0, now - received)) + Math.min(burst, margin * rate * windowMs)
    },
  }
}

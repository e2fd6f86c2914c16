import { windowMs, type Balance } from './ledger.ts'

/**
 * Other clients of the same credential set: points go that Muster did not spend. What they used is a lower bound, since
 * what is on its way may be charged already.
 */
export interface Others {
  /** After an answer. `own`: what Muster is known to have spent in this window; `unsure`: what it may have spent beyond that. */
  look(balance: Balance, own: number, unsure: number): void
  /** A window has ended. */
  turn(): void
  /** Points that they used in this window. */
  used(): number
  /** Points that they are likely to use in the next `ms`, given how they spent in this window and before. */
  expected(balance: Balance, now: number, ms: number): number
}

/** What they did in the window before counts half, what they did before that a quarter, and so on. */
const fading = 0.5
/** So little may come of rounding. */
const noise = 50
/** They may be in more of a hurry than before. */
const room = 1.25
/** A rate is none before a part of the window has gone by. */
const settledMs = 5_000

export function watchOthers(): Others {
  let usual = 0
  let used = 0
  /** What had gone when the first answer came: it may be anybody's, and says nothing of what is to come. */
  let before: number | null = null
  let largest = 0
  return {
    look({ limit, remaining, known }, own, unsure) {
      if (!known) return
      const gone = limit - remaining - own - unsure
      before ??= Math.max(0, gone)
      const now = gone - before
      if (now <= noise || now <= used) return
      largest = Math.max(largest * 0.9, now - used)
      used = now
    },
    turn() {
      usual = usual * fading + used * (1 - fading)
      used = 0
      before = 0
    },
    used: () => used,
    expected({ turns }, now, ms) {
      if (turns === null || (usual < noise && used === 0)) return 0
      const gone = Math.max(0, windowMs - Math.max(0, turns.until - now))
      const rate = Math.max(usual / windowMs, gone > settledMs ? used / gone : 0)
      return room * rate * ms + Math.min(largest, room * rate * windowMs)
    },
  }
}

import { windowMs, type Balance } from './ledger.ts'

/**
 * Other clients of the same credential set: points go that Muster did not spend. What they used is a lower bound, since
 * what is on its way may be charged already.
 */
export interface Others {
  /** After an answer. `own`: what Muster is known to have spent in this window; `unsure`: what it may have spent beyond that. */
  observe(balance: Balance, own: number, unsure: number, now: number): void
  /** A window has ended. */
  turn(): void
  /** Points that they used in this window. */
  used(): number
  /** Points that they use in a window, as far as is known. */
  usual(): number
  /** Points that they are likely to use in the next `ms`, and to have used since the last answer, given how they spent in this window and before. */
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
  /** What they take at one stroke, or within a second. */
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

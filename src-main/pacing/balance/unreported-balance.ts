/**
 * Points where a service tells neither what an operation costs nor what is left: all costs are guesses then, and only a
 * rejection shows how far off they are. Additive increase, and halving on a rejection: each answer without a rejection allows the
 * same once more, until the first rejection; from then on a tenth of it. Points are guessed ones; moments are monotonic ms.
 */
export interface UnreportedBalance {
  /** By what a guessed cost is multiplied, so that what Muster allows itself in a window is half of the documented limit. */
  scale(limit: number): number
  /** What is left of a window of so many points, in scaled ones. */
  remaining(limit: number): number
  /** Operations that may be under way at the same time. */
  parallel(): number
  answered(points: number): void
  /** Rejected for lack of points; `sentAt`: when it was asked. */
  rejected(sentAt: number, now: number): void
  /** A window has ended. */
  turn(): void
}

/** Until something is known, half of what is documented (service-spec.md, section 8). */
const atFirst = 50_000
const least = 500
/** After the first rejection, by such a part of what was answered. */
const slowly = 0.1
const mostParallel = 4
/** Answers in a row for each further operation at the same time. */
const forOneMore = 5

export function createUnreportedBalance(): UnreportedBalance {
  let budget = atFirst
  let spent = 0
  let isProbing = true
  let isEmpty = false
  let halvedAt = -Infinity
  let answers = 0
  const scale = (limit: number): number => limit / (2 * budget)
  return {
    scale,
    remaining: (limit) => (isEmpty ? 0 : Math.max(0, Math.round(limit - spent * scale(limit)))),
    parallel: () => Math.min(mostParallel, 1 + Math.floor(answers / forOneMore)),
    answered(points) {
      spent += points
      answers += 1
      budget += isProbing ? points : points * slowly
    },
    rejected(sentAt, now) {
      isEmpty = true
      // What was under way at the same time is rejected for the same reason.
      if (sentAt < halvedAt) return
      halvedAt = now
      isProbing = false
      answers = 0
      budget = Math.max(least, budget / 2)
    },
    turn() {
      spent = 0
      isEmpty = false
    },
  }
}

/**
 * The points of a service that reports neither the cost of an operation nor what is left: all costs are estimates then,
 * and only a rejection shows how far off they are. Additive increase, and halving on a rejection: each answer without a
 * rejection allows the same once more, until the first rejection; from then on a tenth of it. Points are estimated
 * ones; moments are monotonic ms.
 */
export interface UnreportedBalance {
  /**
   * Returns the factor for estimated costs, so that Muster's budget for a rate window is half of the documented limit.
   */
  scale(limit: number): number
  /** Returns the scaled points left in a rate window with this limit. */
  remaining(limit: number): number
  /** Returns the number of operations that may be in flight at the same time. */
  parallel(): number
  answered(points: number): void
  /** Records a rejection for lack of points; `sentAt`: when the operation was sent. */
  rejected(sentAt: number, now: number): void
  /** Begins a new rate window. */
  startWindow(): void
}

/** The first budget: half of the documented limit, points (service-spec.md, section 8). */
const initialBudget = 50_000
const minBudget = 500
/** After the first rejection, the budget grows by this share of the answered points. */
const growthShare = 0.1
const maxParallel = 4
/** Consecutive answers for each additional concurrent operation. */
const answersPerSlot = 5

export function createUnreportedBalance(): UnreportedBalance {
  let budget = initialBudget
  let spent = 0
  let isProbing = true
  let isEmpty = false
  let halvedAt = -Infinity
  let answers = 0
  const scale = (limit: number): number => limit / (2 * budget)
  return {
    scale,
    remaining: (limit) => (isEmpty ? 0 : Math.max(0, Math.round(limit - spent * scale(limit)))),
    parallel: () => Math.min(maxParallel, 1 + Math.floor(answers / answersPerSlot)),
    answered(points) {
      spent += points
      answers += 1
      budget += isProbing ? points : points * growthShare
    },
    rejected(sentAt, now) {
      isEmpty = true
      // Operations that were in flight at the same time are rejected for the same reason.
      if (sentAt < halvedAt) return
      halvedAt = now
      isProbing = false
      answers = 0
      budget = Math.max(minBudget, budget / 2)
    },
    startWindow() {
      spent = 0
      isEmpty = false
    },
  }
}

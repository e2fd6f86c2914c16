import { largest } from '../../../src-shared/lib/extremes.ts'
import type { Quote, StoredCost } from './learned.ts'
import { fitCosts, type Charged, type CostModel } from './model.ts'
import type { Shape } from './shape.ts'

/** Estimates what was never charged by what was. */
export interface Derived {
  /** Returns the expected cost, points; null while nothing was charged. */
  quote(shape: Shape, pageSize: number): Quote | null
  /** Null while nothing was charged. */
  model(): CostModel | null
}

/** Costs that are taken, those of the shapes that were used last. */
const maxCharged = 64
/** Margin for a cost that is derived from other shapes by their number of fields alone. */
const plainMargin = 1.5
/** Standard errors above the likely cost, and the margin at least. */
const errors = 3
const leastMargin = 1.25

/** Derives costs from these shapes, in the order of their last use. */
export function deriveFrom(known: readonly StoredCost[]): Derived {
  const factor = highestFactor(known)
  let fitted: CostModel | null | undefined
  // It is needed only for an operation that was never sent.
  const model = () => (fitted === undefined ? (fitted = fitCosts(chargedIn(known))) : fitted)
  return {
    model,
    quote({ once, each, features }, pageSize) {
      if (factor === null) return null
      const plain = (once + each * pageSize) * factor
      const fit = features === undefined ? null : model()
      if (fit === null || features === undefined) return rounded(plain, plain * plainMargin)
      const { likely, error } = fit.predict(features, pageSize)
      const positive = Math.max(likely, 1)
      return rounded(positive, Math.max(likely + errors * error, positive * Math.max(leastMargin, fit.excess)))
    },
  }
}

const rounded = (likely: number, atMost: number): Quote => ({
  likely: Math.max(1, Math.round(likely)),
  atMost: Math.max(1, Math.ceil(atMost)),
  certainty: 'derived',
})

/** Returns the costs of the smallest and of the largest page of each shape. */
function chargedIn(known: readonly StoredCost[]): Charged[] {
  return known
    .filter(({ features, points }) => features !== undefined && points.length > 0)
    .flatMap(({ features = [], points }) =>
      [...new Set([points[0], points.at(-1)])].flatMap((point) =>
        point === undefined ? [] : [{ features, size: point.size, cost: point.cost }],
      ),
    )
    .slice(-maxCharged)
}

/** Returns the highest cost of any shape relative to what it selects; null where nothing was charged yet. */
function highestFactor(known: readonly StoredCost[]): number | null {
  const factors = known.flatMap(({ once, each, points }) =>
    points.map(({ size, cost }) => cost / Math.max(1, once + each * size)),
  )
  return factors.length === 0 ? null : largest(factors)
}

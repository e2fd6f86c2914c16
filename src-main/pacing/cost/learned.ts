import type { Features } from './features.ts'

/**
 * Points. `likely` is shown to people, `atMost` is reserved; both are positive, and either may exceed what the service
 * accepts.
 */
export interface Quote {
  likely: number
  atMost: number
  /** `learned` from this shape, `derived` from the costs of other shapes relative to what they select, or a `guess`. */
  certainty: Certainty
}

export type Certainty = 'learned' | 'derived' | 'guess'

/** The recent cost of pages of about this size, and the number of pages seen since the cost changed. */
export interface Point {
  size: number
  cost: number
  n: number
}

/** The stored cost of one shape. */
export interface StoredCost {
  key: string
  /** As in `Shape`. */
  once: number
  each: number
  /** As in `Shape`, from the last use. */
  features?: Features | undefined
  /** In ascending order of size; similar sizes share one point. */
  points: Point[]
  /** Recent relative error of the costs: `spread` of all of them, `steady` without outliers. */
  spread: number
  steady: number
  /** Relative error of the latest cost if it is an outlier, otherwise 0. */
  far: number
  /** Number of costs seen. */
  seen: number
  /** Ms that an item takes in a large page; 0 while unknown. */
  msPerItem: number
  /** Page size that was rejected without a reported cost; it grows as other pages succeed. Null: none was rejected. */
  rejectedSize: number | null
}

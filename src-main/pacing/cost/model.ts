import { own } from '../../../src-shared/lib/own.ts'
import { counts, isOwn, type Counts, type Features } from './features.ts'
import { ridge } from './ridge.ts'

/** A charged cost, points, and what it may depend on. */
export interface Charged {
  features: Features
  size: number
  cost: number
}

/**
 * What costs of operations that were never sent are derived from: each feature has a weight, points, by which the costs that
 * were charged are explained best (ridge regression of the relative errors, without outliers).
 */
export interface CostModel {
  /** Returns the likely cost, and its standard error; both in points. */
  predict(features: Features, size: number): { likely: number; error: number }
  /** By how much nearly all charged costs exceed what is likely by the others alone, a factor. */
  excess: number
  /** Returns the points that one count of a feature costs. */
  weight(name: string): number
  /** Returns how many items the service counts below a root field, relative to others. */
  itemsOf(root: string): number
}

/**
 * How far weights may lie from what is expected before: a multiple of the median cost per field. A field's own weight is the
 * difference to others, so it is taken up last.
 */
const spreads: Readonly<Record<string, number>> = {
  operation: 4,
  fields: 0.7,
  depths: 0.3,
  objects: 1,
  'object depths': 0.4,
  written: 1,
  'written depths': 0.3,
  pages: 1,
}
const ownSpread = 0.5
/** Relative error of a cost that the weights do not explain. */
const noise = 0.02
const rounds = 3

/** Fits the weights. Null without charged costs. */
export function fitCosts(charged: readonly Charged[]): CostModel | null {
  if (charged.length === 0) return null
  const items = itemsByRoot(charged)
  const itemsOf = (root: string) => items.get(root) ?? 1
  const { weights, likelyOf, errorOf, leftOut } = fit(charged, itemsOf, true)
  return {
    weight: (name) => weights.get(name) ?? 0,
    itemsOf,
    excess: excessOf(leftOut),
    predict(features, size) {
      const found = counts(features, size, itemsOf)
      return { likely: likelyOf(found), error: errorOf(found) }
    },
  }
}

interface Fit {
  weights: ReadonlyMap<string, number>
  likelyOf(found: Counts): number
  errorOf(found: Counts): number
  /** Relative errors of the charged costs by the others alone. */
  leftOut: Float64Array
}

/** The share of the costs that the excess covers, and its limit, as one cost may be absurd. */
const covered = 0.95
const maxExcess = 3

function excessOf(leftOut: Float64Array): number {
  const sorted = leftOut.toSorted()
  const error = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * covered))] ?? 0
  return 1 / (1 - Math.min(Math.max(0, error), 1 - 1 / maxExcess))
}

/** `withOwn`: with weights for single fields. */
function fit(charged: readonly Charged[], itemsOf: (root: string) => number, withOwn: boolean): Fit {
  const found = charged.map(({ features, size }) => counts(features, size, itemsOf))
  const scale = median(charged.map(({ cost }, at) => cost / Math.max(1, found[at]?.get('fields') ?? 0)))
  const columns = new Map<string, number>()
  for (const each of found)
    for (const name of each.keys()) if ((withOwn || !isOwn(name)) && !columns.has(name)) columns.set(name, columns.size)
  const spreadBy = [...columns.keys()].map((name) => spreadOf(name) * scale)
  const rowOf = (each: Counts, cost: number): Float64Array => {
    const row = new Float64Array(columns.size)
    for (const [name, count] of each) {
      const column = columns.get(name)
      if (column !== undefined) row[column] = (count / cost) * (spreadBy[column] ?? 0)
    }
    return row
  }
  const expected = (each: Counts) => scale * (each.get('fields') ?? 0)
  // Each row is divided by its cost, so that the errors are relative.
  const rows = charged.map(({ cost }, at) => rowOf(found[at] ?? new Map(), cost))
  const targets = Float64Array.from(charged, ({ cost }, at) => 1 - expected(found[at] ?? new Map()) / cost)
  const { coefficients, errorOf, leftOut } = ridge(rows, targets, noise, withOwn ? rounds : 1)
  const weights = new Map(
    [...columns].map(([name, column]) => [
      name,
      (coefficients[column] ?? 0) * (spreadBy[column] ?? 0) + (name === 'fields' ? scale : 0),
    ]),
  )
  return {
    weights,
    leftOut,
    likelyOf(each) {
      let likely = 0
      for (const [name, count] of each) likely += count * (weights.get(name) ?? 0)
      return likely
    },
    errorOf(each) {
      let unknown = 0
      for (const [name, count] of each) if (!columns.has(name)) unknown += (count * spreadOf(name) * scale) ** 2
      return Math.sqrt(errorOf(rowOf(each, 1)) ** 2 + unknown)
    },
  }
}

const spreadOf = (name: string): number => (isOwn(name) ? ownSpread : (own(spreads, name) ?? ownSpread))

/** Costs below a root field that make a rule: one alone is none. */
const sureCosts = 3
/** How often the number of items is corrected. */
const itemRounds = 3

/**
 * Returns how many items the service counts below each root field, relative to others: by how much the costs below it exceed
 * what fields cost elsewhere.
 */
function itemsByRoot(charged: readonly Charged[]): Map<string, number> {
  const items = new Map<string, number>()
  const byRoot = Map.groupBy(charged, ({ features }) => mainRoot(features))
  if (byRoot.size < 2) return items
  for (let round = 0; round < itemRounds; round += 1) {
    const before = new Map(items)
    const itemsOf = (root: string) => before.get(root) ?? 1
    const { likelyOf } = fit(charged, itemsOf, false)
    for (const [root, all] of byRoot) {
      const ratio = median(
        all.map(({ features, size, cost }) => cost / Math.max(1, likelyOf(counts(features, size, itemsOf)))),
      )
      items.set(root, clamped((itemsOf(root) * ratio) ** Math.min(1, all.length / sureCosts)))
    }
  }
  return items
}

const clamped = (factor: number): number => Math.min(1_000, Math.max(1 / 20, factor))

/** Returns the root field below which most is selected. */
function mainRoot(features: Features): string {
  const sizes = features.map(({ root, of }) => ({ root, count: root === '' ? -1 : of.length }))
  return sizes.toSorted((one, other) => other.count - one.count)[0]?.root ?? ''
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 1
}

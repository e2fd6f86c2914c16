import { counts, isOwn, type Features } from './features.ts'

/** A charged cost, points, and what it may depend on. */
export interface Charged {
  features: Features
  size: number
  cost: number
}

/**
 * What costs of operations that were never sent are derived from: each feature has a weight, points, by which the costs that
 * were charged are explained best (ridge regression of the relative errors).
 */
export interface CostModel {
  /** Returns the likely cost, and its standard error; both in points. */
  predict(features: Features, size: number): { likely: number; error: number }
  /** Returns the points that one count of a feature costs. */
  weight(name: string): number
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
const rootSpread = 0.7
/** Relative error of a cost that the model cannot explain. */
const noise = 0.02
/** Errors beyond this many times the noise count as outliers. */
const outlier = 3
/** How often outliers are looked for. */
const rounds = 3

/** Fits the weights. Null without charged costs. */
export function fitCosts(charged: readonly Charged[]): CostModel | null {
  if (charged.length === 0) return null
  const rows = charged.map(({ features, size, cost }) => ({ found: counts(features, size), cost }))
  const scale = median(rows.map(({ found, cost }) => cost / Math.max(1, found.get('fields') ?? 0)))
  const before = (found: ReadonlyMap<string, number>) => scale * (found.get('fields') ?? 0)
  // Each row is divided by its cost, so that the errors are relative.
  const inputs = rows.map(({ found, cost }) => new Map([...found].map(([name, count]) => [name, count / cost])))
  const targets = rows.map(({ found, cost }) => 1 - before(found) / cost)
  const products = inputs.map((one, at) => inputs.slice(0, at + 1).map((other) => product(one, other, scale)))
  const { factor, solution } = solved(products, targets)
  const weights = new Map<string, number>([['fields', scale]])
  inputs.forEach((input, at) => {
    for (const [name, value] of input)
      weights.set(name, (weights.get(name) ?? 0) + variance(name, scale) * value * (solution[at] ?? 0))
  })
  return {
    weight: (name) => weights.get(name) ?? 0,
    predict(features, size) {
      const found = counts(features, size)
      let likely = 0
      for (const [name, count] of found) likely += count * (weights.get(name) ?? 0)
      const shared = inputs.map((input) => product(found, input, scale))
      const explained = forward(factor, shared).reduce((sum, value) => sum + value * value, 0)
      return { likely, error: Math.sqrt(Math.max(0, product(found, found, scale) - explained)) }
    },
  }
}

function variance(name: string, scale: number): number {
  const spread = isOwn(name) ? (name.startsWith('@') ? rootSpread : ownSpread) : (spreads[name] ?? ownSpread)
  return (spread * scale) ** 2
}

function product(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>, scale: number): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one]
  let sum = 0
  for (const [name, value] of few) {
    const more = many.get(name)
    if (more !== undefined) sum += variance(name, scale) * value * more
  }
  return sum
}

/** The lower triangle of a symmetric matrix. */
type Triangle = number[][]

/** Returns the solution for the products with noise, more of it where a target is not met: that cost is an outlier. */
function solved(products: Triangle, targets: readonly number[]): { factor: Triangle; solution: number[] } {
  const noises = targets.map(() => noise ** 2)
  let [factor, solution] = [[] as Triangle, [] as number[]]
  for (let round = 0; round < rounds; round += 1) {
    factor = cholesky(products.map((row, at) => row.map((value, column) => (column === at ? value + (noises[at] ?? 0) : value))))
    solution = backward(factor, forward(factor, targets))
    targets.forEach((_target, at) => {
      const residual = Math.abs((solution[at] ?? 0) * (noises[at] ?? 0))
      noises[at] = noise ** 2 * Math.max(1, residual / (outlier * noise)) ** 2
    })
  }
  return { factor, solution }
}

function cholesky(matrix: Triangle): Triangle {
  const factor: Triangle = []
  matrix.forEach((row, at) => {
    const made: number[] = []
    factor.push(made)
    row.forEach((value, column) => {
      const other = factor[column] ?? []
      let rest = value
      for (let index = 0; index < column; index += 1) rest -= (made[index] ?? 0) * (other[index] ?? 0)
      made.push(column === at ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (other[column] ?? 1))
    })
  })
  return factor
}

function forward(factor: Triangle, targets: readonly number[]): number[] {
  const found: number[] = []
  factor.forEach((row, at) => {
    let rest = targets[at] ?? 0
    for (let index = 0; index < at; index += 1) rest -= (row[index] ?? 0) * (found[index] ?? 0)
    found.push(rest / (row[at] ?? 1))
  })
  return found
}

function backward(factor: Triangle, targets: readonly number[]): number[] {
  const found = [...targets]
  for (let at = factor.length - 1; at >= 0; at -= 1) {
    let rest = found[at] ?? 0
    for (let index = at + 1; index < factor.length; index += 1) rest -= (factor[index]?.[at] ?? 0) * (found[index] ?? 0)
    found[at] = rest / (factor[at]?.[at] ?? 1)
  }
  return found
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 1
}

import { deriveFrom, type Derived } from './derived.ts'
import type { Point, Quote, Certainty, StoredCost } from './learned.ts'
import type { CostModel } from './model.ts'
import type { Shape } from './shape.ts'

/**
 * Costs by shape, learned from what the service charged (design, section 6): for each shape the latest costs of the
 * page sizes in use, linear interpolation between them, and a margin for the error seen so far.
 */
export interface Costs {
  /** Returns the expected cost of the next operation of this shape and page size. */
  quote(shape: Shape, pageSize: number): Quote
  /** Records a charged cost. `ms`: duration of the answer; null for a rejection, which has none. */
  learn(shape: Shape, pageSize: number, cost: number, ms: number | null): void
  /** Returns whether the service rejected such a page as too expensive without reporting its cost. */
  wasRejected(shape: Shape, pageSize: number): boolean
  /** Records that the service rejected an operation as too expensive for one operation; `cost` where it reported it. */
  tooExpensive(shape: Shape, pageSize: number, cost: number | null): void
  /** Returns the largest page of this shape within the limits of points and ms; null while no cost is known. */
  largestPage(shape: Shape, limits: PageLimits): number | null
  /** Returns the duration of a page of this size, ms; null while unknown. */
  msOf(shape: Shape, pageSize: number): number | null
  /** Returns what costs are derived from; null while nothing was charged. */
  model(): CostModel | null
  /** Returns the costs to store for the next start. */
  stored(): StoredCost[]
}

export interface PageLimits {
  points: number
  ms: number
}

/** The service rejects an operation above this, points (service-spec.md, section 8). */
export const operationLimit = 10_000

/** Sizes closer than this ratio count as one. */
const sameSizeRatio = 1.3
/** The smallest weight of the latest cost against the earlier ones. */
const minWeight = 0.12
/** Margins above the cost: until a few costs were seen; where costs vary; otherwise for rounding. */
const initialMargin = 0.25
const varyingMargin = 0.3
const roundingMargin = 0.02
const minSamples = 4
/** Factor for the relative error. */
const errorFactor = 1.5
const decay = 0.98
/** A cost that changes by less changes no derived one. */
const slightChange = 0.01
/** Upper limit of the relative error that one cost may add. */
const maxError = 1
/** Growth of a rejected page size with each page that succeeds: after 35 pages, twice the size is tried again. */
const retryGrowth = 1.02
/** Beyond this number, the shapes that were not used for longest are removed. */
const maxShapes = 200

export function createCosts(stored: readonly StoredCost[] = []): Costs {
  const known = new Map<string, StoredCost>(
    stored.map((entry) => [entry.key, { ...entry, points: entry.points.map((point) => ({ ...point })) }]),
  )
  /** Kept until another cost is learned. */
  let derived: Derived | null = null
  const deriving = () => (derived ??= deriveFrom([...known.values()]))
  const seenOf = (shape: Shape): StoredCost | null => {
    const entry = known.get(shape.key)
    return entry === undefined || entry.points.length === 0 ? null : entry
  }
  const ensureEntry = (shape: Shape): StoredCost => {
    const entry = known.get(shape.key) ?? {
      key: shape.key,
      once: shape.once,
      each: shape.each,
      points: [],
      spread: 0,
      steady: 0,
      far: 0,
      seen: 0,
      msPerItem: 0,
      rejectedSize: null,
    }
    if (shape.features !== undefined) entry.features = shape.features
    known.delete(shape.key)
    known.set(shape.key, entry)
    if (known.size > maxShapes) known.delete([...known.keys()][0] ?? '')
    return entry
  }
  return {
    quote(shape, pageSize) {
      const entry = seenOf(shape)
      if (entry !== null) return quoted(costAt(entry.points, pageSize), 1 + marginOf(entry), 'learned')
      const weight = shape.once + shape.each * pageSize
      return deriving().quote(shape, pageSize) ?? quoted(weight, 1, 'guess')
    },
    learn(shape, pageSize, cost, ms) {
      const entry = ensureEntry(shape)
      if (learn(entry, pageSize, cost)) derived = null
      if (ms === null) return
      time(entry, pageSize, ms)
      if (entry.rejectedSize !== null) entry.rejectedSize *= retryGrowth
    },
    wasRejected(shape, pageSize) {
      const rejected = known.get(shape.key)?.rejectedSize ?? null
      return rejected !== null && pageSize >= rejected
    },
    tooExpensive(shape, pageSize, cost) {
      const entry = ensureEntry(shape)
      derived = null
      // A reported cost is learned; without one, only the size is known not to fit.
      if (cost !== null) learn(entry, pageSize, cost)
      else entry.rejectedSize = Math.min(entry.rejectedSize ?? Infinity, pageSize)
    },
    largestPage(shape, limits) {
      const entry = seenOf(shape)
      return entry && largestOf(entry, limits)
    },
    msOf(shape, pageSize) {
      const { msPerItem } = known.get(shape.key) ?? { msPerItem: 0 }
      return msPerItem === 0 ? null : msPerItem * pageSize
    },
    model: () => deriving().model(),
    stored: () => [...known.values()].filter(({ points }) => points.length > 0),
  }
}

function largestOf(entry: StoredCost, limits: { points: number; ms: number }): number {
  const byRejection = entry.rejectedSize === null ? Infinity : entry.rejectedSize / 2
  const byTime = entry.msPerItem === 0 ? Infinity : limits.ms / entry.msPerItem
  return Math.max(
    1,
    Math.floor(Math.min(byRejection, byTime, sizeFor(entry.points, limits.points / (1 + marginOf(entry))))),
  )
}

function quoted(likely: number, margin: number, certainty: Certainty): Quote {
  return { likely: Math.max(1, Math.round(likely)), atMost: Math.max(1, Math.ceil(likely * margin)), certainty }
}

function marginOf({ seen, spread, points }: StoredCost): number {
  // Few costs are known since the change, and they vary as the earlier ones did.
  if (spread > roundingMargin && (points.at(-1)?.n ?? 0) < minSamples)
    return Math.max(varyingMargin, spread * errorFactor) * errorFactor
  if (spread > roundingMargin) return Math.max(varyingMargin, spread * errorFactor)
  return seen < minSamples ? initialMargin : roundingMargin
}

type Points = readonly Point[]

/** Returns the cost by linear interpolation between the neighbouring sizes, and by extrapolation beyond them. */
function costAt(points: Points, size: number): number {
  const above = points.findIndex((point) => point.size >= size)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return operationLimit
  if (above < 0) return last.cost + (size - last.size) * slopeBeyond(points)
  if (above === 0) return first.size === size ? first.cost : smaller(first, size)
  const [low, high] = [points[above - 1] ?? first, points[above] ?? last]
  return low.cost + ((size - low.size) * (high.cost - low.cost)) / (high.size - low.size)
}

/** Extrapolates to smaller pages. The fixed part of a cost is unknown and taken as a tenth. */
const smaller = ({ size, cost }: Point, wanted: number): number => cost * (0.1 + (0.9 * wanted) / size)

/**
 * Returns the cost of each additional item: the slope between the two largest sizes, between half and all of the
 * largest page's cost per item.
 */
function slopeBeyond(points: Points): number {
  const [low, high] = [points.at(-2), points.at(-1)]
  if (high === undefined) return 0
  const average = high.cost / high.size
  return low === undefined
    ? average
    : Math.min(average, Math.max(average / 2, (high.cost - low.cost) / (high.size - low.size)))
}

/** Returns the page size that costs `budget` points. */
function sizeFor(points: Points, budget: number): number {
  const last = points.at(-1)
  if (last === undefined) return 1
  if (budget >= last.cost) return last.size + (budget - last.cost) / Math.max(slopeBeyond(points), 1e-6)
  let [low, high] = [1, last.size]
  while (high - low > 0.5) {
    const middle = (low + high) / 2
    if (costAt(points, middle) <= budget) low = middle
    else high = middle
  }
  return low
}

/** Returns whether the cost of such pages has changed. */
function learn(entry: StoredCost, size: number, cost: number): boolean {
  const before = entry.points.length === 0 ? 0 : costAt(entry.points, size)
  const isOutlier = entry.points.some((point) => isAlike(point.size, size)) && compare(entry, size, cost)
  entry.seen += 1
  // A single outlier may be an error: it counts when it occurs again.
  if (isOutlier) return false
  const near = entry.points
    .filter((point) => isAlike(point.size, size))
    .toSorted((one, other) => other.n - one.n)[0] ?? { size, cost, n: 0 }
  const share = Math.max(minWeight, 1 / (near.n + 1))
  const point = { size, n: near.n + 1, cost: near.cost * (size / near.size) * (1 - share) + cost * share }
  entry.points = [...entry.points.filter((each) => !isAlike(each.size, size)), point]
  makeAscending(entry, size)
  return Math.abs(costAt(entry.points, size) - before) > before * slightChange || near.n === 0
}

/**
 * Compares a cost with the expected one. A first outlier only widens the margin; a second one in the same direction
 * changes the cost. Returns true for a first extreme outlier.
 */
function compare(entry: StoredCost, size: number, cost: number): boolean {
  const expected = Math.max(1, costAt(entry.points, size))
  // The error of a small page is irrelevant for large ones.
  const off = (cost - expected) / Math.max(expected, (entry.points.at(-1)?.cost ?? 0) / 10)
  const isFar =
    Math.abs(off) >
    (entry.steady > roundingMargin ? Math.max(varyingMargin, entry.steady * errorFactor) : roundingMargin * errorFactor)
  const before = entry.far
  entry.far = isFar ? off : 0
  if (isFar && Math.sign(before) === Math.sign(off)) {
    for (const point of entry.points) Object.assign(point, { cost: point.cost * (cost / expected), n: 0 })
    entry.spread = entry.steady
    entry.far = 0
    return false
  }
  const isAlternating = isFar && before !== 0
  if (!isFar || isAlternating) entry.steady = Math.max(entry.steady * decay, Math.min(maxError, Math.abs(off)))
  // The outlier did not occur again, so the margin shrinks.
  entry.spread = isFar
    ? Math.max(entry.spread, Math.min(maxError, Math.abs(off)))
    : Math.max(entry.steady, before === 0 ? entry.spread * decay : 0)
  return isFar && !isAlternating && Math.abs(off) > maxError
}

const isAlike = (one: number, other: number): boolean => Math.max(one, other) / Math.min(one, other) < sameSizeRatio

/**
 * Keeps costs ascending with size: of two points that contradict this, removes the one seen less often, or, in doubt,
 * the older one.
 */
function makeAscending(entry: StoredCost, latestSize: number): void {
  const points = entry.points.toSorted((one, other) => one.size - other.size)
  for (let at = 1; at < points.length; at += 1) {
    const [low, high] = [points[at - 1], points[at]]
    if (low === undefined || high === undefined || low.cost <= high.cost) continue
    const removed = low.size === latestSize || (high.size !== latestSize && low.n >= high.n) ? at : at - 1
    points.splice(removed, 1)
    at = 0
  }
  entry.points = points
}

/** The duration of a small page is mostly the round trip, so it is ignored. */
function time(entry: StoredCost, size: number, ms: number): void {
  if (size < 10) return
  entry.msPerItem = entry.msPerItem === 0 ? ms / size : entry.msPerItem * 0.7 + (ms / size) * 0.3
}

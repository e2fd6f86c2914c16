import type { Shape } from './shape.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

/**
 * What an operation costs is learned by its shape from what the service charged (design, section 6): for each shape the
 * latest costs of the page sizes that were used, lines between them, and room for how far the service's costs were off these.
 */
export interface Costs {
  /** What the next operation of this shape and page size is expected to cost. */
  quote(shape: Shape, pageSize: number): Quote
  /** The service charged this. `ms`: how long the answer took; null where it was a rejection, which takes no time. */
  learn(shape: Shape, pageSize: number, cost: number, ms: number | null): void
  /** Whether the service rejected such a page as too dear without saying what it would have cost. */
  wasRejected(shape: Shape, pageSize: number): boolean
  /** The service rejected this as dearer than one operation may be; `cost` where it said so. */
  tooExpensive(shape: Shape, pageSize: number, cost: number | null): void
  /** The largest page of this shape that costs at most so many points and takes at most so long; null while nothing was charged for it. */
  largestPage(shape: Shape, limits: PageLimits): number | null
  /** How long a page of this size takes, ms; null while unknown. */
  msOf(shape: Shape, pageSize: number): number | null
  /** What is worth keeping over a restart. */
  kept(): StoredCost[]
}

/** Points. `likely` to tell people, `atMost` to keep free; neither is ever zero, and either may be more than the service takes. */
export interface Quote {
  likely: number
  atMost: number
  /** `learned` from this shape, `derived` from what other shapes cost over what they select, or a `guess`. */
  certainty: Certainty
}

export type Certainty = 'learned' | 'derived' | 'guess'

export interface PageLimits {
  points: number
  ms: number
}

/** service-spec.md, section 8: an operation over this is rejected. */
export const operationLimit = 10_000

/** What pages of about this size cost of late, and how many of them were seen since the cost changed. */
interface Point {
  size: number
  cost: number
  n: number
}

/** The cost of one shape. */
export interface StoredCost {
  key: string
  /** As in `Shape`. */
  once: number
  each: number
  /** By size, rising; what is about as large as another is one with it. */
  points: Point[]
  /** How far costs were off lately, as a share: all of them, and without what was far off. */
  spread: number
  steady: number
  /** How far the latest was off, where that was far; else 0. */
  far: number
  /** How many costs were seen. */
  seen: number
  /** Ms that an item takes in a page of many; 0 while unknown. */
  msPerItem: number
  /** Pages as large as this were rejected, and nobody knows for which cost; it grows as others go well. Null: none was. */
  refused: number | null
}

/** Sizes that are closer than this, as a ratio, are one. */
const alike = 1.3
/** The latest cost counts this much against those before it, at the least. */
const latest = 0.12
/** Room above the cost: until a few were seen; where they were off at all; else for rounding. */
const cautious = 0.25
const unsteady = 0.3
const exact = 0.02
const fewSeen = 4
/** Costs are off by as much and a half again. */
const news = 1.5
const fading = 0.98
/** What other shapes tell may be this far off. */
const derivedRoom = 1.5
/** No cost is believed to be further off than this at once. */
const mostDoubt = 1
/** After 35 pages that went well, twice the size is tried again. */
const trust = 1.02
/** Shapes that were used longest ago are forgotten beyond this. */
const mostShapes = 200

export function createCosts(kept: readonly StoredCost[] = []): Costs {
  const known = new Map<string, StoredCost>(
    kept.map((entry) => [entry.key, { ...entry, points: entry.points.map((point) => ({ ...point })) }]),
  )
  /** The dearest factor of all, until something is learned. */
  let dear: { factor: number | null } | null = null
  const seenOf = (shape: Shape): StoredCost | null => {
    const entry = known.get(shape.key)
    return entry === undefined || entry.points.length === 0 ? null : entry
  }
  const of = (shape: Shape): StoredCost => {
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
      refused: null,
    }
    known.delete(shape.key)
    known.set(shape.key, entry)
    if (known.size > mostShapes) known.delete([...known.keys()][0] ?? '')
    return entry
  }
  return {
    quote(shape, pageSize) {
      const entry = seenOf(shape)
      if (entry !== null) return quoted(costAt(entry.points, pageSize), 1 + roomOf(entry), 'learned')
      const weight = shape.once + shape.each * pageSize
      const factor = (dear ??= { factor: dearest(known.values()) }).factor
      return factor === null ? quoted(weight, 1, 'guess') : quoted(weight * factor, derivedRoom, 'derived')
    },
    learn(shape, pageSize, cost, ms) {
      const entry = of(shape)
      dear = null
      learn(entry, pageSize, cost)
      if (ms === null) return
      time(entry, pageSize, ms)
      if (entry.refused !== null) entry.refused *= trust
    },
    wasRejected(shape, pageSize) {
      const rejected = known.get(shape.key)?.refused ?? null
      return rejected !== null && pageSize >= rejected
    },
    tooExpensive(shape, pageSize, cost) {
      const entry = of(shape)
      dear = null
      // A cost that is told says all; else only the size is known not to fit.
      if (cost !== null) learn(entry, pageSize, cost)
      else entry.refused = Math.min(entry.refused ?? Infinity, pageSize)
    },
    largestPage(shape, limits) {
      const entry = seenOf(shape)
      return entry && largestOf(entry, limits)
    },
    msOf(shape, pageSize) {
      const { msPerItem } = known.get(shape.key) ?? { msPerItem: 0 }
      return msPerItem === 0 ? null : msPerItem * pageSize
    },
    kept: () => [...known.values()].filter(({ points }) => points.length > 0),
  }
}

function largestOf(entry: StoredCost, limits: { points: number; ms: number }): number {
  const byRejection = entry.refused === null ? Infinity : entry.refused / 2
  const byTime = entry.msPerItem === 0 ? Infinity : limits.ms / entry.msPerItem
  return Math.max(
    1,
    Math.floor(Math.min(byRejection, byTime, sizeFor(entry.points, limits.points / (1 + roomOf(entry))))),
  )
}

function quoted(likely: number, room: number, certainty: Certainty): Quote {
  return { likely: Math.max(1, Math.round(likely)), atMost: Math.max(1, Math.ceil(likely * room)), certainty }
}

function roomOf({ seen, spread, points }: StoredCost): number {
  // Of a new cost only a few costs are known, and these scatter as the others did.
  if (spread > exact && (points.at(-1)?.n ?? 0) < fewSeen) return Math.max(unsteady, spread * news) * news
  if (spread > exact) return Math.max(unsteady, spread * news)
  return seen < fewSeen ? cautious : exact
}

type Points = readonly Point[]

/** On the line between the sizes on both sides; beyond them as below. */
function costAt(points: Points, size: number): number {
  const above = points.findIndex((point) => point.size >= size)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return operationLimit
  if (above < 0) return last.cost + (size - last.size) * slopeBeyond(points)
  if (above === 0) return first.size === size ? first.cost : smaller(first, size)
  const [low, high] = [points[above - 1] ?? first, points[above] ?? last]
  return low.cost + ((size - low.size) * (high.cost - low.cost)) / (high.size - low.size)
}

/** Nobody knows how much of a cost does not depend on the size: a tenth is taken to. */
const smaller = ({ size, cost }: Point, wanted: number): number => cost * (0.1 + (0.9 * wanted) / size)

/** What each further item costs: as between the two largest, but no more than an item of the largest costs in all, and no less than half of it. */
function slopeBeyond(points: Points): number {
  const [low, high] = [points.at(-2), points.at(-1)]
  if (high === undefined) return 0
  const whole = high.cost / high.size
  return low === undefined
    ? whole
    : Math.min(whole, Math.max(whole / 2, (high.cost - low.cost) / (high.size - low.size)))
}

/** The size that costs so much. */
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

/** The most that any shape was charged over what it selects; null where nothing was charged yet. */
function dearest(known: Iterable<StoredCost>): number | null {
  const factors = [...known].flatMap(({ once, each, points }) =>
    points.map(({ size, cost }) => cost / Math.max(1, once + each * size)),
  )
  return factors.length === 0 ? null : largest(factors)
}

function learn(entry: StoredCost, size: number, cost: number): void {
  const isOdd = entry.points.some((point) => isAlike(point.size, size)) && compare(entry, size, cost)
  entry.seen += 1
  // What is far off once may be a mistake: it counts when it comes again.
  if (isOdd) return
  const near = entry.points
    .filter((point) => isAlike(point.size, size))
    .toSorted((one, other) => other.n - one.n)[0] ?? { size, cost, n: 0 }
  const part = Math.max(latest, 1 / (near.n + 1))
  const point = { size, n: near.n + 1, cost: near.cost * (size / near.size) * (1 - part) + cost * part }
  entry.points = [...entry.points.filter((each) => !isAlike(each.size, size)), point]
  rise(entry, size)
}

/**
 * How far a cost is off what others of its size tell. Far off once may be chance, and there is room for it at once; twice
 * the same way is another cost. True for what is far off for the first time.
 */
function compare(entry: StoredCost, size: number, cost: number): boolean {
  const expected = Math.max(1, costAt(entry.points, size))
  // A small page is off by what does not matter to large ones.
  const off = (cost - expected) / Math.max(expected, (entry.points.at(-1)?.cost ?? 0) / 10)
  const isFar = Math.abs(off) > (entry.steady > exact ? Math.max(unsteady, entry.steady * news) : exact * news)
  const before = entry.far
  entry.far = isFar ? off : 0
  if (isFar && Math.sign(before) === Math.sign(off)) {
    for (const point of entry.points) Object.assign(point, { cost: point.cost * (cost / expected), n: 0 })
    entry.spread = entry.steady
    entry.far = 0
    return false
  }
  const isToAndFro = isFar && before !== 0
  if (!isFar || isToAndFro) entry.steady = Math.max(entry.steady * fading, Math.min(mostDoubt, Math.abs(off)))
  // What was far off has not come again: it was chance, and the doubt is over.
  entry.spread = isFar
    ? Math.max(entry.spread, Math.min(mostDoubt, Math.abs(off)))
    : Math.max(entry.steady, before === 0 ? entry.spread * fading : 0)
  return isFar && !isToAndFro && Math.abs(off) > mostDoubt
}

const isAlike = (one: number, other: number): boolean => Math.max(one, other) / Math.min(one, other) < alike

/** A larger page never costs less: of two that say so, the one that was seen less goes, and the latest stays in doubt. */
function rise(entry: StoredCost, latestSize: number): void {
  const points = entry.points.toSorted((one, other) => one.size - other.size)
  for (let at = 1; at < points.length; at += 1) {
    const [low, high] = [points[at - 1], points[at]]
    if (low === undefined || high === undefined || low.cost <= high.cost) continue
    const goes = low.size === latestSize || (high.size !== latestSize && low.n >= high.n) ? at : at - 1
    points.splice(goes, 1)
    at = 0
  }
  entry.points = points
}

/** A page of a few tells how long the way is, not how long an item takes. */
function time(entry: StoredCost, size: number, ms: number): void {
  if (size < 10) return
  entry.msPerItem = entry.msPerItem === 0 ? ms / size : entry.msPerItem * 0.7 + (ms / size) * 0.3
}

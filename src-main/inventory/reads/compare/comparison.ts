import type { CallInput, CallOutput } from '../../../../src-shared/contract/contract.ts'
import {
  type Asset,
  type AssetField,
  assetFields,
  type ComparedSides,
  type Difference,
  type DifferenceKind,
  differenceKinds,
} from '../../../../src-shared/model/comparison.ts'
import { keepNewest } from '../../../../src-shared/lib/keep-newest.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { csvLine } from '../../../../src-shared/text/csv.ts'
import { fold } from '../../engine/filter/fold.ts'
import type { Place } from '../../engine/places.ts'
import type { Store } from '../../store.ts'
import { createScan, type Scan } from '../overview/scan.ts'
import { assetOf, pastAssets, placeOf, presentAssets } from './assets.ts'
import { type ComparedParts, differenceOf, type Matched, matchAssets, matchingKeys } from './match.ts'
import { rowAt } from '../../engine/view.ts'

/** What two sides have in common and in what they differ, the worst first. */
export interface Compared {
  differences: readonly Difference[]
  first: readonly Asset[]
  second: readonly Asset[]
  /** Devices that are left out, because nothing is recorded of their tenant at the past time. */
  unrecorded: number
}

/** The comparisons of a data thread: the last one is kept, and the lists that the core has given. */
export interface ListComparisons {
  give(list: string, assets: readonly Asset[]): void
  /** Reads a part. Null while it is not done; to be repeated. `now` in ms. */
  step(sides: ComparedSides, now: number): Compared | null
}

/** How long a comparison holds, ms: the pages and the parts of an export are of one. */
const maxAge = 5 * 60_000
/** Lists that are kept, and pairs that are compared in one part. */
const [maxLists, atOnce] = [4, 3000]

export function newListComparisons(store: Store): ListComparisons {
  const lists = new Map<string, readonly Asset[]>()
  let present: { key: string; scan: Scan<Compared> } | null = null
  return {
    give(list, assets) {
      keepNewest(lists, list, assets, maxLists)
      present = null
    },
    step(sides, now) {
      const key = JSON.stringify(sides)
      if (present?.key !== key) present = { key, scan: createScan(() => compare(store, lists, sides), maxAge) }
      return present.scan.step(now)
    },
  }
}

function* compare(
  store: Store,
  lists: ReadonlyMap<string, readonly Asset[]>,
  sides: ComparedSides,
): Generator<undefined, Compared> {
  const { inventory } = store
  const { first, second } = sides
  const there = placeOf(inventory, second)
  const present = yield* presentAssets(store, there)
  if (first.kind === 'date') return yield* compareWithPast(store, first, present)
  const here = first.kind === 'list' ? null : placeOf(inventory, first)
  const assets = first.kind === 'list' ? listed(lists, first.list) : yield* presentAssets(store, here)
  const matched = yield* matchAssets(assets, present, matchingKeys)
  const differences = yield* differencesOf(matched, first.kind === 'list' ? all : partsOf(here, there))
  return { differences, first: assets, second: present, unrecorded: 0 }
}

const all: ComparedParts = { tenant: true, site: true }

function listed(lists: ReadonlyMap<string, readonly Asset[]>, list: string): readonly Asset[] {
  const assets = lists.get(list)
  if (assets === undefined) throw new FaultError('input', 'list: It is no longer kept. Choose the file again.')
  return assets
}

/** A tenant's first sync takes up to this long, ms: what it reads was not there before as far as anybody knows. */
const firstSyncMs = 3_600_000

/** What came into the place, or left it for another one, has moved. What is of a tenant without records of the time is left out. */
function* compareWithPast(
  store: Store,
  first: Extract<ComparedSides['first'], { kind: 'date' }>,
  present: readonly Asset[],
): Generator<undefined, Compared> {
  const { inventory } = store
  const past = yield* pastAssets(store, first)
  const recorded = [...past.recordedSince.values()].reduce((one, other) => Math.min(one, other), Infinity)
  if (recorded > first.at) throw new FaultError('input', 'at: Nothing is recorded of that time.')
  const { matches, missing, unexpected } = yield* matchAssets(past.assets, present, ['key'])
  const moved = (one: Asset | undefined, other: Asset | undefined): boolean =>
    one !== undefined && other !== undefined && matches.push({ by: 'key', first: one, second: other }) > 0
  const gone = missing.filter((asset) => !moved(asset, presentOf(inventory, asset)))
  const arrived = unexpected.filter((asset) => !moved(past.elsewhere.get(asset.key ?? ''), asset))
  const isRecorded = ({ key }: Asset) =>
    (past.recordedSince.get(key?.slice(0, key.lastIndexOf('/')) ?? '') ?? Infinity) + firstSyncMs <= first.at
  const known = arrived.filter(isRecorded)
  const differences = yield* differencesOf({ matches, ambiguous: [], missing: gone, unexpected: known }, all)
  return { differences, first: past.assets, second: present, unrecorded: arrived.length - known.length }
}

function presentOf(inventory: Store['inventory'], { key }: Asset): Asset | undefined {
  const slot = inventory.rows.slotOf.get(key ?? '')
  return slot === undefined ? undefined : assetOf(rowAt(inventory, slot))
}

function* differencesOf(
  { matches, ambiguous, missing, unexpected }: Matched,
  parts: ComparedParts,
): Generator<undefined, Difference[]> {
  const differences: Difference[] = [
    ...missing.map((asset) => single('missing', asset, null)),
    ...unexpected.map((asset) => single('unexpected', null, asset)),
    ...ambiguous,
  ]
  for (const [index, match] of matches.entries()) {
    if (index % atOnce === atOnce - 1) yield undefined
    differences.push(differenceOf(match, parts))
  }
  const rank = ({ kinds: [kind] }: Difference) => differenceKinds.indexOf(kind ?? 'same')
  return differences.toSorted((one, other) => rank(one) - rank(other))
}

const single = (kind: 'missing' | 'unexpected', first: Asset | null, second: Asset | null): Difference => ({
  kinds: [kind],
  by: null,
  first,
  second,
  candidates: null,
})

/** A place that is another one on each side is not compared, but what is in it. */
function partsOf(first: Place | null, second: Place | null): ComparedParts {
  if (first === null || second === null || first === second) return { tenant: true, site: true }
  const isSite = (place: Place) => place.kind === 'site' || place.kind === 'room'
  return { tenant: first.tenant === second.tenant, site: !(isSite(first) && isSite(second)) }
}

function matching(differences: readonly Difference[], text: string): readonly Difference[] {
  const wanted = fold(text.trim())
  if (wanted === '') return differences
  const has = (asset: Asset | null) =>
    asset !== null && assetFields.some((field) => fold(asset[field]).includes(wanted))
  return differences.filter(({ first, second }) => has(first) || has(second))
}

const ofKinds = (differences: readonly Difference[], kinds: readonly DifferenceKind[]): readonly Difference[] =>
  kinds.length === 0
    ? differences
    : differences.filter((difference) => difference.kinds.some((kind) => kinds.includes(kind)))

const knownFields: readonly AssetField[] = ['serial', 'mac', 'firmware']

/** Answers `compare.read`. */
export function comparisonPage(
  { differences, first, second, unrecorded }: Compared,
  { kinds, text, offset, limit }: Pick<CallInput<'compare.read'>, 'kinds' | 'text' | 'offset' | 'limit'>,
): CallOutput<'compare.read'> {
  const found = matching(differences, text)
  const counts = Object.fromEntries(differenceKinds.map((kind) => [kind, 0])) as Record<DifferenceKind, number>
  for (const difference of found) for (const kind of difference.kinds) counts[kind] += 1
  const shown = ofKinds(found, kinds)
  const having = (assets: readonly Asset[], field: AssetField) => assets.filter((asset) => asset[field] !== '').length
  return {
    counts,
    total: shown.length,
    rows: shown.slice(offset, offset + limit),
    devices: { first: first.length, second: second.length },
    known: knownFields.map((field) => ({ field, first: having(first, field), second: having(second, field) })),
    unrecorded,
  }
}

/** Rows of one part of an export. */
const rowsOfPart = 2000
const head = [
  'difference',
  'matched_by',
  'line',
  ...assetFields.map((column) => `first_${column}`),
  ...assetFields.filter((column) => column !== 'place').map((column) => `second_${column}`),
]

/** Answers `compare.csv`. */
export function comparisonCsv(
  { differences }: Compared,
  { kinds, text, row }: Pick<CallInput<'compare.csv'>, 'kinds' | 'text' | 'row'>,
): CallOutput<'compare.csv'> {
  const all = ofKinds(matching(differences, text), kinds)
  const lines = all
    .slice(row, row + rowsOfPart)
    .map(({ kinds: its, by, first, second }) =>
      csvLine([
        its.join('; '),
        by,
        first?.line ?? null,
        ...assetFields.map((field) => first?.[field] ?? null),
        ...assetFields.flatMap((field) => (field === 'place' ? [] : [second?.[field] ?? null])),
      ]),
    )
  const next = row + rowsOfPart
  return {
    text: [...(row === 0 ? [head.join()] : []), ...lines, ''].join('\r\n'),
    next: next < all.length ? next : null,
  }
}

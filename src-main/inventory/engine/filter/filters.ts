import type { InventoryQuery } from '../../../../src-shared/model/inventory.ts'
import { assertNever } from '../../../../src-shared/model/fault.ts'
import { deviceOfNode, everything } from '../../keys.ts'
import { inBlocks } from '../columns/blocks.ts'
import { type Changes, readChanges, type Reader, readerAtEnd, type Topic } from '../changes.ts'
import { at, type Columns, textAt } from '../columns/columns.ts'
import type { Extras } from '../columns/extras.ts'
import { isWithin, type Place, placeAt, type Places, rowCount, roomsBelow } from '../places.ts'
import { spareRule } from './spares.ts'
import { filterSlots, type FilterContext, type SpareRule, type Test } from './test.ts'
import { testsOf } from './tests.ts'

/** The rows that match a query. Cached for the last queries and updated row by row when rows change. */
export interface FilterCache {
  /**
   * Null for a query that matches every row. `now` in ms: ages are those at the last full second, and rows whose age
   * crosses a limit are updated once a second at most.
   */
  matching(query: Pick<InventoryQuery, 'scope' | 'filter'>, now: number): Match | null
  /** Names of the extra columns that a filter tests. */
  extraColumns(filter: string): string[]
  /** Which devices are spares. */
  spareRule: { get(): SpareRule; set(rule: SpareRule): void }
}

export interface Match {
  /** 1 for a row that matches, by slot. */
  readonly mask: Uint8Array
  readonly count: number
}

interface Filter extends Match {
  mask: Uint8Array
  count: number
  readonly scope: Scope
  readonly tests: readonly Test[]
  /** Epoch of the extra columns when the filter was made; null when it tests none. */
  readonly epoch: number | null
  readonly reader: Reader
  /** The time for which the ages hold, ms. */
  time: number
}

type Scope = { kind: 'all' } | { kind: 'none' } | { kind: 'place'; place: Place } | { kind: 'device'; key: string }

/** Cached filters: chips, saved views, and the steps of typing a text; 100 kB each at 100,000 rows. */
const maxCached = 48

/** Ages are as of the last full second, ms. */
const granularity = 1000

export function newFilters(
  { rows, places, extras, notes }: Pick<FilterContext, 'rows' | 'places' | 'extras' | 'notes'>,
  changes: Changes,
): FilterCache {
  const buffers = createBuffers(rows, places)
  const context: FilterContext = {
    rows,
    places,
    extras,
    notes,
    spares: { rule: spareRule({ models: [], age: null }) },
    placeScratch: buffers.placeScratch,
  }
  const filters = new Map<string, Filter>()
  let tests = cachedTests(context)
  return {
    matching(query, now) {
      const request = requestOf(
        scopeOf(query.scope, places),
        tests(query.filter),
        extras,
        Math.floor(now / granularity) * granularity,
      )
      if (request.scope.kind === 'all' && request.tests.length === 0) return null
      const name = JSON.stringify([query.scope, request.epoch, request.tests.map((test) => test.name).sort()])
      const known = filters.get(name)
      const usable =
        known && sameScope(known.scope, request.scope) ? updatedFilter(known, request.time, context, changes) : null
      filters.delete(name)
      if (known && !usable) buffers.releaseMask(known.mask)
      const filter = usable ?? createFilter(request, filters, context, changes, buffers)
      filters.set(name, filter)
      const [oldest] = filters
      if (filters.size > maxCached && oldest !== undefined) {
        filters.delete(oldest[0])
        buffers.releaseMask(oldest[1].mask)
      }
      return filter
    },
    extraColumns: (filter) => tests(filter).flatMap((test) => test.extraColumn ?? []),
    spareRule: {
      get: () => context.spares.rule,
      set(rule) {
        context.spares.rule = rule
        // They hold the former rule.
        tests = cachedTests(context)
      },
    },
  }
}

/** Reused memory: for a million rows, allocating takes longer than filtering. */
interface Buffers {
  /** Room for every slot, valid until the next call. */
  slots(): Int32Array
  /** A mask of no row. */
  takeMask(): Uint8Array
  releaseMask(mask: Uint8Array): void
  placeScratch(): Uint8Array
}

function createBuffers(rows: Columns, places: Places): Buffers {
  let slots = new Int32Array(0)
  let placeScratch = new Uint8Array(0)
  let spare: Uint8Array | null = null
  return {
    slots: () => (slots = slots.length < rows.capacity ? new Int32Array(rows.capacity) : slots),
    takeMask() {
      const mask = spare?.length === rows.capacity ? spare.fill(0) : new Uint8Array(rows.capacity)
      spare = null
      return mask
    },
    releaseMask: (mask) => (spare = mask),
    placeScratch: () =>
      (placeScratch =
        placeScratch.length < places.byIndex.length
          ? new Uint8Array(Math.ceil(places.byIndex.length * 1.25))
          : placeScratch.fill(0)),
  }
}

/** Parses each filter once, because the table sends the same filters again and again. */
function cachedTests(context: FilterContext): (filter: string) => readonly Test[] {
  const parsed = new Map<string, readonly Test[]>()
  return (filter) => {
    const tests = parsed.get(filter) ?? testsOf(filter, context)
    parsed.delete(filter)
    parsed.set(filter, tests)
    const [oldest] = parsed.keys()
    if (parsed.size > maxCached && oldest !== undefined) parsed.delete(oldest)
    return tests
  }
}

function scopeOf(scope: string, places: Places): Scope {
  if (scope === everything) return { kind: 'all' }
  const key = deviceOfNode(scope)
  if (key !== null) return { kind: 'device', key }
  const place = placeAt(places, scope)
  return place ? { kind: 'place', place } : { kind: 'none' }
}

/** A place that was removed and added again is another one. */
function sameScope(a: Scope, b: Scope): boolean {
  if (a.kind === 'place') return b.kind === 'place' && a.place === b.place
  return a.kind === b.kind
}

function updatedFilter(filter: Filter, time: number, context: FilterContext, changes: Changes): Filter | null {
  const { rows } = context
  const changed = readChanges(changes, filter.reader)
  if (changed === null) return null
  if (filter.time !== time) for (const { aged } of filter.tests) aged?.(filter.time, time, changed)
  filter.time = time
  if (changed.size === 0) return filter
  if (filter.mask.length < rows.capacity) filter.mask = grown(filter.mask, rows.capacity)
  for (const slot of changed) {
    filter.count -= at(filter.mask, slot)
    filter.mask[slot] = 0
  }
  const alive = Int32Array.from([...changed].filter((slot) => rows.alive[slot] === 1))
  addMatches(filter, inScope(filter.scope, alive, context), filter.tests)
  return filter
}

/** Adds those of the slots that match. Narrows them step by step, the cheapest test first. */
function addMatches(filter: Filter, slots: Int32Array, tests: readonly Test[]): void {
  let left = slots
  for (const test of tests) left = test.narrow(left, filter.time)
  for (let i = 0; i < left.length; i += 1) filter.mask[left[i] as number] = 1
  filter.count += left.length
}

function grown(mask: Uint8Array, capacity: number): Uint8Array {
  const more = new Uint8Array(capacity)
  more.set(mask)
  return more
}

type FilterRequest = Pick<Filter, 'scope' | 'tests' | 'time' | 'epoch'>

function requestOf(scope: Scope, tests: readonly Test[], extras: Extras, time: number): FilterRequest {
  return { scope, tests, time, epoch: tests.some(({ topics }) => topics.includes('extra')) ? extras.epoch : null }
}

function createFilter(
  request: FilterRequest,
  filters: Map<string, Filter>,
  context: FilterContext,
  changes: Changes,
  buffers: Buffers,
): Filter {
  const from = widerFilter(request, filters, context, changes)
  const topics = new Set<Topic>(['rows', 'place', ...request.tests.flatMap((test) => test.topics)])
  const reader = readerAtEnd(changes, [...topics])
  const filter: Filter = { ...request, mask: buffers.takeMask(), count: 0, reader }
  addMatches(filter, candidates(request.scope, from, context, buffers.slots()), request.tests)
  return filter
}

/** Writes the rows of the scope that can match into `slots`: from the matches of a wider filter, or from all rows. */
function candidates(scope: Scope, from: Filter | null, context: FilterContext, slots: Int32Array): Int32Array {
  const { rows } = context
  if (scope.kind === 'none') return slots.subarray(0, 0)
  if (scope.kind === 'device') return Int32Array.from([rows.slotOf.get(scope.key) ?? []].flat())
  if (!from && scope.kind === 'place' && rowCount(scope.place) < rows.count / 16)
    return rowsBelow(scope.place, rows, slots)
  const mask = from?.mask ?? rows.alive
  let n = 0
  inBlocks(rows.top, (first, end) => (n = addMasked(first, end, mask, slots, n)))
  const found = slots.subarray(0, n)
  return from && sameScope(from.scope, scope) ? found : inScope(scope, found, context)
}

function addMasked(first: number, end: number, mask: Uint8Array, slots: Int32Array, found: number): number {
  let n = found
  for (let slot = first; slot < end; slot += 1) if (mask[slot] === 1) slots[n++] = slot
  return n
}

function rowsBelow(place: Place, rows: Columns, slots: Int32Array): Int32Array {
  let n = 0
  roomsBelow(place, (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) slots[n++] = slot
  })
  return slots.subarray(0, n)
}

/**
 * The cached filter with the fewest matches that include all of the request's: usually that before the last typed
 * letter.
 */
function widerFilter(
  request: FilterRequest,
  filters: Map<string, Filter>,
  context: FilterContext,
  changes: Changes,
): Filter | null {
  if (!request.tests.some(({ cost }) => cost === 3)) return null
  let widest: Filter | null = null
  for (const [name, filter] of filters) {
    if (
      !isWider(filter, request) ||
      (filter.epoch !== null && filter.epoch !== context.extras.epoch) ||
      (widest && widest.count <= filter.count)
    )
      continue
    const usable = updatedFilter(filter, request.time, context, changes)
    if (usable) widest = usable
    else filters.delete(name)
  }
  return widest
}

/** A filter on extra columns holds only for the columns that were loaded then, so it does not count as wider. */
function isWider(filter: Filter, request: FilterRequest): boolean {
  if (filter.tests.length === 0 || (filter.scope.kind !== 'all' && !sameScope(filter.scope, request.scope)))
    return false
  return filter.tests.every(
    (wide) =>
      wide.extraColumn === null &&
      request.tests.some(
        (test) =>
          test.name === wide.name || (wide.text !== null && test.text !== null && test.text.includes(wide.text)),
      ),
  )
}

function inScope(scope: Scope, slots: Int32Array, { rows, places }: FilterContext): Int32Array {
  switch (scope.kind) {
    case 'all':
      return slots
    case 'none':
      return slots.subarray(0, 0)
    case 'device':
      return filterSlots(slots, (slot) => textAt(rows.key, slot) === scope.key)
    case 'place':
      return filterSlots(slots, (slot) => isWithin(places, at(rows.room, slot), scope.place.index))
    default:
      return assertNever(scope)
  }
}

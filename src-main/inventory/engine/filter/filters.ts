import type { InventoryQuery } from '../../../../src-shared/model/inventory.ts'
import { assertNever } from '../../../../src-shared/model/fault.ts'
import { deviceOfNode, everything } from '../../keys.ts'
import { inBlocks } from '../columns/blocks.ts'
import { type Changes, readChanges, type Reader, readerAtEnd, type Topic } from '../changes.ts'
import { at, type Columns, textAt } from '../columns/columns.ts'
import type { Extras } from '../columns/extras.ts'
import { isWithin, type Place, placeAt, type Places, rowCount, roomsBelow } from '../places.ts'
import { spareRule } from './spares.ts'
import { keep, type Looked, type SpareRule, type Test } from './test.ts'
import { testsOf } from './tests.ts'

/** Which rows a query matches. Kept for the last few queries and repaired row by row when rows change. */
export interface FilterCache {
  /**
   * Null for a query that matches every row. `now` in ms: ages are those at the last full second, and what time changes
   * is brought up to date once a second at most, for the rows that it changes.
   */
  matching(query: Pick<InventoryQuery, 'scope' | 'filter'>, now: number): Match | null
  /** Names of the further columns that a filter asks of. */
  further(filter: string): string[]
  /** What is a spare from here on. */
  spareRule: { get(): SpareRule; set(rule: SpareRule): void }
}

export interface Match {
  /** 1 for a row that matches, by slot. */
  readonly marks: Uint8Array
  readonly count: number
}

interface Filter extends Match {
  marks: Uint8Array
  count: number
  readonly scope: Scope
  readonly tests: readonly Test[]
  /** Of the further columns that were held when it was made; null where it asks of none. */
  readonly epoch: number | null
  readonly reader: Reader
  /** The moment for which the ages hold, ms. */
  moment: number
}

type Scope = { kind: 'all' } | { kind: 'none' } | { kind: 'place'; place: Place } | { kind: 'device'; key: string }

/** Filters that are kept: chips, saved views, and the steps of typing a word or two; 100 kB each at 100,000 rows. */
const kept = 48

/** Ages are as of the last full second, ms. */
const granularity = 1000

export function newFilters(rows: Columns, places: Places, extras: Extras, changes: Changes): FilterCache {
  const memory = newMemory(rows, places)
  const looked: Looked = {
    rows,
    places,
    extras,
    spares: { rule: spareRule({ models: [], age: null }) },
    placeNotes: memory.placeNotes,
  }
  const filters = new Map<string, Filter>()
  let tests = recentTests(looked)
  return {
    matching(query, now) {
      const asked = askedOf(
        scopeOf(query.scope, places),
        tests(query.filter),
        extras,
        Math.floor(now / granularity) * granularity,
      )
      if (asked.scope.kind === 'all' && asked.tests.length === 0) return null
      const name = JSON.stringify([query.scope, asked.epoch, asked.tests.map((test) => test.name).sort()])
      const known = filters.get(name)
      const usable =
        known && sameScope(known.scope, asked.scope) ? repaired(known, asked.moment, looked, changes) : null
      filters.delete(name)
      if (known && !usable) memory.giveMarks(known.marks)
      const filter = usable ?? fresh(asked, filters, looked, changes, memory)
      filters.set(name, filter)
      const [oldest] = filters
      if (filters.size > kept && oldest !== undefined) {
        filters.delete(oldest[0])
        memory.giveMarks(oldest[1].marks)
      }
      return filter
    },
    further: (filter) => tests(filter).flatMap(({ further }) => further ?? []),
    spareRule: {
      get: () => looked.spares.rule,
      set(rule) {
        looked.spares.rule = rule
        // They hold the former rule.
        tests = recentTests(looked)
      },
    },
  }
}

/** Memory that is used again: of a million rows, fresh memory takes longer to come by than the question to answer. */
interface Memory {
  /** Room for every row's slot, until the next call. */
  slots(): Int32Array
  /** Marks of no row. */
  takeMarks(): Uint8Array
  giveMarks(marks: Uint8Array): void
  placeNotes(): Uint8Array
}

function newMemory(rows: Columns, places: Places): Memory {
  let slots = new Int32Array(0)
  let notes = new Uint8Array(0)
  let spare: Uint8Array | null = null
  return {
    slots: () => (slots = slots.length < rows.capacity ? new Int32Array(rows.capacity) : slots),
    takeMarks() {
      const marks = spare?.length === rows.capacity ? spare.fill(0) : new Uint8Array(rows.capacity)
      spare = null
      return marks
    },
    giveMarks: (marks) => (spare = marks),
    placeNotes: () =>
      (notes =
        notes.length < places.byIndex.length ? new Uint8Array(Math.ceil(places.byIndex.length * 1.25)) : notes.fill(0)),
  }
}

/** The table asks again and again with the same filters: they are read once. */
function recentTests(looked: Looked): (filter: string) => readonly Test[] {
  const read = new Map<string, readonly Test[]>()
  return (filter) => {
    const tests = read.get(filter) ?? testsOf(filter, looked)
    read.delete(filter)
    read.set(filter, tests)
    const [oldest] = read.keys()
    if (read.size > kept && oldest !== undefined) read.delete(oldest)
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

/** A place that went and came back is another one. */
function sameScope(a: Scope, b: Scope): boolean {
  if (a.kind === 'place') return b.kind === 'place' && a.place === b.place
  return a.kind === b.kind
}

function repaired(filter: Filter, moment: number, looked: Looked, changes: Changes): Filter | null {
  const { rows } = looked
  const changed = readChanges(changes, filter.reader)
  if (changed === null) return null
  if (filter.moment !== moment) for (const { aged } of filter.tests) aged?.(filter.moment, moment, changed)
  filter.moment = moment
  if (changed.size === 0) return filter
  if (filter.marks.length < rows.capacity) filter.marks = grown(filter.marks, rows.capacity)
  for (const slot of changed) {
    filter.count -= at(filter.marks, slot)
    filter.marks[slot] = 0
  }
  const alive = Int32Array.from([...changed].filter((slot) => rows.alive[slot] === 1))
  markMatches(filter, inScope(filter.scope, alive, looked), filter.tests)
  return filter
}

/** Marks those of the slots that match. Narrows them step by step, the cheapest test first. */
function markMatches(filter: Filter, slots: Int32Array, tests: readonly Test[]): void {
  let left = slots
  for (const test of tests) left = test.narrow(left, filter.moment)
  for (let i = 0; i < left.length; i += 1) filter.marks[left[i] as number] = 1
  filter.count += left.length
}

function grown(marks: Uint8Array, capacity: number): Uint8Array {
  const more = new Uint8Array(capacity)
  more.set(marks)
  return more
}

type Asked = Pick<Filter, 'scope' | 'tests' | 'moment' | 'epoch'>

function askedOf(scope: Scope, tests: readonly Test[], extras: Extras, moment: number): Asked {
  return { scope, tests, moment, epoch: tests.some(({ topics }) => topics.includes('extra')) ? extras.epoch : null }
}

function fresh(asked: Asked, filters: Map<string, Filter>, looked: Looked, changes: Changes, memory: Memory): Filter {
  const from = narrowest(asked, filters, looked, changes)
  const topics = new Set<Topic>(['rows', 'place', ...asked.tests.flatMap((test) => test.topics)])
  const reader = readerAtEnd(changes, [...topics])
  const filter: Filter = { ...asked, marks: memory.takeMarks(), count: 0, reader }
  markMatches(filter, candidates(asked.scope, from, looked, memory.slots()), asked.tests)
  return filter
}

/** The rows of the scope that can match, written into `slots`: of those that a wider filter has left, or of all. */
function candidates(scope: Scope, from: Filter | null, looked: Looked, slots: Int32Array): Int32Array {
  const { rows } = looked
  if (scope.kind === 'none') return slots.subarray(0, 0)
  if (scope.kind === 'device') return Int32Array.from([rows.slotOf.get(scope.key) ?? []].flat())
  if (!from && scope.kind === 'place' && rowCount(scope.place) < rows.count / 16)
    return rowsBelow(scope.place, rows, slots)
  const marks = from?.marks ?? rows.alive
  let n = 0
  inBlocks(rows.top, (first, end) => (n = addMarked(first, end, marks, slots, n)))
  const found = slots.subarray(0, n)
  return from && sameScope(from.scope, scope) ? found : inScope(scope, found, looked)
}

function addMarked(first: number, end: number, marks: Uint8Array, slots: Int32Array, found: number): number {
  let n = found
  for (let slot = first; slot < end; slot += 1) if (marks[slot] === 1) slots[n++] = slot
  return n
}

function rowsBelow(place: Place, rows: Columns, slots: Int32Array): Int32Array {
  let n = 0
  roomsBelow(place, (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) slots[n++] = slot
  })
  return slots.subarray(0, n)
}

/** A kept filter that lets through all that the asked one does: what was there before the last letter was typed. */
function narrowest(asked: Asked, filters: Map<string, Filter>, looked: Looked, changes: Changes): Filter | null {
  if (!asked.tests.some(({ cost }) => cost === 3)) return null
  let best: Filter | null = null
  for (const [name, filter] of filters) {
    if (
      !isWider(filter, asked) ||
      (filter.epoch !== null && filter.epoch !== looked.extras.epoch) ||
      (best && best.count <= filter.count)
    )
      continue
    const usable = repaired(filter, asked.moment, looked, changes)
    if (usable) best = usable
    else filters.delete(name)
  }
  return best
}

/** What is asked of further columns counts for the columns that were held then: such a filter is not built upon. */
function isWider(filter: Filter, asked: Asked): boolean {
  if (filter.tests.length === 0 || (filter.scope.kind !== 'all' && !sameScope(filter.scope, asked.scope))) return false
  return filter.tests.every(
    (wide) =>
      wide.further === null &&
      asked.tests.some(
        (test) =>
          test.name === wide.name || (wide.word !== null && test.word !== null && test.word.includes(wide.word)),
      ),
  )
}

function inScope(scope: Scope, slots: Int32Array, { rows, places }: Looked): Int32Array {
  switch (scope.kind) {
    case 'all':
      return slots
    case 'none':
      return slots.subarray(0, 0)
    case 'device':
      return keep(slots, (slot) => textAt(rows.key, slot) === scope.key)
    case 'place':
      return keep(slots, (slot) => isWithin(places, at(rows.room, slot), scope.place.index))
    default:
      return assertNever(scope)
  }
}

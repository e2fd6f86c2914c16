import type { ColumnId, Sort, SortColumn } from '../../../src-shared/model.ts'
import { type Changes, readChanges, type Reader, readerAtEnd, type Topic } from './changes.ts'
import { compareNames, compareText } from './collate.ts'
import { at, type Columns, textAt } from './columns.ts'
import type { Extras } from './extras.ts'
import type { Place, Places } from './places.ts'
import { compareBy, isFurther, keysFor, type Ranks, newRanks } from './ranks.ts'
import { sortByKeys } from './radix.ts'

/**
 * Sorted orders of all rows, made when first asked for and then kept in repair: a few changed rows are taken out and
 * put in at their new places, many mean sorting anew. The base order (name, then key) breaks every tie.
 */
export interface OrderCache {
  /** All rows in this order. Valid until the next change; never written to by the caller. */
  sorted(sort: readonly Sort[]): Int32Array
  /** Position of each row in the base order, by slot. */
  positions(): Uint32Array
}

/** Orders beyond the base one that are kept: more than an operator has in use; 400 kB each at 100,000 rows. */
const kept = 12

interface Order {
  slots: Int32Array
  reader: Reader
  compare: (a: number, b: number) => number
  /** Counts the changes of `slots`. */
  version: number
}

export function newOrders(rows: Columns, places: Places, extras: Extras, changes: Changes): OrderCache {
  const ranks = newRanks(rows, places, extras, () => base(), changes)
  const orders = new Map<string, Order>()
  let first: Order | null = null
  let known: { version: number; positions: Uint32Array } | null = null

  function base(): Int32Array {
    first = first ? upToDate(first, rows, changes, () => sortedByName(rows)) : freshBase(rows, changes)
    return first.slots
  }

  function positions(): Uint32Array {
    const slots = base()
    const version = first?.version ?? 0
    if (known?.version === version && known.positions.length >= rows.top) return known.positions
    const positions = new Uint32Array(rows.capacity)
    for (let i = 0; i < slots.length; i += 1) positions[slots[i] as number] = i
    known = { version, positions }
    return positions
  }

  function sorted(sort: readonly Sort[]): Int32Array {
    const columns = effective(sort)
    const only = columns[0]
    if (!only || (only.column === 'name' && only.direction === 'asc' && columns.length === 1)) return base()
    const name = JSON.stringify([columns.some(({ column }) => isFurther(column)) ? extras.epoch : 0, columns])
    const kin = orders.get(name)
    const order = kin
      ? upToDate(kin, rows, changes, () => sortedBy(columns, base(), rows, ranks))
      : freshOrder(columns, rows, changes, ranks, base, positions)
    keep(orders, name, order)
    return order.slots
  }

  return { sorted, positions }
}

/** A column that was named before decides nothing any more. */
function effective(sort: readonly Sort[]): Sort[] {
  return sort.filter((one, index) => sort.findIndex((other) => other.column === one.column) === index)
}

function keep(orders: Map<string, Order>, name: string, order: Order): void {
  orders.delete(name)
  orders.set(name, order)
  const [oldest] = orders.keys()
  if (orders.size > kept && oldest !== undefined) orders.delete(oldest)
}

const topicsOf: Record<SortColumn, Topic> = {
  name: 'name', status: 'status', since: 'since', hardwareModel: 'hardwareModel', site: 'place', room: 'place',
  tenant: 'place', region: 'place', lastDetected: 'lastDetected', lastConfigRequestDate: 'lastConfigRequestDate',
  id: 'rows', seenAt: 'seenAt',
}

const topicOf = (column: ColumnId): Topic => (isFurther(column) ? 'extra' : topicsOf[column])

function freshBase(rows: Columns, changes: Changes): Order {
  const compare = (a: number, b: number) =>
    compareNames(textAt(rows.name, a), textAt(rows.name, b)) || compareText(textAt(rows.key, a), textAt(rows.key, b))
  return { slots: sortedByName(rows), reader: readerAtEnd(changes, ['rows', 'name']), compare, version: 0 }
}

function freshOrder(
  columns: Sort[], rows: Columns, changes: Changes, ranks: Ranks, base: () => Int32Array, positions: () => Uint32Array,
): Order {
  const topics = new Set<Topic>(['rows', 'name', ...columns.map(({ column }) => topicOf(column))])
  const reader = readerAtEnd(changes, [...topics])
  const slots = sortedBy(columns, base(), rows, ranks)
  const compares = columns.map((sort) => compareBy(sort, rows, ranks))
  const compare = (a: number, b: number) => {
    for (const by of compares) {
      const difference = by(a, b)
      if (difference !== 0) return difference
    }
    const order = positions()
    return at(order, a) - at(order, b)
  }
  return { slots, reader, compare, version: 0 }
}

function sortedByName(rows: Columns): Int32Array {
  return aliveSlots(rows).sort((a, b) =>
    compareNames(textAt(rows.name, a), textAt(rows.name, b)) || compareText(textAt(rows.key, a), textAt(rows.key, b)))
}

function aliveSlots(rows: Columns): Int32Array {
  const slots = new Int32Array(rows.count)
  let n = 0
  for (let slot = 0; slot < rows.top; slot += 1) {
    if (rows.alive[slot] !== 1) continue
    slots[n] = slot
    n += 1
  }
  return slots
}

/** From the last column to the first, each pass keeping what the ones before it made of its ties. */
function sortedBy(columns: Sort[], base: Int32Array, rows: Columns, ranks: Ranks): Int32Array {
  const slots = base.slice()
  const scratch = new Int32Array(slots.length)
  for (const sort of columns.toReversed()) sortByKeys(slots, scratch, keysFor(sort, rows, ranks))
  return slots
}

function upToDate(order: Order, rows: Columns, changes: Changes, anew: () => Int32Array): Order {
  const changed = readChanges(changes, order.reader)
  if (changed?.size === 0) return order
  const few = changed !== null && changed.size < 64 + order.slots.length / 24
  const slots = few ? repaired(order, rows, changed) : anew()
  return Object.assign(order, { slots, version: order.version + 1 })
}

/** The order without the changed rows, and with those of them that still are put in where they belong now. */
function repaired({ slots, compare }: Order, rows: Columns, changed: Set<number>): Int32Array {
  const marks = new Uint8Array(rows.capacity)
  for (const slot of changed) marks[slot] = 1
  const rest = without(slots, marks)
  const coming = [...changed].filter((slot) => rows.alive[slot] === 1).sort(compare)
  const result = new Int32Array(rest.length + coming.length)
  let taken = 0
  coming.forEach((slot, index) => {
    const place = placeOf(rest, slot, taken, compare)
    result.set(rest.subarray(taken, place), taken + index)
    result[place + index] = slot
    taken = place
  })
  result.set(rest.subarray(taken), taken + coming.length)
  return result
}

function without(slots: Int32Array, marks: Uint8Array): Int32Array {
  const rest = new Int32Array(slots.length)
  let n = 0
  for (let i = 0; i < slots.length; i += 1) {
    const slot = slots[i] as number
    rest[n] = slot
    n += 1 - (marks[slot] as number)
  }
  return rest.subarray(0, n)
}

/** First position from `from` on that sorts behind the slot. */
function placeOf(rest: Int32Array, slot: number, from: number, compare: Order['compare']): number {
  let low = from
  let high = rest.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(at(rest, middle), slot) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The children of a place in their order: by name, the placeless last. */
export function comparePlaces(a: Place, b: Place): number {
  return Number(a.ref === null) - Number(b.ref === null) || compareNames(a.name, b.name) || compareText(a.id, b.id)
}

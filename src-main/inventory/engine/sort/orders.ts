import { keepNewest } from '../../../../src-shared/lib/keep-newest.ts'
import type { Sort } from '../../../../src-shared/model/inventory.ts'
import { inBlocks } from '../columns/blocks.ts'
import { type Changes, readChanges, type Reader, readerAtEnd, type Topic } from '../changes.ts'
import { compareNames, compareText } from './collate.ts'
import { at, type Columns, textAt } from '../columns/columns.ts'
import type { Extras } from '../columns/extras.ts'
import type { NotesByNode } from '../notes.ts'
import type { Place, Places } from '../places.ts'
import { compareBy, keysFor, topicOf } from './column-order.ts'
import { isExtraColumn, type Ranks, newRanks } from './ranks.ts'
import { sortByKeys } from './radix.ts'

/**
 * Sorted orders of all rows, made on demand and then updated: a few changed rows are removed and inserted again, many
 * mean a new sort. The base order (name, then key) breaks every tie.
 */
export interface OrderCache {
  /** All rows in this order. Valid until the next change; never written to by the caller. */
  sorted(sort: readonly Sort[]): Int32Array
  /** Position of each row in the base order, by slot. */
  positions(): Uint32Array
}

/** Cached orders beside the base one: more than an operator uses; 400 kB each at 100,000 rows. */
const maxOrders = 12

interface Order {
  /** Share of the rows, changed, from which a new sort is faster than an update. */
  resortShare: number
  /** The rows in their order, with spare room behind them: an update does not allocate. */
  memory: Int32Array
  count: number
  reader: Reader
  compare: (a: number, b: number) => number
  /** Counts the changes of the order. */
  version: number
}

/** Names are compared by the rules of a language, which takes most of the time; other orders are sorted by their keys. */
const resortShares = { names: 1 / 3, keys: 1 / 24 }

const slotsOf = ({ memory, count }: Order) => memory.subarray(0, count)

export function newOrders(
  { rows, places, extras, notes }: { rows: Columns; places: Places; extras: Extras; notes: NotesByNode },
  changes: Changes,
): OrderCache {
  const ranks = newRanks({ rows, places, extras, notes }, () => base(), changes)
  const orders = new Map<string, Order>()
  const mask = { all: new Uint8Array(0) }
  let baseOrder: Order | null = null
  let positionOf = new Uint32Array(0)
  let positionsVersion = -1

  function base(): Int32Array {
    baseOrder = baseOrder
      ? upToDate(baseOrder, rows, changes, mask, () => sortedByName(rows))
      : createBaseOrder(rows, changes)
    return slotsOf(baseOrder)
  }

  function positions(): Uint32Array {
    const slots = base()
    const version = baseOrder?.version ?? 0
    if (positionsVersion === version && positionOf.length >= rows.top) return positionOf
    if (positionOf.length < rows.capacity) positionOf = new Uint32Array(rows.capacity)
    inBlocks(slots.length, (from, to) => numberSlots(slots, from, to, positionOf))
    positionsVersion = version
    return positionOf
  }

  function sorted(sort: readonly Sort[]): Int32Array {
    const columns = effective(sort)
    const only = columns[0]
    if (!only || (only.column === 'name' && only.direction === 'asc' && columns.length === 1)) return base()
    const name = JSON.stringify([columns.some(({ column }) => isExtraColumn(column)) ? extras.epoch : 0, columns])
    const positionOf = orders.get(name)
    const order = positionOf
      ? upToDate(positionOf, rows, changes, mask, () => sortedBy(columns, base(), rows, ranks))
      : createOrder(columns, rows, changes, ranks, base, positions)
    keepNewest(orders, name, order, maxOrders)
    return slotsOf(order)
  }

  return { sorted, positions }
}

function numberSlots(slots: Int32Array, from: number, to: number, positions: Uint32Array): void {
  for (let i = from; i < to; i += 1) positions[slots[i] as number] = i
}

/** Without repeated columns: a second one has no effect. */
function effective(sort: readonly Sort[]): Sort[] {
  return sort.filter((one, index) => sort.findIndex((other) => other.column === one.column) === index)
}

function createBaseOrder(rows: Columns, changes: Changes): Order {
  const compare = (a: number, b: number) =>
    compareNames(textAt(rows.name, a), textAt(rows.name, b)) || compareText(textAt(rows.key, a), textAt(rows.key, b))
  const memory = sortedByName(rows)
  const reader = readerAtEnd(changes, ['rows', 'name'])
  return { resortShare: resortShares.names, memory, count: memory.length, reader, compare, version: 0 }
}

function createOrder(
  columns: Sort[],
  rows: Columns,
  changes: Changes,
  ranks: Ranks,
  base: () => Int32Array,
  positions: () => Uint32Array,
): Order {
  const topics = new Set<Topic>(['rows', 'name', ...columns.map(({ column }) => topicOf(column))])
  const reader = readerAtEnd(changes, [...topics])
  const memory = sortedBy(columns, base(), rows, ranks)
  const compares = columns.map((sort) => compareBy(sort, rows, ranks))
  const compare = (a: number, b: number) => {
    for (const by of compares) {
      const difference = by(a, b)
      if (difference !== 0) return difference
    }
    const order = positions()
    return at(order, a) - at(order, b)
  }
  return { resortShare: resortShares.keys, memory, count: memory.length, reader, compare, version: 0 }
}

function sortedByName(rows: Columns): Int32Array {
  return aliveSlots(rows).sort(
    (a, b) =>
      compareNames(textAt(rows.name, a), textAt(rows.name, b)) || compareText(textAt(rows.key, a), textAt(rows.key, b)),
  )
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

/** Sorts stably from the last column to the first. */
function sortedBy(columns: Sort[], base: Int32Array, rows: Columns, ranks: Ranks): Int32Array {
  const slots = base.slice()
  const scratch = new Int32Array(slots.length)
  for (const sort of columns.toReversed()) sortByKeys(slots, scratch, keysFor(sort, rows, ranks))
  return slots
}

function upToDate(
  order: Order,
  rows: Columns,
  changes: Changes,
  mask: { all: Uint8Array },
  resort: () => Int32Array,
): Order {
  const changed = readChanges(changes, order.reader)
  if (changed?.size === 0) return order
  if (changed !== null && changed.size < 64 + order.count * order.resortShare) {
    if (mask.all.length < rows.capacity) mask.all = new Uint8Array(rows.capacity)
    removeSlots(order, changed, mask.all)
    insertSlots(order, [...changed].filter((slot) => rows.alive[slot] === 1).sort(order.compare))
  } else {
    order.memory = resort()
    order.count = order.memory.length
  }
  order.version += 1
  return order
}

/** Removes the changed rows from the order. `mask` is scratch memory, zero before and after. */
function removeSlots(order: Order, changed: Set<number>, mask: Uint8Array): void {
  const { memory, count } = order
  for (const slot of changed) mask[slot] = 1
  let n = 0
  inBlocks(count, (from, to) => (n = moveUnmasked(memory, from, to, n, mask)))
  for (const slot of changed) mask[slot] = 0
  order.count = n
}

function moveUnmasked(slots: Int32Array, from: number, to: number, left: number, mask: Uint8Array): number {
  let n = left
  for (let i = from; i < to; i += 1) {
    const slot = slots[i] as number
    slots[n] = slot
    n += 1 - (mask[slot] as number)
  }
  return n
}

/** Inserts rows, which are sorted, at their positions. */
function insertSlots(order: Order, added: readonly number[]): void {
  const remaining = slotsOf(order)
  const total = remaining.length + added.length
  if (total > order.memory.length) {
    order.memory = new Int32Array(Math.ceil(total * 1.125))
    order.memory.set(remaining)
  }
  const { memory, compare } = order
  let from = 0
  const places = added.map((slot) => (from = insertionIndex(remaining, slot, from, compare)))
  let end = remaining.length
  for (let index = added.length - 1; index >= 0; index -= 1) {
    const place = places[index] as number
    memory.copyWithin(place + index + 1, place, end)
    memory[place + index] = added[index] as number
    end = place
  }
  order.count = total
}

/** The first position at or after `from` that sorts behind the slot. */
function insertionIndex(remaining: Int32Array, slot: number, from: number, compare: Order['compare']): number {
  let low = from
  let high = remaining.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(at(remaining, middle), slot) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The children of a place in their order: by name, the placeless last. */
export function comparePlaces(a: Place, b: Place): number {
  return Number(a.ref === null) - Number(b.ref === null) || compareNames(a.name, b.name) || compareText(a.id, b.id)
}

import type { InventoryQuery } from '../../../src-shared/model.ts'
import { assertNever } from '../../../src-shared/fault.ts'
import { deviceOfNode, everything } from '../keys.ts'
import { type Changes, readChanges, type Reader, readerAtEnd } from './changes.ts'
import { at, codes, type Columns, textAt } from './columns.ts'
import { wordsOf } from './fold.ts'
import { isWithin, type Place, type Places } from './places.ts'
import { withWord } from './search.ts'

/** Which rows a query matches. Kept for the last few queries and repaired row by row when rows change. */
export interface FilterCache {
  /** Null for a query that matches every row. */
  matching(query: Pick<InventoryQuery, 'scope' | 'status' | 'text'>): Match | null
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
  readonly status: InventoryQuery['status']
  readonly words: readonly string[]
  readonly reader: Reader
}

type Scope = { kind: 'all' } | { kind: 'none' } | { kind: 'place'; place: Place } | { kind: 'device'; key: string }

/** Filters that are kept: the steps of typing a word or two; 100 kB each at 100,000 rows. */
const kept = 16

export function newFilters(rows: Columns, places: Places, changes: Changes): FilterCache {
  const filters = new Map<string, Filter>()
  const words = recentWords()
  return {
    matching(query) {
      const asked = { scope: scopeOf(query.scope, places), status: query.status, words: words(query.text) }
      if (asked.scope.kind === 'all' && asked.status === 'any' && asked.words.length === 0) return null
      const name = JSON.stringify([query.scope, query.status, asked.words])
      const known = filters.get(name)
      const usable = known && sameScope(known.scope, asked.scope) ? repaired(known, rows, places, changes) : null
      const filter = usable ?? fresh(asked, filters, rows, places, changes)
      filters.delete(name)
      filters.set(name, filter)
      const [oldest] = filters.keys()
      if (filters.size > kept && oldest !== undefined) filters.delete(oldest)
      return filter
    },
  }
}

/** The table asks again and again with the same text: its words are found once. */
function recentWords(): (text: string) => string[] {
  let last: { text: string; words: string[] } = { text: '', words: [] }
  return (text) => {
    if (last.text !== text) last = { text, words: wordsOf(text) }
    return last.words
  }
}

function scopeOf(scope: string, places: Places): Scope {
  if (scope === everything) return { kind: 'all' }
  const key = deviceOfNode(scope)
  if (key !== null) return { kind: 'device', key }
  const place = places.byId.get(scope)
  return place ? { kind: 'place', place } : { kind: 'none' }
}

/** A place that went and came back is another one. */
function sameScope(a: Scope, b: Scope): boolean {
  if (a.kind === 'place') return b.kind === 'place' && a.place === b.place
  return a.kind === b.kind
}

function repaired(filter: Filter, rows: Columns, places: Places, changes: Changes): Filter | null {
  const changed = readChanges(changes, filter.reader)
  if (changed === null) return null
  if (changed.size === 0) return filter
  if (filter.marks.length < rows.capacity) filter.marks = grown(filter.marks, rows.capacity)
  for (const slot of changed) {
    filter.count -= at(filter.marks, slot)
    filter.marks[slot] = 0
  }
  const alive = Int32Array.from([...changed].filter((slot) => rows.alive[slot] === 1))
  markMatches(filter, alive, rows, places)
  return filter
}

/** Marks those of the slots that match. Narrows them step by step, the cheapest test first. */
function markMatches(filter: Filter, slots: Int32Array, rows: Columns, places: Places): void {
  let left = inScope(filter.scope, slots, rows, places)
  left = withStatus(filter.status, left, rows)
  for (const word of filter.words) left = withWord(word, left, rows, places)
  for (const slot of left) filter.marks[slot] = 1
  filter.count += left.length
}

function grown(marks: Uint8Array, capacity: number): Uint8Array {
  const more = new Uint8Array(capacity)
  more.set(marks)
  return more
}

type Asked = Pick<Filter, 'scope' | 'status' | 'words'>

function fresh(asked: Asked, filters: Map<string, Filter>, rows: Columns, places: Places, changes: Changes): Filter {
  const from = narrowest(asked, filters, rows, places, changes)
  const reader = readerAtEnd(changes, ['rows', 'place', 'status', ...(asked.words.length > 0 ? ['name', 'hardwareModel'] as const : [])])
  const filter: Filter = { ...asked, marks: new Uint8Array(rows.capacity), count: 0, reader }
  markMatches(filter, candidates(asked.scope, from, rows), rows, places)
  return filter
}

/** Rows that can match: those that a wider filter has left, or all. */
function candidates(scope: Scope, from: Filter | null, rows: Columns): Int32Array {
  if (scope.kind === 'none') return new Int32Array(0)
  if (scope.kind === 'device') return Int32Array.of(...[rows.slotOf.get(scope.key) ?? []].flat())
  const marks = from?.marks ?? rows.alive
  const slots = new Int32Array(from?.count ?? rows.count)
  let n = 0
  for (let slot = 0; slot < rows.top; slot += 1) if (marks[slot] === 1) slots[n++] = slot
  return slots
}

/** A kept filter that lets through all that the asked one does: what was there before the last letter was typed. */
function narrowest(asked: Asked, filters: Map<string, Filter>, rows: Columns, places: Places, changes: Changes): Filter | null {
  if (asked.words.length === 0) return null
  let best: Filter | null = null
  for (const [name, filter] of filters) {
    if (!isWider(filter, asked) || (best && best.count <= filter.count)) continue
    const usable = repaired(filter, rows, places, changes)
    if (usable) best = usable
    else filters.delete(name)
  }
  return best
}

function isWider(filter: Filter, asked: Asked): boolean {
  if (filter.words.length === 0 || (filter.status !== 'any' && filter.status !== asked.status)) return false
  if (filter.scope.kind !== 'all' && !sameScope(filter.scope, asked.scope)) return false
  return filter.words.every((word) => asked.words.some((longer) => longer.includes(word)))
}

function inScope(scope: Scope, slots: Int32Array, rows: Columns, places: Places): Int32Array {
  switch (scope.kind) {
    case 'all': return slots
    case 'none': return slots.subarray(0, 0)
    case 'device': return slots.filter((slot) => textAt(rows.key, slot) === scope.key)
    case 'place': return slots.filter((slot) => isWithin(places, at(rows.room, slot), scope.place.index))
    default: return assertNever(scope)
  }
}

function withStatus(status: InventoryQuery['status'], slots: Int32Array, rows: Columns): Int32Array {
  switch (status) {
    case 'any': return slots
    case 'down': return slots.filter((slot) => rows.connected[slot] === 0)
    case 'connected':
    case 'disconnected':
    case 'unknown': return slots.filter((slot) => rows.status[slot] === codes[status])
    default: return assertNever(status)
  }
}

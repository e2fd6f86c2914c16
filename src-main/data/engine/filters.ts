import { everything, type InventoryQuery } from '../../../src-shared/model.ts'
import { assertNever } from '../../../src-shared/fault.ts'
import { deviceOfNode } from '../keys.ts'
import { type Changes, readChanges, type Reader, readerAtEnd } from './changes.ts'
import { at, codes, type Columns, textAt } from './columns.ts'
import { fold, wordsOf } from './fold.ts'
import { isPlaceless, isWithin, type Place, type Places, roomsBelow } from './places.ts'

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
  const matches = rowMatcher(filter, rows, places)
  for (const slot of changed) {
    const now = Number(rows.alive[slot] === 1 && matches(slot))
    filter.count += now - at(filter.marks, slot)
    filter.marks[slot] = now
  }
  return filter
}

function grown(marks: Uint8Array, capacity: number): Uint8Array {
  const more = new Uint8Array(capacity)
  more.set(marks)
  return more
}

type Asked = Pick<Filter, 'scope' | 'status' | 'words'>

function fresh(asked: Asked, filters: Map<string, Filter>, rows: Columns, places: Places, changes: Changes): Filter {
  const from = narrowest(asked, filters, rows, places, changes)
  const marks = new Uint8Array(rows.capacity)
  const reader = readerAtEnd(changes, ['rows', 'place', 'status', ...(asked.words.length > 0 ? ['name', 'hardwareModel'] as const : [])])
  const filter: Filter = { ...asked, marks, count: 0, reader }
  const test = rowMatcher(asked, rows, places)
  forCandidates(asked.scope, from, rows, (slot) => {
    if (!test(slot)) return
    marks[slot] = 1
    filter.count += 1
  })
  return filter
}

/** Rows that can match: those of the scope, or those that a wider filter has left. */
function forCandidates(scope: Scope, from: Filter | null, rows: Columns, visit: (slot: number) => void): void {
  if (scope.kind === 'none') return
  if (scope.kind === 'device') {
    const slot = rows.slotOf.get(scope.key)
    if (slot !== undefined) visit(slot)
  } else if (scope.kind === 'place' && from === null) {
    roomsBelow(scope.place, (room) => {
      for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) visit(slot)
    })
  } else {
    const marks = from?.marks ?? rows.alive
    for (let slot = 0; slot < rows.top; slot += 1) if (marks[slot] === 1) visit(slot)
  }
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

function rowMatcher(asked: Asked, rows: Columns, places: Places): (slot: number) => boolean {
  const scope = scopeTest(asked.scope, rows, places)
  const status = statusTest(asked.status, rows)
  const words = asked.words.map((word) => wordTest(word, rows, places))
  return (slot) => scope(slot) && status(slot) && words.every((test) => test(slot))
}

function scopeTest(scope: Scope, rows: Columns, places: Places): (slot: number) => boolean {
  switch (scope.kind) {
    case 'all': return () => true
    case 'none': return () => false
    case 'device': return (slot) => textAt(rows.key, slot) === scope.key
    case 'place': return (slot) => isWithin(places.byIndex[at(rows.room, slot)] ?? null, scope.place)
    default: return assertNever(scope)
  }
}

function statusTest(status: InventoryQuery['status'], rows: Columns): (slot: number) => boolean {
  switch (status) {
    case 'any': return () => true
    case 'down': return (slot) => rows.connected[slot] === 0
    case 'connected':
    case 'disconnected':
    case 'unknown': return (slot) => rows.status[slot] === codes[status]
    default: return assertNever(status)
  }
}

/** Models and rooms are asked once for all of their rows; names and ids row by row. */
function wordTest(word: string, rows: Columns, places: Places): (slot: number) => boolean {
  const models = asking((model) => fold(rows.models[model] ?? '').includes(word))
  const rooms = asking((room) => placeHas(places.byIndex[room] ?? null, word))
  return (slot) => models(at(rows.model, slot)) || rooms(at(rows.room, slot)) || hayOf(rows, slot).includes(word)
}

function asking(test: (index: number) => boolean): (index: number) => boolean {
  const known: boolean[] = []
  return (index) => (known[index] ??= test(index))
}

function placeHas(place: Place | null, word: string): boolean {
  if (!place || place.kind === 'region') return false
  return (!isPlaceless(place) && fold(place.name).includes(word)) || placeHas(place.parent, word)
}

/** No word holds a line break, so none matches across it. */
function hayOf(rows: Columns, slot: number): string {
  return (rows.hay[slot] ??= fold(`${textAt(rows.name, slot)}\n${textAt(rows.id, slot)}`))
}

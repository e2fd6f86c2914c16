import type { TextField } from '../../../../src-shared/model/base-fields.ts'
import type { ColumnId } from '../../../../src-shared/model/inventory.ts'
import { type Changes, readChanges, type Reader, readerAtEnd } from '../changes.ts'
import { compareNames, compareText, ranksOf } from './collate.ts'
import { at, type Columns, textAt } from '../columns/columns.ts'
import { extraRanks, type Extras, valueAt } from '../columns/extras.ts'
import { nearestText, noteReader, type NotesByNode, tagsIn } from '../notes.ts'
import { isPlaceless, type Place, type Places } from '../places.ts'
import { lastRank } from './radix.ts'

/** Numbers by which texts are sorted: equal texts share one, `lastRank` is "none". */
export interface Ranks {
  /** By text index of the column. */
  texts(field: TextField): Uint32Array
  /** By room index: the rank of the room's own name, or of that of the site, tenant or region above it. */
  places(kind: Place['kind']): Uint32Array
  /** By slot. */
  names(): Uint32Array
  ids(): Uint32Array
  /** By slot; `lastRank` for null, for what was not read, and for a column that is not loaded. */
  extras(name: string): (slot: number) => number
  /** By slot: the tags of a row, or the nearest note, as shown. */
  noteTexts(column: NoteColumn): (slot: number) => string
}

export type NoteColumn = 'tags' | 'note'

export const isExtraColumn = (column: ColumnId): column is `extra:${string}` => column.startsWith('extra:')

export function newRanks(
  { rows, places, extras, notes }: { rows: Columns; places: Places; extras: Extras; notes: NotesByNode },
  base: () => Int32Array,
  changes: Changes,
): Ranks {
  const byText = new Map<TextField, Uint32Array>()
  const byKind = new Map<Place['kind'], { version: number; ranks: Uint32Array }>()
  let ids: { reader: Reader; ranks: Uint32Array } | null = null
  return {
    texts: (field) => {
      const { texts } = rows.texts[field]
      const known = byText.get(field)
      if (known?.length === texts.length) return known
      const ranks = ranksOf(texts)
      byText.set(field, ranks)
      return ranks
    },
    places: (kind) => {
      const known = byKind.get(kind)
      if (known?.version === places.version) return known.ranks
      const ranks = placeRanks(places, kind)
      byKind.set(kind, { version: places.version, ranks })
      return ranks
    },
    names: () => denseRanks(base(), rows, (a, b) => sameName(textAt(rows.name, a), textAt(rows.name, b))),
    ids: () => {
      if (ids && readChanges(changes, ids.reader)?.size === 0) return ids.ranks
      ids = { reader: readerAtEnd(changes, ['rows']), ranks: idRanks(rows, base()) }
      return ids.ranks
    },
    extras: (name) => {
      const column = extras.columns.get(name)
      const ranks = column && extraRanks(column)
      return (slot) => (column && ranks ? at(ranks, valueAt(column, slot)) : lastRank)
    },
    noteTexts(column) {
      const notesOf = noteReader({ rows, places, notes })
      return (slot) => (column === 'tags' ? tagsIn(notesOf(slot)).join(', ') : nearestText(notesOf(slot)))
    },
  }
}

// Two different texts of these are never equal to the collator: no ignorable characters, no leading zeros.
const distinct = /^[ -/1-~]*$/

function sameName(a: string, b: string): boolean {
  if (a === b) return true
  if (distinct.test(a) && distinct.test(b)) return false
  return compareNames(a, b) === 0
}

function idRanks(rows: Columns, base: Int32Array): Uint32Array {
  const slots = base.slice().sort((a, b) => compareText(textAt(rows.id, a), textAt(rows.id, b)))
  return denseRanks(slots, rows, (a, b) => textAt(rows.id, a) === textAt(rows.id, b))
}

function denseRanks(sorted: Int32Array, rows: Columns, same: (a: number, b: number) => boolean): Uint32Array {
  const ranks = new Uint32Array(rows.capacity)
  let rank = 0
  for (let i = 1; i < sorted.length; i += 1) {
    if (!same(at(sorted, i - 1), at(sorted, i))) rank += 1
    ranks[at(sorted, i)] = rank
  }
  return ranks
}

/** Returns the ranks of texts that few rows have, by slot; `lastRank` for none. */
export function ranksOfTexts(rows: Columns, textOf: (slot: number) => string): (slot: number) => number {
  const indexes = new Map<string, number>()
  const indexOf = new Map<number, number>()
  for (let slot = 0; slot < rows.top; slot += 1) {
    const text = rows.alive[slot] === 1 ? textOf(slot) : ''
    if (text === '') continue
    const index = indexes.get(text) ?? indexes.size
    indexes.set(text, index)
    indexOf.set(slot, index)
  }
  const ranks = ranksOf([...indexes.keys()])
  return (slot) => {
    const index = indexOf.get(slot)
    return index === undefined ? lastRank : at(ranks, index)
  }
}

function placeRanks(places: Places, kind: Place['kind']): Uint32Array {
  const distinct = new Map<string, number>()
  const nameOf = places.byIndex.map((place) => {
    const above = place?.kind === 'room' ? ancestor(place, kind) : null
    if (!above || isPlaceless(above)) return lastRank
    const known = distinct.get(above.name) ?? distinct.size
    distinct.set(above.name, known)
    return known
  })
  const ranks = ranksOf([...distinct.keys()])
  return Uint32Array.from(nameOf, (name) => (name === lastRank ? lastRank : at(ranks, name)))
}

function ancestor(room: Place, kind: Place['kind']): Place | null {
  let place: Place | null = room
  while (place && place.kind !== kind) place = place.parent
  return place
}

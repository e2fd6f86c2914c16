import { isTextField, isTimeField, type PlainField } from '../../../../src-shared/model/base-fields.ts'
import { assertNever } from '../../../../src-shared/model/fault.ts'
import type { ColumnId, Sort, SortColumn } from '../../../../src-shared/model/inventory.ts'
import type { Topic } from '../changes.ts'
import { at, type Columns, textAt } from '../columns/columns.ts'
import type { Place } from '../places.ts'
import { compareNames, compareText } from './collate.ts'
import { type Keys, keysOfRanks, keysOfTimes, lastRank } from './radix.ts'
import { isExtraColumn, type Ranks, ranksOfTexts } from './ranks.ts'

/** How each column orders rows: by which changes, by which keys, and how two rows compare. */
const topicsOf: Record<Exclude<SortColumn, PlainField>, Topic> = {
  name: 'name',
  status: 'status',
  since: 'since',
  site: 'place',
  room: 'place',
  account: 'place',
  tenant: 'place',
  region: 'place',
  id: 'rows',
  seenAt: 'seenAt',
  placedAt: 'placedAt',
  tags: 'notes',
  note: 'notes',
}

/** Returns the topic of changes that may move a row in the order of a column. */
export function topicOf(column: ColumnId): Topic {
  if (isExtraColumn(column)) return 'extra'
  return isTextField(column) || isTimeField(column) ? column : topicsOf[column]
}

/** The keys by which a radix sort puts rows into the order of one column. */
export function keysFor({ column, direction }: Sort, rows: Columns, ranks: Ranks): Keys {
  const descending = direction === 'desc'
  const byRank = (rankOf: (slot: number) => number) => keysOfRanks(rows.top, descending, rankOf)
  const bySlot = (all: Uint32Array) => byRank((slot) => at(all, slot))
  const byPlace = (kind: Place['kind']) => {
    const all = ranks.places(kind)
    return byRank((slot) => all[at(rows.room, slot)] ?? lastRank)
  }
  if (isExtraColumn(column)) return byRank(ranks.extras(column.slice(6)))
  if (isTextField(column)) {
    const all = ranks.texts(column)
    const { values } = rows.texts[column]
    return byRank((slot) => at(all, at(values, slot)))
  }
  if (isTimeField(column)) return keysOfTimes(rows.times[column], descending)
  switch (column) {
    case 'name':
      return bySlot(ranks.names())
    case 'id':
      return bySlot(ranks.ids())
    case 'status':
      return byRank((slot) => at(rows.status, slot))
    case 'site':
    case 'room':
    case 'account':
    case 'tenant':
    case 'region':
      return byPlace(column)
    case 'since':
      return keysOfTimes(rows.sinceAt, descending)
    case 'seenAt':
      return keysOfTimes(rows.seenAt, descending)
    case 'placedAt':
      return keysOfTimes(rows.placedAt, descending)
    case 'tags':
    case 'note':
      return byRank(ranksOfTexts(rows, ranks.noteTexts(column)))
    default:
      return assertNever(column)
  }
}

/** Compares two rows by one column, the same way as the keys do. */
export function compareBy({ column, direction }: Sort, rows: Columns, ranks: Ranks): (a: number, b: number) => number {
  const sign = direction === 'desc' ? -1 : 1
  const byText = (of: readonly string[], compare: (a: string, b: string) => number) => (a: number, b: number) =>
    sign * compare(textAt(of, a), textAt(of, b))
  if (isExtraColumn(column)) {
    return (a, b) => {
      const rankOf = ranks.extras(column.slice(6))
      return compareRanks(rankOf(a), rankOf(b), lastRank, sign)
    }
  }
  if (isTextField(column)) {
    return (a, b) => {
      const all = ranks.texts(column)
      const { values } = rows.texts[column]
      return sign * (at(all, at(values, a)) - at(all, at(values, b)))
    }
  }
  if (isTimeField(column)) return (a, b) => compareTimes(at(rows.times[column], a), at(rows.times[column], b), sign)
  switch (column) {
    case 'name':
      return byText(rows.name, compareNames)
    case 'id':
      return byText(rows.id, compareText)
    case 'status':
      return (a, b) => sign * (at(rows.status, a) - at(rows.status, b))
    case 'site':
    case 'room':
    case 'account':
    case 'tenant':
    case 'region':
      return (a, b) => {
        const all = ranks.places(column)
        return compareRanks(at(all, at(rows.room, a)), at(all, at(rows.room, b)), lastRank, sign)
      }
    case 'since':
      return (a, b) => compareTimes(at(rows.sinceAt, a), at(rows.sinceAt, b), sign)
    case 'seenAt':
      return (a, b) => compareTimes(at(rows.seenAt, a), at(rows.seenAt, b), sign)
    case 'placedAt':
      return (a, b) => compareTimes(at(rows.placedAt, a), at(rows.placedAt, b), sign)
    case 'tags':
    case 'note':
      return (a, b) => {
        const textOf = ranks.noteTexts(column)
        const [one, other] = [textOf(a), textOf(b)]
        if (one === '' || other === '') return Number(one === '') - Number(other === '')
        return sign * compareNames(one, other)
      }
    default:
      return assertNever(column)
  }
}

function compareTimes(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return sign * (a - b)
}

/** Compares by value, with `none` last in both directions. */
function compareRanks(a: number, b: number, none: number, sign: number): number {
  if (a === none || b === none) return Number(a === none) - Number(b === none)
  return sign * (a - b)
}

import { extraNumber } from '../../../../src-shared/filter/extra-value.ts'
import type { ExtraColumn } from '../../../../src-shared/model/inventory.ts'
import { compareNames } from '../sort/collate.ts'
import { fold } from '../filter/fold.ts'
import { lastRank } from '../sort/radix.ts'

/** The loaded extra columns, by name. `epoch` counts up when columns or their types change. */
export interface Extras {
  readonly columns: Map<string, ExtraValues>
  epoch: number
  /**
   * For how many devices each field was read, loaded or not: by service, then name. Null when they must be counted
   * again.
   */
  counts: Map<string, Map<string, number>> | null
}

/** An extra column in memory. Numbers and times sort by their value, texts by the rules of names. */
export interface LoadedColumn {
  name: string
  type: ExtraColumn['type']
  /** The services that offer the field: only their devices count as unread. */
  services: string[]
}

/** The value indexes that stand for no text. */
export const unread = 0
export const nullValue = 1
const firstText = 2

/**
 * An extra column: a value index for each row, and each text once. Filters test each text once, and sorting ranks the
 * texts instead of the rows.
 */
export interface ExtraValues extends LoadedColumn {
  services: string[]
  /** By slot; beyond its end nothing was read. */
  values: Int32Array
  /** By value index; the first two stand for no text. */
  texts: string[]
  readonly indexOf: Map<string, number>
  /** By value index: see `extraNumber`. */
  numbers: number[]
  /** By value index, made at the first use. */
  folded: (string | undefined)[]
  ranks: Uint32Array | null
}

export const newExtras = (): Extras => ({ columns: new Map(), epoch: 0, counts: null })

export function newExtraColumn(loaded: LoadedColumn): ExtraValues {
  return {
    ...loaded,
    values: new Int32Array(0),
    texts: ['', ''],
    indexOf: new Map(),
    numbers: [Number.NaN, Number.NaN],
    folded: [],
    ranks: null,
  }
}

export const valueAt = ({ values }: ExtraValues, slot: number): number => values[slot] ?? unread

/** The row's value; undefined when it was not read. */
export function extraAt(column: ExtraValues, slot: number): string | null | undefined {
  const value = valueAt(column, slot)
  if (value < firstText) return value === unread ? undefined : null
  return column.texts[value]
}

/** Sets a value; true when it differs. `capacity`: of the rows. */
export function setExtra(column: ExtraValues, slot: number, value: string | null, capacity: number): boolean {
  const index = value === null ? nullValue : textIndex(column, value)
  if (valueAt(column, slot) === index) return false
  if (slot >= column.values.length) column.values = resized(column.values, capacity)
  column.values[slot] = index
  return true
}

function resized(values: Int32Array, capacity: number): Int32Array {
  const more = new Int32Array(capacity)
  more.set(values)
  return more
}

function textIndex(column: ExtraValues, text: string): number {
  const known = column.indexOf.get(text)
  if (known !== undefined) return known
  const index = column.texts.push(text) - 1
  column.indexOf.set(text, index)
  column.numbers.push(extraNumber(column.type, text))
  column.ranks = null
  return index
}

/** Clears the values of a removed row, because its slot is used again. */
export function clearExtras(extras: Extras, slot: number): void {
  extras.counts = null
  for (const { values } of extras.columns.values()) if (slot < values.length) values[slot] = unread
}

/** Removes unused texts when they are more than those in use can be. */
export function compactExtra(column: ExtraValues, rows: number): void {
  if (column.texts.length < 4096 + 2 * rows) return
  const before = column.texts
  Object.assign(column, newExtraColumn(column), { values: column.values })
  column.indexOf.clear()
  column.values.forEach((value, slot) => {
    if (value >= firstText) column.values[slot] = textIndex(column, before[value] ?? '')
  })
}

export function foldedAt(column: ExtraValues, value: number): string {
  return (column.folded[value] ??= fold(column.texts[value] ?? ''))
}

/** Ranks by value index: numbers and times by value, texts in name order; null and unreadable numbers are last. */
export function extraRanks(column: ExtraValues): Uint32Array {
  if (column.ranks) return column.ranks
  const { texts, numbers, type } = column
  const byValue = type === 'number' || type === 'time'
  const numberAt = (index: number) => numbers[index] ?? Number.NaN
  const compare = byValue
    ? (a: number, b: number) => numberAt(a) - numberAt(b)
    : (a: number, b: number) => compareNames(texts[a] ?? '', texts[b] ?? '')
  const ranks = new Uint32Array(texts.length).fill(lastRank)
  const order = texts
    .map((_, index) => index)
    .slice(firstText)
    .filter((index) => !byValue || !Number.isNaN(numberAt(index)))
    .sort(compare)
  let rank = 0
  order.forEach((index, at) => {
    const before = order[at - 1]
    if (before !== undefined && compare(before, index) !== 0) rank += 1
    ranks[index] = rank
  })
  column.ranks = ranks
  return ranks
}

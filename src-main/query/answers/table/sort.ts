import type { TableView } from '../../../../src-shared/model/query-table.ts'
import { fold } from '../../../inventory/engine/filter/fold.ts'
import type { Source } from './outline.ts'
import type { TableRows } from './rows.ts'
import { cellKind, elementCount, shownText, timeOf } from './values.ts'

/** Values of different kinds follow each other in this order; null and missing ones are last, in both directions. */
const ranks = { number: 0, text: 1, boolean: 2, list: 3, object: 4, null: 5 } as const

/** Most different texts, whose order by the rules of language is worth its time: more are ordered by letters and numbers. */
const maxCollated = 20_000

const collator = new Intl.Collator('en', { numeric: true })

/** Returns rows in the order of a column: numbers by value, times as times, texts in natural order; equal ones stay in order. */
export function sortedRows(
  source: Source,
  rows: TableRows,
  found: Uint32Array,
  { column, direction }: NonNullable<TableView['sort']>,
): Uint32Array {
  const { groups, values } = keysOf(source, rows, found, column)
  const sign = direction === 'asc' ? 1 : -1
  const order = Uint32Array.from({ length: found.length }, (_none, at) => at)
  order.sort((one, other) => {
    const [a, b] = [groups[one] ?? 0, groups[other] ?? 0]
    // What is missing is last either way.
    if (a !== b) return a === ranks.null || b === ranks.null ? a - b : (a - b) * sign
    return ((values[one] ?? 0) - (values[other] ?? 0)) * sign || one - other
  })
  return order.map((at) => found[at] ?? 0)
}

interface Keys {
  groups: Uint8Array
  values: Float64Array
}

/** Returns what the rows are ordered by: their kinds, and within a kind a number. */
function keysOf(source: Source, rows: TableRows, found: Uint32Array, column: number): Keys {
  const groups = new Uint8Array(found.length).fill(ranks.null)
  const values = new Float64Array(found.length)
  const texts = new Map<string, number>()
  for (let at = 0; at < found.length; at += 1) {
    rows.read(found[at] ?? 0)
    const from = rows.froms[column] ?? -1
    if (from < 0) continue
    const value = { from, line: rows.lines[column] ?? 0 }
    const kind = cellKind(source, from)
    groups[at] = ranks[kind]
    if (kind === 'list') values[at] = elementCount(source, value.line)
    else if (kind !== 'null' && kind !== 'object') {
      const text = shownText(source, value, kind)
      if (kind === 'number') values[at] = Number(text)
      else if (kind === 'boolean') values[at] = text === 'true' ? 1 : 0
      else {
        const known = texts.get(text) ?? texts.size
        texts.set(text, known)
        values[at] = known
      }
    }
  }
  const order = textOrder([...texts.keys()])
  for (let at = 0; at < found.length; at += 1) if (groups[at] === ranks.text) values[at] = order[values[at] ?? 0] ?? 0
  return { groups, values }
}

/** Returns a number for each text: equal in rank means equal in order. */
function textOrder(texts: readonly string[]): Float64Array {
  const times = Float64Array.from(texts, timeOf)
  if (texts.length > 0 && !times.some(Number.isNaN)) return times
  const compare = texts.length <= maxCollated ? collated(texts) : byLetters(texts)
  const order = Uint32Array.from({ length: texts.length }, (_none, at) => at).sort(compare)
  const places = new Float64Array(texts.length)
  order.forEach((text, place) => (places[text] = place))
  return places
}

const byText = (texts: readonly string[], one: number, other: number): number => {
  const [a, b] = [texts[one] ?? '', texts[other] ?? '']
  return a === b ? 0 : a < b ? -1 : 1
}

const collated = (texts: readonly string[]) => (one: number, other: number) =>
  collator.compare(texts[one] ?? '', texts[other] ?? '') || byText(texts, one, other)

/** Without case and accents, digits by their number: compared as plain texts, which is many times faster than by a collator. */
function byLetters(texts: readonly string[]) {
  const keys = texts.map(naturalKey)
  return (one: number, other: number) => byText(keys, one, other) || byText(texts, one, other)
}

/** Returns a text whose plain order is the natural one: before each number stands how many digits it has. */
const naturalKey = (text: string): string =>
  fold(text).replaceAll(
    /0*(\d+)/gu,
    (_all, digits: string) => String.fromCharCode(0x30 + Math.min(digits.length, 500)) + digits,
  )

import type { CellKind } from '../../../../src-shared/model/query-table.ts'
import { innerEnd, kindAt, lineAfter, textOf, valueEnd, type Source } from './outline.ts'

/** A value of an answer: where it begins, and on which line. */
export interface Value {
  from: number
  line: number
}

/** Most elements of a list that are shown as themselves; longer ones as their number. */
const shownElements = 20
/** Longest list that is shown as its elements, bytes. */
const shownBytes = 600

const [quote, minus, zero, nine] = [0x22, 0x2d, 0x30, 0x39]

export function cellKind(source: Source, from: number): CellKind {
  const kind = kindAt(source, from)
  if (kind === 'null' && source.bytes.toString('latin1', from, from + 4) === 'null') return 'null'
  if (kind === 'object' || kind === 'list') return kind
  const byte = source.bytes[from] ?? 0
  if (byte === quote) return 'text'
  if (byte === minus || (byte >= zero && byte <= nine)) return 'number'
  const word = source.bytes.toString('latin1', from, from + 5)
  return word.startsWith('true') || word === 'false' ? 'boolean' : 'text'
}

/** Returns a value as JSON, as the answer writes it. */
export const jsonOf = (source: Source, { from, line }: Value): string =>
  source.bytes.toString('utf8', from, valueEnd(source, line))

/** Returns a value as it is shown: a text without its quotation marks, a list by its elements or their number. */
export function shownText(source: Source, value: Value, kind: CellKind = cellKind(source, value.from)): string {
  const { from, line } = value
  switch (kind) {
    case 'null':
      return ''
    case 'list':
      return listText(source, value)
    case 'text': {
      const end = valueEnd(source, line)
      return source.bytes[from] === quote ? textOf(source.bytes, from, end) : source.bytes.toString('utf8', from, end)
    }
    default:
      return jsonOf(source, value)
  }
}

/** Returns the first lines of a list's elements. */
export function elementCount({ index, ...rest }: Source, line: number): number {
  if ((index.closes[line] ?? 0) <= line) return 0
  const end = innerEnd({ index, ...rest }, line)
  let count = 0
  for (let at = line + 1; at < end; at = lineAfter(index, at)) count += 1
  return count
}

function listText(source: Source, { line }: Value): string {
  const { index } = source
  const count = elementCount(source, line)
  const end = (index.closes[line] ?? 0) > line ? innerEnd(source, line) : line
  const isShort = count <= shownElements && (index.starts[end] ?? 0) - (index.starts[line] ?? 0) <= shownBytes
  const counted = `${count} ${count === 1 ? 'item' : 'items'}`
  if (!isShort || count === 0) return counted
  const texts: string[] = []
  for (let at = line + 1; at < end; at = lineAfter(index, at)) {
    const from = index.starts[at] ?? 0
    const kind = cellKind(source, from)
    if (kind === 'list' || kind === 'object') return counted
    texts.push(kind === 'null' ? 'null' : shownText(source, { from, line: at }, kind))
  }
  return texts.join(', ')
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/u

/** Returns the time in ms of a text that is one by ISO 8601; NaN for any other. */
export const timeOf = (text: string): number => (isoTime.test(text) ? Date.parse(text) : Number.NaN)

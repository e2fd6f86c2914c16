import { amountOf } from '../../../../src-shared/filter/filter.ts'
import { scan, type Pattern, type Scanned } from '../../../../src-shared/filter/scan.ts'
import { fold } from '../../../inventory/engine/filter/fold.ts'
import { fitsPattern } from '../../../inventory/engine/filter/matcher.ts'
import type { Source } from './outline.ts'
import type { TableColumn, TableRows } from './rows.ts'
import { cellKind, shownText, timeOf } from './values.ts'

/** A word of a filter that can be tested. `columns`: in one of them it must match; by index. */
interface Term {
  not: boolean
  columns: readonly number[]
  /** Tests a cell by its text (folded) and as it is shown; null: there is no value. */
  test: (folded: string | null, text: string | null) => boolean
  /** Folded letters that each matching row has somewhere; '' where nothing is known. */
  needs: string
}

/** A filter as it is tested, or why it cannot be. */
export type TableFilter = { terms: readonly Term[] } | { problem: string }

/** Most words of a filter. */
const maxTerms = 20

/** Reads a filter: words as in the inventory (filter.ts), with the table's columns as fields. `shown`: where texts are looked for. */
export function readTableFilter(
  text: string,
  columns: readonly Pick<TableColumn, 'name'>[],
  shown: readonly number[],
): TableFilter {
  const words = scan(text)
  if (words.length > maxTerms) return { problem: `These are more than ${maxTerms} words.` }
  const terms: Term[] = []
  for (const word of words) {
    const term = termOf(word, columns, shown)
    if (typeof term === 'string') return { problem: term }
    if (term !== null) terms.push(term)
  }
  return { terms }
}

function termOf(word: Scanned, columns: readonly Pick<TableColumn, 'name'>[], shown: readonly number[]) {
  const { not, field, operator, values } = word
  if (values.some(({ closed }) => !closed)) return 'The quotation mark is not closed.'
  if (field === null || operator === null) {
    const needle = fold(values[0]?.pattern.join('*') ?? '')
    if (needle === '') return null
    return { not, columns: shown, test: (folded: string | null) => folded?.includes(needle) ?? false, needs: needle }
  }
  const wanted = field.name.toLowerCase()
  const column = columns.findIndex(({ name }) => name.toLowerCase() === wanted)
  if (column === -1)
    return `There is no column “${field.name.slice(0, 60)}”. Put the word in quotation marks to look for it as text.`
  if (operator !== ':' && operator !== '~') {
    const test = comparisonOf(operator, values[0]?.pattern.join('*') ?? '')
    return test === null
      ? 'Compare with a number or a date, such as 2026-01-31.'
      : { not, columns: [column], test, needs: '' }
  }
  const none = operator === ':' && values.some(({ quoted, pattern }) => !quoted && fold(pattern.join('*')) === 'none')
  const patterns = values
    .filter(({ quoted, pattern }) => quoted || !none || fold(pattern.join('*')) !== 'none')
    .map(({ pattern }): Pattern => (operator === ':' ? pattern.map(fold) : ['', ...pattern.map(fold), '']))
  if (!none && patterns.every((pattern) => pattern.join('') === '')) return null
  return {
    not,
    columns: [column],
    test: (folded: string | null) =>
      folded === null || folded === '' ? none : patterns.some((pattern) => fitsPattern(pattern, folded)),
    needs: none || patterns.length > 1 ? '' : longest(patterns[0] ?? []),
  }
}

const longest = (pattern: Pattern): string =>
  pattern.reduce((most, piece) => (piece.length > most.length ? piece : most), '')

function comparisonOf(operator: '>' | '<' | '>=' | '<=', typed: string): Term['test'] | null {
  const { number, date } = amountOf(typed)
  if (number === null && date === null) return null
  return (_folded, text) => {
    if (text === null || text.trim() === '') return false
    const value = number === null ? timeOf(text) : Number(text)
    const than = number ?? date ?? Number.NaN
    if (operator === '>') return value > than
    if (operator === '<') return value < than
    return operator === '>=' ? value >= than : value <= than
  }
}

/** Returns the rows that match all words, in their order. */
export function matchingRows(source: Source, rows: TableRows, terms: readonly Term[]): Uint32Array {
  const found = new Uint32Array(rows.count)
  if (terms.length === 0) {
    for (let row = 0; row < rows.count; row += 1) found[row] = row
    return found
  }
  const needed = terms.flatMap(({ not, needs }) => (not || needs === '' ? [] : [needs]))
  let count = 0
  for (let row = 0; row < rows.count; row += 1) {
    if (needed.length > 0 && !mayMatch(source, rows, row, needed)) continue
    rows.read(row)
    if (terms.every((term) => matches(source, rows, term))) found[count++] = row
  }
  return found.slice(0, count)
}

/** Letters that may be of a list as it is shown, "3 items" or "a, b", and not as it is written. */
const ofList = /[ ,]|^(?:\d+|i?t?e?m?s?)$/u

/** Returns whether a row may have the letters somewhere: what is written with escapes is not told by its bytes. */
function mayMatch({ bytes }: Source, rows: TableRows, row: number, needed: readonly string[]): boolean {
  const [from, to] = rows.range(row)
  const text = bytes.toString('utf8', from, to)
  if (text.includes('\\')) return true
  const folded = fold(text)
  const hasList = text.includes('[')
  return needed.every((letters) => folded.includes(letters) || (hasList && ofList.test(letters)))
}

function matches(source: Source, { froms, lines }: TableRows, { not, columns, test }: Term): boolean {
  const found = columns.some((column) => {
    const from = froms[column] ?? -1
    if (from < 0) return test(null, null)
    const kind = cellKind(source, from)
    const text = kind === 'null' ? null : shownText(source, { from, line: lines[column] ?? 0 }, kind)
    return test(text === null ? null : fold(text), text)
  })
  return found !== not
}

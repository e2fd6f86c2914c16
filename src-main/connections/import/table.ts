import Papa from 'papaparse'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { isFormula } from '../../../src-shared/text/formula.ts'

/** What a list may have. Messages are those of the fault, without the field `text`. */
export interface TableForm<C extends string> {
  /** Names of the columns: "Token URL" is `token_url`. */
  columns: readonly C[]
  /** Returns the column of each head; by default one that is written like its name. */
  columnsOf?: (heads: readonly string[]) => (C | null)[]
  /** Returns what is wrong with the found columns; null where they will do. */
  missing: (found: readonly (C | null)[]) => string | null
  maxLines: number
  tooManyLines: string
  tooManyCells: string
}

export interface TableLine {
  /** Line number as in a spreadsheet: from 1, the head included, a multi-line cell counted once. */
  line: number
  /** As many as the line has: perhaps fewer than the head. */
  cells: readonly string[]
  /** The reason why the line cannot be read; null when it can. */
  problem: string | null
}

export interface Table<C extends string> {
  /** The column of each cell; null for an unknown one. */
  columns: (C | null)[]
  /** All heads, as written. */
  heads: string[]
  /** Heads of unknown columns. */
  ignored: string[]
  lines: TableLine[]
}

const maxColumns = 1000

/**
 * Reads a list: cells divided by commas, tabs or semicolons, whichever fits the head, quoted as in RFC 4180. Empty lines
 * are left out. Throws a fault of kind `input` for a list without a head. No message contains the content of a cell.
 */
export function readTable<C extends string>(text: string, form: TableForm<C>): Table<C> {
  rejectTooLarge(text, form)
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  if (plain.includes('\0'))
    throw new FaultError('input', 'text: This is not text in UTF-8. Save the list as CSV in UTF-8.')
  // Including empty rows before the head; more rows exceed `maxLines`.
  const maxRows = 2 * form.maxLines + 2
  const { data: rows, errors } = parse(plain, delimiterOf(plain, form), maxRows)
  const problems = new Map(errors.map(({ row, code }) => [row ?? 0, problemOf(code)]))
  const first = rows.findIndex(isFilled)
  const head = headOf(rows[first] ?? [], form)
  if (rows.length - first - 1 > form.maxLines) throw new FaultError('input', `text: ${form.tooManyLines}`)
  return {
    ...head,
    lines: rows.flatMap((row, index) =>
      index > first && isFilled(row) ? [lineOf(row, index + 1, head.columns, problems.get(index) ?? null, form)] : [],
    ),
  }
}

/** Largest number of delimiters, line ends or quotes: a CA of 60 lines in each line, and a hundred columns. */
const maxSigns = 1_000_000

/** Parses rows. The fast mode of Papa Parse would divide the whole text into lines first. */
const parse = (text: string, delimiter: string, preview: number) =>
  Papa.parse<string[]>(text, { delimiter, newline: '\n', preview, fastMode: false })

/**
 * Throws for a text with too many delimiters, line ends or quotes before it is divided, because nothing else limits the
 * result.
 */
function rejectTooLarge(
  text: string,
  { tooManyLines, tooManyCells }: Pick<TableForm<string>, 'tooManyLines' | 'tooManyCells'>,
): void {
  const counts = new Map([...',;\t"\n\r'].map((sign) => [sign.charCodeAt(0), 0]))
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // All of them have lower codes than the letters.
    if (code > 0x3b) continue
    const count = counts.get(code)
    if (count === undefined) continue
    if (count >= maxSigns)
      throw new FaultError('input', `text: ${code === 0x0a || code === 0x0d ? tooManyLines : tooManyCells}`)
    counts.set(code, count + 1)
  }
}

const isFilled = (row: readonly string[]): boolean => row.some((cell) => cell.trim() !== '')

/** Longest head, characters. */
const maxHeadLength = 100_000

/** Returns the delimiter that finds the most known columns in the head, or else the most columns. */
function delimiterOf<C extends string>(text: string, form: TableForm<C>): string {
  const head = text.trimStart().slice(0, maxHeadLength)
  const found = [',', '\t', ';'].map((delimiter) => {
    const names = columnsOf(parse(head, delimiter, 1).data[0] ?? [], form)
    return { delimiter, known: names.filter((name) => name !== null).length, all: names.length }
  })
  return found.toSorted((a, b) => b.known - a.known || b.all - a.all)[0]?.delimiter ?? ','
}

/** Returns the column of a head: "Token URL" is `token_url`; null for an unknown one. */
function columnOf<C extends string>(head: string, columns: readonly C[]): C | null {
  const name = head
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return columns.find((column) => column === name) ?? null
}

const columnsOf = <C extends string>(heads: readonly string[], form: TableForm<C>): (C | null)[] =>
  form.columnsOf?.(heads) ?? heads.map((head) => columnOf(head, form.columns))

function headOf<C extends string>(
  row: readonly string[],
  form: TableForm<C>,
): Pick<Table<C>, 'columns' | 'heads' | 'ignored'> {
  if (row.length > maxColumns) throw new FaultError('input', `text: There are more than ${maxColumns} columns.`)
  const names = columnsOf(row, form)
  const wrong = form.missing(names)
  if (wrong !== null) throw new FaultError('input', `text: ${wrong}`)
  const twice = names.find((name, index) => name !== null && names.indexOf(name) !== index)
  if (twice !== undefined) throw new FaultError('input', `text: The column “${twice}” is there twice.`)
  return {
    columns: names,
    heads: [...row],
    ignored: row
      .filter((head, index) => names[index] === null && head.trim() !== '')
      .map((head) => head.trim().slice(0, 100)),
  }
}

function lineOf<C extends string>(
  cells: readonly string[],
  line: number,
  heads: readonly (C | null)[],
  problem: string | null,
  { columns }: TableForm<C>,
): TableLine {
  const extra = cells.slice(heads.length).some((cell) => cell.trim() !== '')
  const tooMany = `There are ${cells.length} cells, and the head has ${heads.length}. Quote a cell that holds the divider.`
  return { line, cells, problem: problem ?? encodingProblem(cells, heads, columns) ?? (extra ? tooMany : null) }
}

function problemOf(code: string): string {
  return code === 'MissingQuotes'
    ? 'A quote is opened here and never closed: the lines after it cannot be read.'
    : 'The quotes of this line do not fit together.'
}

/** Returns the problem of a cell with U+FFFD, which replaces bytes that are not UTF-8; null where there is none. */
function encodingProblem<C extends string>(
  cells: readonly string[],
  heads: readonly (C | null)[],
  columns: readonly C[],
): string | null {
  const column = columns.find((name) => cells[heads.indexOf(name)]?.includes('\uFFFD'))
  return column === undefined
    ? null
    : `${column}: It holds bytes that are no UTF-8 text. Save the list as CSV in UTF-8.`
}

/** Removes the apostrophe that `csvCell` adds. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell

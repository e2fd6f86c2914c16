import Papa from 'papaparse'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ConnectionInput } from '../../../src-shared/model/connection.ts'
import { csvCell } from '../../inventory/reads/export-cells.ts'
import { isFormula } from '../../inventory/reads/formula.ts'

export type CsvField = Exclude<keyof ConnectionInput, 'id'>

/** The columns of a list of connections and the fields that they fill, in writing order. */
export const csvColumns = {
  name: 'name',
  token_url: 'tokenUrl',
  graphql_url: 'graphqlUrl',
  subscription_url: 'subscriptionUrl',
  client_id: 'clientId',
  client_secret: 'clientSecret',
  ca: 'ca',
  subscription: 'subscription',
  portal: 'portal',
} as const satisfies Record<string, CsvField>

type Column = keyof typeof csvColumns
const columns = Object.keys(csvColumns) as Column[]

export interface CsvLine {
  /** Line number as in a spreadsheet: from 1, the head included, a multi-line cell counted once. */
  line: number
  /** The cells by field; without those whose column or cell is missing. */
  cells: Partial<Record<CsvField, string>>
  /** The reason why the line cannot be read; null when it can. */
  problem: string | null
}

export interface ConnectionCsv {
  lines: CsvLine[]
  /** Heads of unknown columns. */
  ignored: string[]
}

const maxColumns = 1000
/** Largest number of lines; a longer list is a mistake. */
const maxLines = 10_000

/**
 * Reads a list of connections: cells divided by commas, tabs or semicolons, whichever fits the head, quoted as in RFC
 * 4180. Throws a fault of kind `input` for a list without a head. No message contains the content of a cell.
 */
export function readCsv(text: string): ConnectionCsv {
  rejectTooLarge(text)
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  if (plain.includes('\0'))
    throw new FaultError('input', 'text: This is not text in UTF-8. Save the list as CSV in UTF-8.')
  const delimiter = delimiterOf(plain)
  const { data: rows, errors } = parse(plain, delimiter, maxRows)
  const problems = new Map(errors.map(({ row, code }) => [row ?? 0, problemOf(code)]))
  const first = rows.findIndex(isFilled)
  const head = headOf(rows[first] ?? [])
  if (rows.length - first - 1 > maxLines) throw new FaultError('input', tooManyLines)
  return {
    ignored: head.ignored,
    lines: rows.flatMap((row, index) =>
      index > first && isFilled(row) ? [lineOf(row, index + 1, head.fields, problems.get(index) ?? null)] : [],
    ),
  }
}

/** Number of rows that are read, including empty ones before the head; more rows exceed `maxLines`. */
const maxRows = 2 * maxLines + 2
/** Largest number of delimiters, line ends or quotes: a CA of 60 lines in each line, and a hundred columns. */
const maxSigns = 1_000_000

/** Parses rows. The fast mode of Papa Parse would divide the whole text into lines first. */
const parse = (text: string, delimiter: string, preview: number) =>
  Papa.parse<string[]>(text, { delimiter, newline: '\n', preview, fastMode: false })

/**
 * Throws for a text with too many delimiters, line ends or quotes before it is divided, because nothing else limits the
 * result.
 */
function rejectTooLarge(text: string): void {
  const counts = new Map([...',;\t"\n\r'].map((sign) => [sign.charCodeAt(0), 0]))
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // All of them have lower codes than the letters.
    if (code > 0x3b) continue
    const count = counts.get(code)
    if (count === undefined) continue
    if (count >= maxSigns)
      throw new FaultError(
        'input',
        code === 0x0a || code === 0x0d
          ? tooManyLines
          : 'text: There are more cells than a list of connections can have.',
      )
    counts.set(code, count + 1)
  }
}

const tooManyLines = `text: There are more than ${maxLines.toLocaleString('en-US')} lines. Import the list in parts.`

const isFilled = (row: readonly string[]): boolean => row.some((cell) => cell.trim() !== '')

/** Longest head, characters. */
const maxHeadLength = 100_000

/** Returns the delimiter that finds the most known columns in the head. */
function delimiterOf(text: string): string {
  const head = text.trimStart().slice(0, maxHeadLength)
  const found = [',', '\t', ';'].map((delimiter) => {
    const names = (parse(head, delimiter, 1).data[0] ?? []).map(columnOf)
    return { delimiter, known: names.filter((name) => name !== null).length }
  })
  return found.toSorted((a, b) => b.known - a.known)[0]?.delimiter ?? ','
}

/** Returns the column of a head: "Token URL" is `token_url`; null for an unknown one. */
function columnOf(head: string): Column | null {
  const name = head
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return columns.find((column) => column === name) ?? null
}

function headOf(row: readonly string[]): { fields: (CsvField | null)[]; ignored: string[] } {
  if (row.length > maxColumns) throw new FaultError('input', `text: There are more than ${maxColumns} columns.`)
  const names = row.map(columnOf)
  if (!names.includes('name'))
    throw new FaultError(
      'input',
      `text: The first line must name the columns: ${columns.join(', ')}. The column “name” is missing.`,
    )
  const twice = names.find((name, index) => name !== null && names.indexOf(name) !== index)
  if (twice !== undefined) throw new FaultError('input', `text: The column “${twice}” is there twice.`)
  return {
    fields: names.map((name) => (name === null ? null : csvColumns[name])),
    ignored: row
      .filter((head, index) => names[index] === null && head.trim() !== '')
      .map((head) => head.trim().slice(0, 100)),
  }
}

function lineOf(
  row: readonly string[],
  line: number,
  fields: readonly (CsvField | null)[],
  problem: string | null,
): CsvLine {
  const cells: CsvLine['cells'] = {}
  row.forEach((cell, index) => {
    const field = fields[index]
    if (field) cells[field] = readCell(field, cell)
  })
  const extra = row.slice(fields.length).some((cell) => cell.trim() !== '')
  const tooMany = `There are ${row.length} cells, and the head has ${fields.length}. Quote a cell that holds the divider.`
  return { line, cells, problem: problem ?? encodingProblem(cells) ?? (extra ? tooMany : null) }
}

function problemOf(code: string): string {
  return code === 'MissingQuotes'
    ? 'A quote is opened here and never closed: the lines after it cannot be read.'
    : 'The quotes of this line do not fit together.'
}

/** Returns the problem of a cell with U+FFFD, which replaces bytes that are not UTF-8; null where there is none. */
function encodingProblem(cells: CsvLine['cells']): string | null {
  const column = columns.find((name) => cells[csvColumns[name]]?.includes('\uFFFD'))
  return column === undefined
    ? null
    : `${column}: It holds bytes that are no UTF-8 text. Save the list as CSV in UTF-8.`
}

/** Removes the apostrophe that `csvCell` adds. Secrets are never exported, so they have none. */
function readCell(field: CsvField, cell: string): string {
  return field !== 'clientSecret' && cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell
}

/**
 * Returns the list as `readCsv` reads it, with an empty secret column. Begins with a byte order mark, for spreadsheets.
 */
export function writeCsv(inputs: readonly Omit<ConnectionInput, 'clientSecret'>[]): string {
  const rows = inputs.map((input) =>
    columns.map((column) => {
      const field = csvColumns[column]
      return field === 'clientSecret' ? '' : csvCell(input[field])
    }),
  )
  return `\uFEFF${[columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('')}`
}

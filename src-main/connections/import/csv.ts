import Papa from 'papaparse'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ConnectionInput } from '../../../src-shared/model/connection.ts'
import { csvCell } from '../../inventory/reads/export-cells.ts'
import { isFormula } from '../../inventory/reads/formula.ts'

export type CsvField = Exclude<keyof ConnectionInput, 'id'>

/** The columns of a list of connections and the fields that they fill, in the order in which they are written. */
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
  /** As a spreadsheet counts: from 1, the head included, a cell of many lines in one. */
  line: number
  /** Fields whose column the list lacks, or whose cell the line lacks, are missing. */
  cells: Partial<Record<CsvField, string>>
  /** Why the line cannot be read at all; null when it can. */
  problem: string | null
}

export interface ConnectionCsv {
  lines: CsvLine[]
  /** Heads of columns that are not known here. */
  ignored: string[]
}

const mostColumns = 1000
/** More lines than any operations room has customers are an accident. */
const mostLines = 10_000

/**
 * Reads a list of connections: cells divided by commas, tabs or semicolons, whichever makes sense of the head, quoted as
 * RFC 4180 says. Rejects a list without a head by a fault of kind `input`; nothing of a cell is in any of its words.
 */
export function readCsv(text: string): ConnectionCsv {
  rejectTooLarge(text)
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  if (plain.includes('\0'))
    throw new FaultError('input', 'text: This is not text in UTF-8. Save the list as CSV in UTF-8.')
  const delimiter = delimiterOf(plain)
  const { data: rows, errors } = parse(plain, delimiter, mostRows)
  const problems = new Map(errors.map(({ row, code }) => [row ?? 0, problemOf(code)]))
  const first = rows.findIndex(isFilled)
  const head = headOf(rows[first] ?? [])
  if (rows.length - first - 1 > mostLines) throw new FaultError('input', tooManyLines)
  return {
    ignored: head.ignored,
    lines: rows.flatMap((row, index) =>
      index > first && isFilled(row) ? [lineOf(row, index + 1, head.fields, problems.get(index) ?? null)] : [],
    ),
  }
}

/** Rows that are read at most, empty ones before the head too; what is more is more than `mostLines`. */
const mostRows = 2 * mostLines + 2
/** Dividers, line ends or quotes: a CA of 60 lines in each line, and a hundred columns. */
const mostSigns = 1_000_000

/** Its fast way would divide the whole text into lines before it looks at any. */
const parse = (text: string, delimiter: string, preview: number) =>
  Papa.parse<string[]>(text, { delimiter, newline: '\n', preview, fastMode: false })

/** Counts before anything is divided: what a text of twenty million signs becomes has no bound but this one. */
function rejectTooLarge(text: string): void {
  const counts = new Map([...',;\t"\n\r'].map((sign) => [sign.charCodeAt(0), 0]))
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // All of them come before the letters.
    if (code > 0x3b) continue
    const count = counts.get(code)
    if (count === undefined) continue
    if (count >= mostSigns)
      throw new FaultError(
        'input',
        code === 0x0a || code === 0x0d
          ? tooManyLines
          : 'text: There are more cells than a list of connections can have.',
      )
    counts.set(code, count + 1)
  }
}

const tooManyLines = `text: There are more than ${mostLines.toLocaleString('en-US')} lines. Import the list in parts.`

const isFilled = (row: readonly string[]): boolean => row.some((cell) => cell.trim() !== '')

/** What is behind this is no head. */
const longestHead = 100_000

/** The one that finds the most known columns in the head. */
function delimiterOf(text: string): string {
  const head = text.trimStart().slice(0, longestHead)
  const found = [',', '\t', ';'].map((delimiter) => {
    const names = (parse(head, delimiter, 1).data[0] ?? []).map(columnOf)
    return { delimiter, known: names.filter((name) => name !== null).length }
  })
  return found.toSorted((a, b) => b.known - a.known)[0]?.delimiter ?? ','
}

/** "Token URL" is `token_url`. */
function columnOf(head: string): Column | null {
  const name = head
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return columns.find((column) => column === name) ?? null
}

function headOf(row: readonly string[]): { fields: (CsvField | null)[]; ignored: string[] } {
  if (row.length > mostColumns) throw new FaultError('input', `text: There are more than ${mostColumns} columns.`)
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
  return { line, cells, problem: problem ?? strangeText(cells) ?? (extra ? tooMany : null) }
}

function problemOf(code: string): string {
  return code === 'MissingQuotes'
    ? 'A quote is opened here and never closed: the lines after it cannot be read.'
    : 'The quotes of this line do not fit together.'
}

/** U+FFFD is what is left of bytes that are no UTF-8. */
function strangeText(cells: CsvLine['cells']): string | null {
  const column = columns.find((name) => cells[csvColumns[name]]?.includes('\uFFFD'))
  return column === undefined
    ? null
    : `${column}: It holds bytes that are no UTF-8 text. Save the list as CSV in UTF-8.`
}

/** What `csvCell` put before it is taken away. A secret is never written, so nothing was put before it. */
function readCell(field: CsvField, cell: string): string {
  return field !== 'clientSecret' && cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell
}

/** The list as `readSheet` reads it, with the column of the secrets empty. Begins with a byte order mark, for spreadsheets. */
export function writeCsv(inputs: readonly Omit<ConnectionInput, 'clientSecret'>[]): string {
  const rows = inputs.map((input) =>
    columns.map((column) => {
      const field = csvColumns[column]
      return field === 'clientSecret' ? '' : csvCell(input[field])
    }),
  )
  return `\uFEFF${[columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('')}`
}

import type { ConnectionInput } from '../../../src-shared/model/connection.ts'
import { csvCell } from '../../../src-shared/text/csv.ts'
import { readTable, withoutApostrophe, type TableForm } from './table.ts'

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

/** Largest number of lines; a longer list is a mistake. */
const maxLines = 10_000

const form: TableForm<Column> = {
  columns,
  missing: (found) =>
    found.includes('name')
      ? null
      : `The first line must name the columns: ${columns.join(', ')}. The column “name” is missing.`,
  maxLines,
  tooManyLines: `There are more than ${maxLines.toLocaleString('en-US')} lines. Import the list in parts.`,
  tooManyCells: 'There are more cells than a list of connections can have.',
}

/**
 * Reads a list of connections (`readTable`). Throws a fault of kind `input` for a list without a head. No message contains
 * the content of a cell.
 */
export function readCsv(text: string): ConnectionCsv {
  const { columns: heads, ignored, lines } = readTable(text, form)
  return {
    ignored,
    lines: lines.map(({ line, cells: row, problem }) => {
      const cells: CsvLine['cells'] = {}
      row.forEach((cell, index) => {
        const head = heads[index]
        if (head) cells[csvColumns[head]] = readCell(csvColumns[head], cell)
      })
      return { line, cells, problem }
    }),
  }
}

/** Secrets are never exported, so they have no apostrophe of `csvCell`. */
const readCell = (field: CsvField, cell: string): string => (field === 'clientSecret' ? cell : withoutApostrophe(cell))

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

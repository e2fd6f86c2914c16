import type { TableFormat } from '../../../../src-shared/model/query-table.ts'
import { csvCell, tsvCell } from '../../../../src-shared/text/csv.ts'
import type { Source } from './outline.ts'
import type { TableColumn, TableRows } from './rows.ts'
import { cellKind, jsonOf, shownText, type Value } from './values.ts'

/** Rows of one part of a file. */
const partRows = 1_000
/** A part ends with the row that makes it this long, characters: rows may be long. */
const partLength = 4_000_000

export interface ExportOptions {
  source: Source
  rows: TableRows
  /** All columns, and the indexes of those that are written, in order. */
  columns: readonly TableColumn[]
  shown: readonly number[]
  format: TableFormat
  /** The rows that are written, in order. */
  order: Uint32Array
}

/** Returns the part of a file from the row at this place on; `next`: the place that follows, null at the end. */
export function tablePart(options: ExportOptions, from: number): { text: string; next: number | null } {
  const { order, format, rows } = options
  const most = Math.min(order.length, from + partRows)
  let text = from === 0 ? headOf(options) : ''
  let at = from
  for (; at < most && text.length < partLength; at += 1) {
    rows.read(order[at] ?? 0)
    text += lineOf(options, at === 0)
  }
  const isLast = at >= order.length
  if (isLast && format === 'json') text += '\n]\n'
  return { text, next: isLast ? null : at }
}

function headOf({ columns, shown, format }: ExportOptions): string {
  const heads = shown.map((column) => columns[column]?.name ?? '')
  if (format === 'csv') return `\uFEFF${heads.map(csvCell).join(',')}\r\n`
  if (format === 'tsv') return `${heads.map(tsvCell).join('\t')}\n`
  return format === 'json' ? '[' : ''
}

function lineOf(options: ExportOptions, isFirst: boolean): string {
  const { shown, format } = options
  switch (format) {
    case 'csv':
      return `${shown.map((column) => cellOf(options, column, csvCell)).join(',')}\r\n`
    case 'tsv':
      return `${shown.map((column) => cellOf(options, column, tsvCell)).join('\t')}\n`
    case 'json':
      return `${isFirst ? '' : ','}\n${objectOf(options)}`
    case 'ndjson':
      return `${objectOf(options)}\n`
  }
}

function valueOf({ rows }: ExportOptions, column: number): Value | null {
  const from = rows.froms[column] ?? -1
  return from < 0 ? null : { from, line: rows.lines[column] ?? 0 }
}

const jsonNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u

/** A number is written as the service sent it; a list or an object as its JSON. */
function cellOf(options: ExportOptions, column: number, write: (text: string) => string): string {
  const value = valueOf(options, column)
  if (value === null) return ''
  const kind = cellKind(options.source, value.from)
  if (kind === 'list' || kind === 'object') return write(oneLine(jsonOf(options.source, value)))
  const text = shownText(options.source, value, kind)
  return kind === 'number' && jsonNumber.test(text) ? text : write(text)
}

/** Within JSON a line break is no part of a text. */
const oneLine = (json: string): string => json.replaceAll(/[\r\n\t]+/gu, ' ')

/** Returns a row as JSON, its columns by their names; what it has not is left out. */
function objectOf(options: ExportOptions): string {
  const members: string[] = []
  for (const column of options.shown) {
    const value = valueOf(options, column)
    if (value === null) continue
    const json = oneLine(jsonOf(options.source, value))
    members.push(
      `${JSON.stringify(options.columns.at(column)?.name ?? '')}:${isJson(json) ? json : JSON.stringify(json)}`,
    )
  }
  return `{${members.join(',')}}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import type {
  TableCell,
  TableFormat,
  TableOf,
  TableRow,
  TableView,
  tablePage as sharedTablePage,
} from '../../../../src-shared/model/query-table.ts'
import { tablePart } from './export.ts'
import { matchingRows, readTableFilter } from './filter.ts'
import { idColumnsOf } from './id-columns.ts'
import { outlineOf, type Outline, type Source } from './outline.ts'
import {
  columnsIn,
  maxColumns,
  maxTables,
  rowsOf,
  tablesIn,
  type FoundTable,
  type TableColumn,
  type TableRows,
} from './rows.ts'
import { sortedRows } from './sort.ts'
import { cellKind, shownText } from './values.ts'

/** A table of an answer, by the answer's id and the table's index among `tables`. */
export interface TableId {
  id: string
  table: number
}

/** The answers as tables. Each call returns null for an answer that is not kept, or has no such table. */
export interface Tables {
  /** Lists of objects, the longest first. `more`: how many others there are. `isCut`: not all paths were read. */
  tables(id: string): { tables: TableOf[]; more: number; isCut: boolean } | null
  /** `columnCount`: of all, where there are more than are shown. `isCut`: the text ends within a row, which is left out. */
  table(of: TableId): {
    columns: string[]
    columnCount: number
    rows: number
    isCut: boolean
    /** Indexes of the columns that may have ids of devices. */
    idColumns: number[]
  } | null
  /** `total`: of the rows that match. `problem`: why the filter cannot be read; then none match. */
  tableRows(of: TableId & { view: TableView; offset: number; limit: number }): TableRowsPart | null
  /** The whole value of a cell, up to a bound. */
  tableCell(of: TableId & { row: number; column: number }): { cell: TableCell | null } | null
  /** A part of a file. `range`: only these of the rows that match, in their order; null: all. `from`: within them. */
  tableExport(
    of: TableId & { view: TableView; format: TableFormat; range: { from: number; to: number } | null; from: number },
  ): { text: string; next: number | null; total: number } | null
  /** The different texts of a column in the rows that match, in their order, and how many rows have none. */
  tableTexts(
    of: TableId & { view: TableView; column: number; limit: number },
  ): { texts: string[]; rows: number; isCut: boolean } | null
}

export interface TableRowsPart {
  total: number
  problem: string | null
  rows: TableRow[]
}

/** As in query-table.ts, whose schemas the thread does not need. */
const tablePage: typeof sharedTablePage = 200
/** Longest text of a cell in a list of rows, and of one that is asked for, characters. */
const shownLength = 300
const wholeLength = 200_000
/** Most orders of rows that are kept for a table. */
const keptOrders = 4

interface Opened {
  source: Source
  found: FoundTable
  columns: readonly TableColumn[]
  columnCount: number
  rows: TableRows
  /** Rows by filter and sort, the last used one last. */
  orders: Map<string, { order: Uint32Array; problem: string | null }>
}

interface Known {
  outline: Outline
  tables: FoundTable[]
  opened: Map<number, Opened>
}

/** Returns what is read of the answers; it is kept as long as their text. */
function readAnswers(sourceOf: (id: string) => Source | null) {
  const known = new WeakMap<Uint8Array, Known>()
  /** The table whose values are kept (`TableRows.keep`): that of one at a time. */
  let last: Opened | null = null
  const knownOf = (id: string): (Known & { source: Source }) | null => {
    const source = sourceOf(id)
    if (source === null) return null
    const before = known.get(source.bytes)
    if (before !== undefined) return { ...before, source }
    const outline = outlineOf(source)
    const made = { outline, tables: tablesIn(outline), opened: new Map<number, Opened>() }
    known.set(source.bytes, made)
    return { ...made, source }
  }
  const opened = ({ id, table }: TableId): Opened | null => {
    const answer = knownOf(id)
    const found = answer?.tables[table]
    if (answer === null || found === undefined) return null
    const before = answer.opened.get(table)
    if (before !== undefined) return before
    const made = openTable(answer.source, found)
    answer.opened.set(table, made)
    return made
  }
  const ordered = (table: Opened, view: TableView) => {
    if (last !== table) last?.rows.release()
    last = table
    return orderOf(table, view)
  }
  return { knownOf, opened, ordered }
}

/** `sourceOf`: the text of an answer; null: it is not kept. */
export function createTables(sourceOf: (id: string) => Source | null): Tables {
  const { knownOf, opened, ordered } = readAnswers(sourceOf)
  return {
    tables(id) {
      const answer = knownOf(id)
      if (answer === null) return null
      const { tables, outline } = answer
      return {
        tables: tables.slice(0, maxTables).map(({ name, count, within }) => ({ name, rows: count, within })),
        more: Math.max(0, tables.length - maxTables),
        isCut: outline.isCut,
      }
    },
    table(of) {
      const table = opened(of)
      if (table === null) return null
      const { columns, columnCount, rows } = table
      return {
        columns: columns.map(({ name }) => name),
        columnCount,
        rows: rows.count,
        isCut: rows.isCut,
        idColumns: idColumnsOf(columns),
      }
    },
    tableRows({ view, offset, limit, ...of }) {
      const table = opened(of)
      if (table === null) return null
      const { order, problem } = ordered(table, view)
      const part = order.subarray(offset, offset + Math.min(limit, tablePage))
      return { total: order.length, problem, rows: [...part].map((row) => rowAt(table, row, view.columns)) }
    },
    tableCell({ row, column, ...of }) {
      const table = opened(of)
      if (table === null || row >= table.rows.count) return null
      table.rows.read(row)
      return { cell: cellAt(table, column, wholeLength) }
    },
    tableExport({ view, format, range, from, ...of }) {
      const table = opened(of)
      if (table === null) return null
      const { source, rows, columns } = table
      const all = ordered(table, view).order
      const order = range === null ? all : all.subarray(range.from, range.to)
      const part = tablePart({ source, rows, columns, shown: view.columns, format, order }, from)
      return { ...part, total: order.length }
    },
    tableTexts({ view, column, limit, ...of }) {
      const table = opened(of)
      return table === null ? null : textsOf(table, ordered(table, view).order, column, limit)
    },
  }
}

function openTable(source: Source, found: FoundTable): Opened {
  const all = columnsIn(found)
  const columns = all.slice(0, maxColumns)
  return {
    source,
    found,
    columns,
    columnCount: all.length,
    rows: rowsOf(source, found, columns),
    orders: new Map(),
  }
}

/** Returns the rows that match, in order. A text is looked for in the shown columns only, so they are a part of the key. */
function orderOf({ source, rows, columns, orders }: Opened, { columns: shown, filter, sort }: TableView) {
  const key = JSON.stringify([filter, filter === '' ? [] : shown.toSorted((one, other) => one - other), sort])
  const before = orders.get(key)
  if (before !== undefined) {
    orders.delete(key)
    orders.set(key, before)
    return before
  }
  if (filter !== '' || sort !== null) rows.keep()
  const read = readTableFilter(filter, columns, shown)
  const found = 'problem' in read ? new Uint32Array(0) : matchingRows(source, rows, read.terms)
  const order = sort === null || found.length < 2 ? found : sortedRows(source, rows, found, sort)
  const made = { order, problem: 'problem' in read ? read.problem : null }
  orders.set(key, made)
  for (const old of [...orders.keys()].slice(0, Math.max(0, orders.size - keptOrders))) orders.delete(old)
  return made
}

function rowAt(table: Opened, row: number, shown: readonly number[]): TableRow {
  table.rows.read(row)
  return { row, cells: shown.map((column) => cellAt(table, column, shownLength)) }
}

/** Returns a cell of the row that was read last. */
function cellAt({ source, rows }: Opened, column: number, length: number): TableCell | null {
  const from = rows.froms[column] ?? -1
  if (from < 0) return null
  const kind = cellKind(source, from)
  const text = shownText(source, { from, line: rows.lines[column] ?? 0 }, kind)
  return { kind, text: text.slice(0, length), isCut: text.length > length }
}

function textsOf({ source, rows }: Opened, order: Uint32Array, column: number, limit: number) {
  const texts = new Set<string>()
  let found = 0
  let isCut = false
  for (const row of order) {
    rows.read(row)
    const from = rows.froms[column] ?? -1
    if (from < 0 || cellKind(source, from) === 'null') continue
    const text = shownText(source, { from, line: rows.lines[column] ?? 0 })
    if (texts.size >= limit && !texts.has(text)) isCut = true
    else {
      texts.add(text)
      found += 1
    }
  }
  return { texts: [...texts], rows: found, isCut }
}

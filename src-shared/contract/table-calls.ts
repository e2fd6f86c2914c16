import { z } from 'zod'
import { tableCell, tableColumns, tableFormats, tableOf, tablePage, tableRow, tableView } from '../model/query-table.ts'

const id = z.string().max(64)
/** A table of a run's answer, by its index in `query.tables`. */
const table = { run: id, table: z.int().min(0).max(1_000) }
const column = z.int().min(0).max(tableColumns)

/** Most ids of devices that a filter is made of. */
export const maxShownDevices = 5_000

/**
 * The answers of the query screen as tables: a part of the contract (contract.ts). All fail with `input` for an answer that is
 * not kept any more.
 */
export const tableCalls = {
  /** Returns the lists of objects in an answer, the longest first. `more`: how many others there are. `isCut`: not all of it was read. */
  'query.tables': {
    input: z.object({ run: id }),
    output: z.object({ tables: z.array(tableOf), more: z.number(), isCut: z.boolean() }),
  },
  /**
   * Returns the columns of a table: the paths in its rows, the first 200 of `columnCount`. `isCut`: the answer ends within a row,
   * which is left out. `idColumns`: those that may have ids of devices, by index.
   */
  'query.table': {
    input: z.object(table),
    output: z.object({
      columns: z.array(z.string()),
      columnCount: z.number(),
      rows: z.number(),
      isCut: z.boolean(),
      idColumns: z.array(z.number()),
    }),
  },
  /** Returns rows that match, in order, with the cells of the view's columns. `problem`: why the filter cannot be read; then none match. */
  'query.tableRows': {
    input: z.object({
      ...table,
      view: tableView,
      offset: z.int().min(0),
      limit: z.int().min(1).max(tablePage),
    }),
    output: z.object({ total: z.number(), problem: z.string().nullable(), rows: z.array(tableRow) }),
  },
  /** Returns one cell as a whole, of `row` (its place in the answer). */
  'query.tableCell': {
    input: z.object({ ...table, row: z.int().min(0), column }),
    output: z.object({ cell: tableCell.nullable() }),
  },
  /**
   * Returns a part of a file with the rows that match, or only with those from `range.from` to `range.to` (exclusive) of their
   * order. `from`: 0, then the `next` of the part before; null: it was the last one.
   */
  'query.tableExport': {
    input: z.object({
      ...table,
      view: tableView,
      format: z.enum(tableFormats),
      range: z.object({ from: z.int().min(0), to: z.int().min(0) }).nullable(),
      from: z.int().min(0),
    }),
    output: z.object({ text: z.string(), next: z.number().nullable(), total: z.number() }),
  },
  /**
   * Returns the keys of the devices that have these ids; several where tenants have devices of the same id. `connection`: only in
   * the tenants that it lists; null: in all.
   */
  'query.devices': {
    input: z.object({ connection: id.nullable(), ids: z.array(z.string().max(300)).max(1_000) }),
    output: z.object({ devices: z.array(z.object({ id: z.string(), keys: z.array(z.string()) })) }),
  },
  /**
   * Returns the filter of the inventory for the devices whose ids are in a column of the rows that match. `devices`: how many it
   * has; `unknown`: how many ids no device of the inventory has. `isCut`: there are more ids than a filter has.
   */
  'query.tableDevices': {
    input: z.object({ ...table, view: tableView, column, connection: id.nullable() }),
    output: z.object({ filter: z.string(), devices: z.number(), unknown: z.number(), isCut: z.boolean() }),
  },
}

import { z } from 'zod'

export const cellKinds = ['text', 'number', 'boolean', 'null', 'list', 'object'] as const
export type CellKind = (typeof cellKinds)[number]

/** A cell of an answer's table. `text`: as it is shown, its beginning where it is long. */
export const tableCell = z.object({ kind: z.enum(cellKinds), text: z.string(), isCut: z.boolean() })
export type TableCell = z.infer<typeof tableCell>

/** A row: `row` is its place in the answer, from 0; null: the row has no such member. */
export const tableRow = z.object({ row: z.number(), cells: z.array(tableCell.nullable()) })
export type TableRow = z.infer<typeof tableRow>

/** Most rows of one reading, and most columns of a table. */
export const tablePage = 200
export const tableColumns = 200

const column = z.int().min(0).max(tableColumns)

/** Which rows of a table are asked for, and how: `columns` are the shown ones in their order, by index. */
export const tableView = z.object({
  columns: z.array(column).max(tableColumns),
  /** Words of the filter: `text`, `column:value`, `column~part`, `column:>5`, with `-` before those that must not match. */
  filter: z.string().max(2_000),
  sort: z.object({ column, direction: z.enum(['asc', 'desc']) }).nullable(),
})
export type TableView = z.infer<typeof tableView>

export const tableFormats = ['csv', 'json', 'ndjson', 'tsv'] as const
export type TableFormat = (typeof tableFormats)[number]

/** A table of an answer. `within`: how many other lists are around its own. */
export const tableOf = z.object({ name: z.string(), rows: z.number(), within: z.number() })
export type TableOf = z.infer<typeof tableOf>

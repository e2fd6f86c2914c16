import type { TableOf, TableView } from '../../../src-shared/model/query-table.ts'

export type AnswerPart = 'json' | 'table' | 'errors' | 'headers'

/** A column that is shown; `width` in CSS pixels, null: by its content. */
export interface ShownColumn {
  name: string
  width: number | null
}

/** What the operator chose to see of a tab's answers. Lists and columns are known by their names: each run has its own. */
export interface TableChoice {
  /** Null: what suits the answer. */
  part: AnswerPart | null
  /** Name of the list; null: the first one. */
  list: string | null
  /** In their order; null: the first ones of the table. */
  columns: readonly ShownColumn[] | null
  sort: { column: string; direction: 'asc' | 'desc' } | null
  filter: string
}

export const firstChoice: TableChoice = { part: null, list: null, columns: null, sort: null, filter: '' }

/** Most columns that are shown without being chosen. */
export const firstColumns = 30
/** Fewest rows of a list that is shown as a table at first. */
const worthRows = 5

/** Returns whether an answer is shown as a table at first: it has one list that is in no other, and that is not short. */
export function isWorthTable(tables: readonly TableOf[]): boolean {
  const outer = tables.filter(({ within }) => within === 0)
  return outer.length === 1 && (outer[0]?.rows ?? 0) >= worthRows
}

/** Returns the columns to show of those that the table has; never none. */
export function shownColumns(names: readonly string[], columns: TableChoice['columns']): readonly ShownColumn[] {
  const known = new Set(names)
  const shown = (columns ?? []).filter(({ name }) => known.has(name))
  return shown.length > 0 ? shown : names.slice(0, firstColumns).map((name) => ({ name, width: null }))
}

/** Returns the columns with one moved to a place, which is clamped. */
export function movedColumn(columns: readonly ShownColumn[], name: string, to: number): readonly ShownColumn[] {
  const column = columns.find((each) => each.name === name)
  if (column === undefined) return columns
  const place = Math.max(0, Math.min(columns.length - 1, to))
  return columns.filter((each) => each !== column).toSpliced(place, 0, column)
}

/** Returns the columns with one more at the end, or without it; the last one stays. */
export function toggledColumn(columns: readonly ShownColumn[], name: string): readonly ShownColumn[] {
  const without = columns.filter((each) => each.name !== name)
  if (without.length === columns.length) return [...columns, { name, width: null }]
  return without.length === 0 ? columns : without
}

const [narrowest, widest] = [48, 1200]

export function resizedColumn(
  columns: readonly ShownColumn[],
  name: string,
  width: number | null,
): readonly ShownColumn[] {
  const stored = width === null ? null : Math.round(Math.max(narrowest, Math.min(widest, width)))
  return columns.map((each) => (each.name === name ? { name, width: stored } : each))
}

/** Returns the order after a press on a head: by that column, then the other way, then as the answer has it. */
export function sortedBy(sort: TableChoice['sort'], column: string): TableChoice['sort'] {
  if (sort?.column !== column) return { column, direction: 'asc' }
  return sort.direction === 'asc' ? { column, direction: 'desc' } : null
}

/** Returns what is asked of the core: columns by their index. */
export function viewOf(names: readonly string[], { columns, sort, filter }: TableChoice): TableView {
  const places = new Map(names.map((name, index) => [name, index]))
  const column = sort === null ? undefined : places.get(sort.column)
  return {
    columns: shownColumns(names, columns).flatMap(({ name }) => places.get(name) ?? []),
    filter: filter.trim(),
    sort: sort === null || column === undefined ? null : { column, direction: sort.direction },
  }
}

import { plainValues } from '../../../src-shared/model/base-fields.ts'
import { sortColumns, type ColumnId, type ExtraColumn } from '../../../src-shared/model/inventory.ts'

/** A column of the table; `width` in CSS pixels, null for the default. */
export interface ShownColumn {
  id: ColumnId
  width: number | null
}

/** The default columns, which fit into a window of 1440 CSS pixels. */
export const defaultColumns: readonly ColumnId[] = ['status', 'name', 'since', 'site', 'tenant', 'seenAt']

/** Muster's own columns that are not shown by default, in the order in which they are offered. */
export const offeredColumns: readonly ColumnId[] = sortColumns.filter((id) => !defaultColumns.includes(id))

const own: ReadonlySet<string> = new Set(sortColumns)

/** Returns the extra field's name of a column; null for one of Muster's own. */
export function extraName(id: ColumnId): string | null {
  return id.startsWith('extra:') ? id.slice('extra:'.length) : null
}

/**
 * Returns the columns to show: the stored ones, or the default ones when none are stored, without duplicates and
 * without extra columns that are off. Never empty.
 */
export function shownColumns(stored: readonly ShownColumn[], extra: readonly ExtraColumn[]): readonly ShownColumn[] {
  const on = new Set(extra.filter((column) => column.on).map(({ name }) => `extra:${name}`))
  const seen = new Set<string>()
  const shown = stored.filter(({ id }) => {
    const there = (own.has(id) || on.has(id)) && !seen.has(id)
    seen.add(id)
    return there
  })
  return shown.length > 0 ? shown : defaultColumns.map((id) => ({ id, width: null }))
}

/** Returns the columns with one moved to index `to`, which is clamped. Returns the same list when nothing changes. */
export function movedColumn(columns: readonly ShownColumn[], id: ColumnId, to: number): readonly ShownColumn[] {
  const column = columns.find((each) => each.id === id)
  const place = Math.max(0, Math.min(columns.length - 1, to))
  if (column === undefined || columns[place]?.id === id) return columns
  return columns.filter((each) => each.id !== id).toSpliced(place, 0, column)
}

export const narrowest = 48
export const widest = 1200

export function resizedColumn(
  columns: readonly ShownColumn[],
  id: ColumnId,
  width: number | null,
): readonly ShownColumn[] {
  const stored = width === null ? null : Math.round(Math.max(narrowest, Math.min(widest, width)))
  return columns.map((column) => (column.id === id ? { id, width: stored } : column))
}

/**
 * Returns the columns with or without one. A new column is placed after the name, where it is visible at once; the last
 * column cannot be removed.
 */
export function toggledColumn(columns: readonly ShownColumn[], id: ColumnId, on: boolean): readonly ShownColumn[] {
  const rest = columns.filter((column) => column.id !== id)
  if (!on) return rest.length > 0 ? rest : columns
  if (rest.length < columns.length) return columns
  return columns.toSpliced(columns.findIndex((column) => column.id === 'name') + 1 || columns.length, 0, {
    id,
    width: null,
  })
}

/** The default size of a column: at least `minWidth` CSS pixels, and a share of the remaining width. */
export interface Measure {
  minWidth: number
  share: number
}

const measures: Readonly<Partial<Record<ColumnId, Measure>>> = {
  status: { minWidth: 100, share: 0 },
  name: { minWidth: 216, share: 1.9 },
  since: { minWidth: 118, share: 0 },
  seenAt: { minWidth: 100, share: 0 },
  placedAt: { minWidth: 112, share: 0 },
  ...plainValues(
    () => ({ minWidth: 116, share: 0.9 }),
    () => ({ minWidth: 164, share: 0 }),
  ),
  room: { minWidth: 104, share: 0.9 },
  site: { minWidth: 128, share: 1 },
  account: { minWidth: 128, share: 1 },
  tenant: { minWidth: 128, share: 1 },
  region: { minWidth: 68, share: 0 },
  lastDetected: { minWidth: 118, share: 0 },
  id: { minWidth: 150, share: 0.5 },
}

export function measureOf(id: ColumnId): Measure {
  return measures[id] ?? { minWidth: 136, share: 0.6 }
}

/**
 * Returns the grid template for these columns, the width below which the table scrolls horizontally, the position of
 * the second column, and the end of the sticky columns then; all in CSS pixels.
 */
export function templateOf(columns: readonly ShownColumn[]): {
  template: string
  minWidth: number
  first: number
  sticky: number
} {
  // When every column has a fixed width, the last track takes the rest.
  const flexible = columns.some(({ id, width }) => width === null && measureOf(id).share > 0)
  const tracks = columns.map(({ id, width }) => {
    const { minWidth, share } = measureOf(id)
    if (width !== null) return `${width}px`
    return share === 0 ? `${minWidth}px` : `minmax(${minWidth}px, ${share}fr)`
  })
  const minWidth = columns.reduce((sum, { id, width }) => sum + (width ?? measureOf(id).minWidth), edges)
  const end = (upTo: number) =>
    columns.slice(0, upTo).reduce((sum, { id, width }) => sum + (width ?? measureOf(id).minWidth), edges / 2)
  return {
    template: flexible ? tracks.join(' ') : `${tracks.join(' ')} minmax(0, 1fr)`,
    minWidth,
    first: end(1),
    sticky: end(stickyColumns(columns)),
  }
}

/** The row's padding on both sides together, in CSS pixels. */
const edges = 12

/**
 * Returns how many columns at the start are sticky when the table scrolls horizontally: the status and the name after
 * it, or else only the first.
 */
export function stickyColumns(columns: readonly ShownColumn[]): number {
  return columns[0]?.id === 'status' && columns[1]?.id === 'name' ? 2 : 1
}

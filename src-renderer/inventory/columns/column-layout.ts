import { plainValues } from '../../../src-shared/model/base-fields.ts'
import { sortColumns, type ColumnId, type ExtraColumn } from '../../../src-shared/model/inventory.ts'

/** A column of the table as it stands there; `width` in CSS pixels, null for the usual one. */
export interface ShownColumn {
  id: ColumnId
  width: number | null
}

/** What a new operator sees: as many as fit into a window of 1440 pixels. */
export const usualColumns: readonly ColumnId[] = ['status', 'name', 'since', 'site', 'tenant', 'seenAt']

/** Muster's own columns that are off at first, in the order in which they are offered. */
export const offeredColumns: readonly ColumnId[] = sortColumns.filter((id) => !usualColumns.includes(id))

const own: ReadonlySet<string> = new Set(sortColumns)

/** The extra field's name of a column; null for one of Muster's own. */
export function extraName(id: ColumnId): string | null {
  return id.startsWith('extra:') ? id.slice('extra:'.length) : null
}

/**
 * What the table shows: `kept` (the usual ones when nothing is kept), each once, without the extra columns that are
 * not switched on. Never empty.
 */
export function shownColumns(kept: readonly ShownColumn[], extra: readonly ExtraColumn[]): readonly ShownColumn[] {
  const on = new Set(extra.filter((column) => column.on).map(({ name }) => `extra:${name}`))
  const seen = new Set<string>()
  const shown = kept.filter(({ id }) => {
    const there = (own.has(id) || on.has(id)) && !seen.has(id)
    seen.add(id)
    return there
  })
  return shown.length > 0 ? shown : usualColumns.map((id) => ({ id, width: null }))
}

/** The column put at `to` (from 0, kept within the list); the same list when it is not in it or stands there. */
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
  const kept = width === null ? null : Math.round(Math.max(narrowest, Math.min(widest, width)))
  return columns.map((column) => (column.id === id ? { id, width: kept } : column))
}

/** With the column beside the name, where it is seen at once, or without it; the last one stays. */
export function toggledColumn(columns: readonly ShownColumn[], id: ColumnId, on: boolean): readonly ShownColumn[] {
  const rest = columns.filter((column) => column.id !== id)
  if (!on) return rest.length > 0 ? rest : columns
  if (rest.length < columns.length) return columns
  return columns.toSpliced(columns.findIndex((column) => column.id === 'name') + 1 || columns.length, 0, {
    id,
    width: null,
  })
}

/** What a column takes when nobody set its width: at least `least` CSS pixels, and a share of what is left over. */
export interface Measure {
  least: number
  share: number
}

const measures: Readonly<Partial<Record<ColumnId, Measure>>> = {
  status: { least: 100, share: 0 },
  name: { least: 216, share: 1.9 },
  since: { least: 118, share: 0 },
  seenAt: { least: 100, share: 0 },
  ...plainValues(
    () => ({ least: 116, share: 0.9 }),
    () => ({ least: 164, share: 0 }),
  ),
  room: { least: 104, share: 0.9 },
  site: { least: 128, share: 1 },
  tenant: { least: 128, share: 1 },
  region: { least: 68, share: 0 },
  lastDetected: { least: 118, share: 0 },
  id: { least: 150, share: 0.5 },
}

export function measureOf(id: ColumnId): Measure {
  return measures[id] ?? { least: 136, share: 0.6 }
}

/**
 * The grid's template for these columns, the width under which the table scrolls sideways, where the second column begins, and where those end that stay in
 * sight then; all in CSS pixels.
 */
export function templateOf(columns: readonly ShownColumn[]): {
  template: string
  least: number
  first: number
  sticky: number
} {
  // Where every column has a width of its own, what is left over is nobody's: the last track takes it.
  const flexible = columns.some(({ id, width }) => width === null && measureOf(id).share > 0)
  const tracks = columns.map(({ id, width }) => {
    const { least, share } = measureOf(id)
    if (width !== null) return `${width}px`
    return share === 0 ? `${least}px` : `minmax(${least}px, ${share}fr)`
  })
  const least = columns.reduce((sum, { id, width }) => sum + (width ?? measureOf(id).least), edges)
  const end = (upTo: number) =>
    columns.slice(0, upTo).reduce((sum, { id, width }) => sum + (width ?? measureOf(id).least), edges / 2)
  return {
    template: flexible ? tracks.join(' ') : `${tracks.join(' ')} minmax(0, 1fr)`,
    least,
    first: end(1),
    sticky: end(stickyColumns(columns)),
  }
}

/** The row's padding at both sides. */
const edges = 12

/** How many columns at the start stay in sight when the table scrolls sideways: the status and the name after it, else the first. */
export function stickyColumns(columns: readonly ShownColumn[]): number {
  return columns[0]?.id === 'status' && columns[1]?.id === 'name' ? 2 : 1
}

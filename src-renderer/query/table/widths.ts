import type { ShownColumn } from './choice.ts'
import type { LoadedRow } from './source.ts'

/** CSS pixels: of a letter, of what is around a text, and the bounds of a width that is not chosen. */
const [letter, around, narrowest, widest] = [7.5, 26, 72, 320]
/** Rows by which a width is chosen. */
const sampled = 60

/** Returns the widths of columns in CSS pixels: as chosen, or by their names and the first rows. */
export function widthsOf(
  shown: readonly ShownColumn[],
  names: readonly string[],
  rows: readonly LoadedRow[],
): number[] {
  return shown.map(({ name, width }) => {
    if (width !== null) return width
    const column = names.indexOf(name)
    const longest = rows
      .slice(0, sampled)
      .reduce((most, { cells }) => Math.max(most, cells.get(column)?.text.length ?? 0), name.length + 2)
    return Math.round(Math.max(narrowest, Math.min(widest, longest * letter + around)))
  })
}

/** A shown column: its index among all of the table, and its width in CSS pixels. */
export interface GridColumn {
  name: string
  index: number
  width: number
}

export const templateOf = (columns: readonly GridColumn[]): string =>
  columns.map(({ width }, place) => (place === columns.length - 1 ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' ')

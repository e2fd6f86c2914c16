import type { ShownColumn } from './choice.ts'
import type { LoadedRow } from './source.ts'

/** CSS pixels: of a letter, of what is around a text, and the bounds of a width that is not chosen. */
const [letter, around, least, most] = [7, 22, 72, 320]
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
    const lengths = rows.slice(0, sampled).map(({ cells }) => cells.get(names.indexOf(name))?.text.length ?? 0)
    const longest = Math.max(name.length + 2, ...lengths)
    return Math.round(Math.max(least, Math.min(most, longest * letter + around)))
  })
}

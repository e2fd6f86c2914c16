import { contained } from './direction.ts'
import { isFormula } from './formula.ts'

/** A cell of an export: a time in ms, a number, or text; null: none; undefined: not read. */
export type Cell = { at: number } | number | boolean | string | null | undefined

/** ISO 8601 in UTC; a time that no calendar has is its number. */
export function isoTime(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at)
}

/**
 * A cell as text. A text that a spreadsheet would take for a formula gets an apostrophe, and one with direction marks
 * is contained; numbers stay as they are.
 */
export function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  if (typeof cell === 'object') return isoTime(cell.at)
  const text = contained(cell)
  return isFormula(text) ? `'${text}` : text
}

/** RFC 4180: quoted where it must be, and where another separator would cut it. */
export function csvCell(cell: Cell): string {
  const text = cellText(cell)
  return /[",;\t\r\n]|^\s|\s$/u.test(text) ? quoted(text) : text
}

/** Cells as a line without its end. */
export const csvLine = (cells: readonly Cell[]): string => cells.map((cell) => csvCell(cell)).join(',')

/**
 * Tabs and line breaks would be cells and rows of their own; an unpaired quote would swallow those after it.
 */
export function tsvCell(cell: Cell): string {
  const text = cellText(cell).replaceAll(/[\t\r\n]+/gu, ' ')
  return text.includes('"') ? quoted(text) : text
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

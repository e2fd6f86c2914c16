import type { ExtraColumn } from '../model/inventory.ts'

/** Numbers below this are seconds. Since 1973, ms since the epoch are larger. */
const seconds = 100_000_000_000

/**
 * Returns the number by which an extra column's value is sorted and compared: a number unchanged, a time as ms since
 * the epoch (also from ISO 8601 text or seconds). Returns NaN for other values and for text columns.
 */
export function extraNumber(type: ExtraColumn['type'], text: string): number {
  if (type === 'text' || type === 'boolean' || text.trim() === '') return Number.NaN
  const number = Number(text)
  if (type === 'number') return Number.isFinite(number) ? number : Number.NaN
  if (Number.isNaN(number)) return Date.parse(text)
  return Math.abs(number) < seconds ? number * 1000 : number
}

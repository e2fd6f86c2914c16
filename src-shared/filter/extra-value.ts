import type { ExtraColumn } from '../model/inventory.ts'

/** Numbers below this stand for seconds, ms since the epoch are above it since 1973. */
const seconds = 100_000_000_000

/**
 * By what an extra column's value is sorted and compared: a number as it is, a time as ms since the epoch (also from
 * ISO 8601 text or seconds). NaN for what is neither, and for columns of text.
 */
export function extraNumber(type: ExtraColumn['type'], text: string): number {
  if (type === 'text' || type === 'boolean' || text.trim() === '') return Number.NaN
  const number = Number(text)
  if (type === 'number') return Number.isFinite(number) ? number : Number.NaN
  if (Number.isNaN(number)) return Date.parse(text)
  return Math.abs(number) < seconds ? number * 1000 : number
}

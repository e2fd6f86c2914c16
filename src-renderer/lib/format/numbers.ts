import type { Counts } from '../../../src-shared/model/inventory.ts'

/** Some services return fractions of points, which nobody needs on a screen. */
const wholeNumberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Returns for example "5,000", rounded to a whole number. */
export function numberText(value: number): string {
  return wholeNumberFormat.format(whole(value))
}

/** Returns for example "1 device" or "5,000 devices". */
export function many(value: number, one: string, more = `${one}s`): string {
  return `${numberText(value)} ${whole(value) === 1 ? one : more}`
}

// Adding 0 turns a negative zero into a positive one.
const whole = (value: number): number => Math.round(value) + 0

export function total(counts: Counts): number {
  return counts.connected + counts.disconnected + counts.unknown
}

/** Returns the counts while the core cannot be reached: every device is unknown (invariant 4). */
export function unknownCounts(counts: Counts): Counts {
  return { connected: 0, disconnected: 0, unknown: total(counts) }
}

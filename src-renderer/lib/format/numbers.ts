import type { Counts } from '../../../src-shared/model/inventory.ts'

/** Some services tell halves of points: nobody is helped by them on a screen. */
const figures = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** "5,000": whole, whatever it is told as. */
export function numberText(value: number): string {
  return figures.format(whole(value))
}

/** "1 device", "5,000 devices". */
export function many(value: number, one: string, more = `${one}s`): string {
  return `${numberText(value)} ${whole(value) === 1 ? one : more}`
}

// Adding nothing makes a zero of a negative one.
const whole = (value: number): number => Math.round(value) + 0

export function total(counts: Counts): number {
  return counts.connected + counts.disconnected + counts.unknown
}

/** What can be claimed while the core cannot be reached: every device is unknown (invariant 4). */
export function blinded(counts: Counts): Counts {
  return { connected: 0, disconnected: 0, unknown: total(counts) }
}

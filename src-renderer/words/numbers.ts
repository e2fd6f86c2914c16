import type { Counts } from '../../src-shared/model.ts'

const figures = new Intl.NumberFormat('en-US')

/** "5,000". */
export function figure(value: number): string {
  return figures.format(value)
}

/** "1 device", "5,000 devices". */
export function many(value: number, one: string, more = `${one}s`): string {
  return `${figure(value)} ${value === 1 ? one : more}`
}

export function total(counts: Counts): number {
  return counts.connected + counts.disconnected + counts.unknown
}

/** What can be claimed while the core cannot be reached: every device is unknown (invariant 4). */
export function blinded(counts: Counts): Counts {
  return { connected: 0, disconnected: 0, unknown: total(counts) }
}

import type { Incident } from '../../../src-shared/model/incidents.ts'

/** The bar of an open incident in the last 24 hours; `from` and `until` are shares of them, from 0 to 1. */
export interface Bar {
  from: number
  until: number
  /** True where it began before the 24 hours. */
  isEarlier: boolean
  /** True where nobody saw its beginning. */
  isFound: boolean
}

export const dayMs = 24 * 3_600_000
/** A bar is this wide at least, as a share of the 24 hours, so that a young one is seen. */
const least = 0.006

/** Returns the bar of an incident over the 24 hours up to `now` (ms). */
export function barOf({ since, foundAt }: Pick<Incident, 'since' | 'foundAt'>, now: number): Bar {
  const begin = (since ?? foundAt) - (now - dayMs)
  const from = Math.max(0, Math.min(1 - least, begin / dayMs))
  return { from, until: 1, isEarlier: begin < 0, isFound: since === null }
}

const order = ['critical', 'major', 'minor'] as const

/** Compares incidents by severity, the worst first. */
export const bySeverity = (one: Incident, other: Incident): number =>
  order.indexOf(one.severity) - order.indexOf(other.severity)

/** Returns incidents by severity, and of the same severity the latest first. */
export const byWorst = (one: Incident, other: Incident): number =>
  bySeverity(one, other) || (other.since ?? other.foundAt) - (one.since ?? one.foundAt)

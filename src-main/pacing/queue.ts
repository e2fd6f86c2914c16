import { lanes, type Lane } from '../../src-shared/model/gauge.ts'
import { windowMs } from './balance/ledger.ts'

/** A request that waited for this many ms moves up one lane, but never to `person`, which has its own reserve. */
const agingMs = 2 * windowMs

/** Returns the waiting requests in sending order: by lane, and within a lane the oldest first (design, section 6). */
export function queueOrder<T extends { lane: Lane; since: number }>(waiting: readonly T[], now: number): T[] {
  return waiting.toSorted((one, other) => rank(one, now) - rank(other, now) || one.since - other.since)
}

function rank({ lane, since }: { lane: Lane; since: number }, now: number): number {
  const own = lanes.indexOf(lane)
  return own === 0 ? 0 : Math.max(1, own - Math.floor(Math.max(0, now - since) / agingMs))
}

import { lanes, type Lane } from '../../src-shared/model/gauge.ts'
import { windowMs } from './balance/ledger.ts'

/** Who has waited through so many windows goes with the next better lane; never with `person`, whose reserve is theirs. */
const agingMs = 2 * windowMs

/** The waiting requests in the order in which they are to go: by lane, and within one the oldest first (design, section 6). */
export function queueOrder<T extends { lane: Lane; since: number }>(waiting: readonly T[], now: number): T[] {
  return waiting.toSorted((one, other) => rank(one, now) - rank(other, now) || one.since - other.since)
}

function rank({ lane, since }: { lane: Lane; since: number }, now: number): number {
  const own = lanes.indexOf(lane)
  return own === 0 ? 0 : Math.max(1, own - Math.floor(Math.max(0, now - since) / agingMs))
}

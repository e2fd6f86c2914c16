import type { Estimate } from '../../src-shared/model/gauge.ts'
import { numberText } from '../lib/format/numbers.ts'

/** What an operation would cost, and whether it may go. */
export interface CostText {
  cost: string
  verdict: string
  /** The service would reject it. */
  rejected: boolean
}

/** Returns the cost of an operation before it is run, and what would happen. */
export function costText(
  { likely, atMost, certainty, limit, exceedsLimit, waitsUntil }: Estimate,
  now: number,
): CostText {
  const about = `About ${numberText(Math.ceil(likely))}, at most ${numberText(Math.ceil(atMost))} points`
  const basis = { learned: 'learned from earlier answers', derived: 'derived from other operations', guess: 'a guess' }
  const cost = likely === atMost ? `${numberText(Math.ceil(likely))} points` : about
  return { cost: `${cost}, ${basis[certainty]}`, verdict: verdictOf(), rejected: exceedsLimit }

  function verdictOf(): string {
    if (exceedsLimit)
      return `The service would reject it: ${numberText(Math.ceil(likely))} of ${numberText(limit)} points.`
    if (waitsUntil === null || waitsUntil <= now) return 'It goes now.'
    return `It waits for points: about ${numberText(Math.ceil((waitsUntil - now) / 1000))} s.`
  }
}

import type { OperationEstimate } from '../../src-shared/contract/cost-calls.ts'
import type { Estimate } from '../../src-shared/model/gauge.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { countdown } from '../lib/format/time.ts'

/** What an operation would cost, and whether it may go. */
export interface CostText {
  cost: string
  verdict: string
  /** The service would reject it. */
  rejected: boolean
}

const bases = { learned: 'learned from earlier answers', derived: 'derived from other operations', guess: 'a guess' }

/** Returns the cost of an operation before it is run, and what would happen. `left`: points that are left, where known. */
export function costText(estimate: Estimate & Partial<Pick<OperationEstimate, 'left'>>, now: number): CostText {
  const { likely, atMost, certainty, left = null } = estimate
  const points =
    likely === atMost
      ? many(Math.ceil(likely), 'point')
      : `About ${numberText(Math.ceil(likely))}, at most ${numberText(Math.ceil(atMost))} points`
  const share = left === null || left <= 0 || likely > left ? '' : `, ${shareText(likely / left)} of what is left`
  return {
    cost: `${points}${share}, ${bases[certainty]}`,
    verdict: `It ${verdictText(estimate, now)}.`,
    rejected: estimate.exceedsLimit,
  }
}

/** Returns for example "goes now" or "goes at the reset in 38 s". */
export function verdictText(
  { exceedsLimit, likely, limit, waitsUntil }: Pick<Estimate, 'exceedsLimit' | 'likely' | 'limit' | 'waitsUntil'>,
  now: number,
): string {
  if (exceedsLimit)
    return likely > limit
      ? `would be rejected: ${numberText(Math.ceil(likely))} of ${numberText(limit)} points`
      : 'would be rejected: the service rejected pages of this size'
  if (waitsUntil === null || waitsUntil <= now) return 'goes now'
  return `goes at the reset in ${countdown(waitsUntil, now)}`
}

/** Returns for example "12 %" or "< 1 %". */
export function shareText(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${numberText(Math.round(share * 100))} %`
}

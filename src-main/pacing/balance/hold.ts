import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { FaultError } from '../../../src-shared/model/fault.ts'
import { longestWaitMs, waitMs } from '../../../src-shared/lib/retry-after.ts'
import type { Account, Item } from './account.ts'
import type { CostReport } from './ledger.ts'

/** A period in which the service asks for no requests, independent of the balance. Moments are monotonic ms. */
export interface Hold {
  /** Returns the end of the period; null: there is none, or it is over. */
  until(): number | null
  /**
   * Starts or extends the period. `askedMs`: the delay that the service asks for (null: unknown); `tries`: how often
   * the request was sent.
   */
  extend(askedMs: number | null, tries: number): void
  /** Ends the period at once, for a person's request. */
  clear(): void
}

/** The shortest delay, ms; it doubles with each try. */
const minDelayMs = 1_000

export function createHold(clock: Pick<Clock, 'monotonic'>): Hold {
  let holdEnd: number | null = null
  return {
    until: () => (holdEnd !== null && holdEnd > clock.monotonic() ? holdEnd : null),
    extend(askedMs, tries) {
      const ms = Math.min(longestWaitMs, Math.max(waitMs(askedMs), minDelayMs * 2 ** tries))
      holdEnd = Math.max(holdEnd ?? 0, clock.monotonic() + ms)
    },
    clear() {
      holdEnd = null
    },
  }
}

/**
 * Returns whether an answer that asks to wait does so for lack of points. The service does not document how it reports
 * an empty balance (service-spec.md, section 8): the answer's own balance decides where it has one. Without one, status
 * 429 means too few points, unless the known balance exceeds the cost of everything in flight. Any other status means
 * that the service is unavailable.
 */
export function isForPoints(
  account: Pick<Account, 'balance' | 'maxCost' | 'inFlight'>,
  item: Item,
  costReport: CostReport,
  { status }: Pick<FaultError, 'status'>,
): boolean {
  if (costReport.remaining !== null) return costReport.remaining < (costReport.cost || account.maxCost(item))
  const { remaining, known } = account.balance()
  return status === 429 && (!known || remaining < Math.max(account.maxCost(item), account.inFlight()))
}

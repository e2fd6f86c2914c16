import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { FaultError } from '../../../src-shared/model/fault.ts'
import { longestWaitMs, waitMs } from '../../../src-shared/lib/retry-after.ts'
import type { Account, Item } from './account.ts'
import type { CostReport } from './ledger.ts'

/** A time for which the service has asked to be left alone; the balance has nothing to do with it. Moments are monotonic ms. */
export interface Hold {
  /** Null: it does not ask for that, or its time is over. */
  until(): number | null
  /** It asks for so many ms (null: it does not say); `tries`: how often this request was sent. */
  asks(askedMs: number | null, tries: number): void
  /** A person wants it tried now. */
  lift(): void
}

/** A time that is too short to be of use grows with each try. */
const growsFromMs = 1_000

export function createHold(clock: Pick<Clock, 'monotonic'>): Hold {
  let held: number | null = null
  return {
    until: () => (held !== null && held > clock.monotonic() ? held : null),
    asks(askedMs, tries) {
      const ms = Math.min(longestWaitMs, Math.max(waitMs(askedMs), growsFromMs * 2 ** tries))
      held = Math.max(held ?? 0, clock.monotonic() + ms)
    },
    lift() {
      held = null
    },
  }
}

/**
 * Whether an answer that asks to wait does so for lack of points. How an empty balance is told is open (service-spec.md, section 8): the
 * figures of the answer say it, where it has some. Without any, too many requests are too many points, which are the only limit
 * that is shown, unless the service has told of more than what is on its way can cost; and a service that is away is away.
 */
export function isForPoints(
  account: Pick<Account, 'balance' | 'mostOf' | 'kept'>,
  item: Item,
  costReport: CostReport,
  { status }: Pick<FaultError, 'status'>,
): boolean {
  if (costReport.remaining !== null) return costReport.remaining < (costReport.cost || account.mostOf(item))
  const { remaining, known } = account.balance()
  return status === 429 && (!known || remaining < Math.max(account.mostOf(item), account.kept()))
}

import type { Clock } from '../../../src-shared/lib/clock.ts'
import { retryDelay } from '../../live/transport/backoff.ts'
import type { Requests } from './requests.ts'

const catchUpCapMs = 5 * 60_000
const lastingCapMs = 30 * 60_000

/** Requests the next full sync and the next catch-up at their time. */
export interface Schedule {
  /** Plans the next full sync from `since`, monotonic ms: so long after it as the operator says. */
  planFull(since: number): void
  /** Plans it from `since` unless it is due before that. */
  planFullBy(since: number): void
  /** The time between full syncs has changed. */
  reschedule(): void
  /**
   * Tenants that were not read are read again, and a list of tenants that failed in part is. `lasts`: the reason does not pass
   * by itself, and the wait is longer.
   */
  planCatchUp(lasts: boolean): void
  /** Nothing is behind: the next catch-up waits as the first one does. */
  caughtUp(): void
  /** Calls off what is planned, until something is planned anew. */
  stop(): void
}

interface ScheduleOptions {
  clock: Pick<Clock, 'monotonic' | 'after'>
  random: () => number
  /** Ms between full syncs. */
  refreshMs: () => number
  requests: Pick<Requests, 'add'>
}

export function createSchedule({ clock, random, refreshMs, requests }: ScheduleOptions): Schedule {
  let fullSince: number | null = null
  let cancelFull = () => {}
  let cancelCatchUp = () => {}
  /** Catch-ups in a row that did not catch up. */
  let catchUps = 0
  const planFull = (since: number) => {
    cancelFull()
    fullSince = since
    cancelFull = clock.after(Math.max(0, since + refreshMs() - clock.monotonic()), () => requests.add('full'))
  }
  return {
    planFull,
    planFullBy(since) {
      if (fullSince === null || since < fullSince) planFull(since)
    },
    reschedule() {
      if (fullSince !== null) planFull(fullSince)
    },
    planCatchUp(lasts) {
      catchUps += 1
      const delay = retryDelay(catchUps + (lasts ? 7 : 3), random(), lasts ? lastingCapMs : catchUpCapMs)
      cancelCatchUp()
      cancelCatchUp = clock.after(delay, () => requests.add('catch-up'))
    },
    caughtUp() {
      catchUps = 0
    },
    stop() {
      cancelFull()
      cancelCatchUp()
      fullSince = null
    },
  }
}

import type { Clock } from '../../../src-shared/lib/clock.ts'
import { retryDelay } from '../../live/transport/backoff.ts'
import type { Requests } from './requests.ts'

const catchUpCapMs = 5 * 60_000
const lastingCapMs = 30 * 60_000

/** Requests the next full sync and the next catch-up at their time. */
export interface Schedule {
  /** Plans the next full sync one interval after `since`, monotonic ms. */
  planFull(since: number): void
  /** Plans it from `since` unless it is due before. */
  planFullBy(since: number): void
  /** Applies a changed interval of full syncs. */
  reschedule(): void
  /**
   * Plans to read failed tenants, and a partly failed list, again. `lasts`: the reason does not pass by itself, so the
   * delay is longer.
   */
  planCatchUp(lasts: boolean): void
  /** Records that nothing is outdated: the next catch-up begins with the first delay. */
  caughtUp(): void
  /** Cancels what is planned, until something is planned again. */
  stop(): void
}

interface ScheduleOptions {
  clock: Pick<Clock, 'monotonic' | 'after'>
  random: () => number
  /** Returns the ms between full syncs. */
  refreshMs: () => number
  requests: Pick<Requests, 'add'>
}

export function createSchedule({ clock, random, refreshMs, requests }: ScheduleOptions): Schedule {
  let fullSince: number | null = null
  let cancelFull = () => {}
  let cancelCatchUp = () => {}
  /** Consecutive catch-ups that failed. */
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

import type { Clock } from '../../src-shared/lib/clock.ts'
import type { UpdateState } from '../../src-shared/model/updates.ts'

const minute = 60_000
/** Delay of the first check, ms: the start has priority. */
const firstDelay = 5 * minute
const interval = 6 * 60 * minute
/** Delay after a failure, ms; doubled after each further one, up to the usual interval. */
const retryDelay = 15 * minute

/** The schedule of automatic checks. All delays vary by a quarter, so that not all consoles check at once. */
export interface CheckSchedule {
  /** Reports the present state: the next check follows some time after the last one ended. */
  follow(now: UpdateState): void
  stop(): void
}

export function createCheckSchedule(clock: Clock, random: () => number, onDue: () => void): CheckSchedule {
  let [previous, failures] = ['' as UpdateState['is'] | '', 0]
  let cancel: (() => void) | null = null
  const schedule = (ms: number) => {
    cancel?.()
    cancel = clock.after(ms * (0.75 + random() / 2), () => {
      cancel = null
      onDue()
    })
  }
  return {
    follow(now) {
      const before = previous
      previous = now.is
      if (now.is === before) return
      if (now.is === 'failed') failures += 1
      else if (now.is !== 'checking' && now.is !== 'downloading') failures = 0
      if (now.is === 'off' || now.is === 'checking' || now.is === 'downloading') {
        cancel?.()
        cancel = null
      } else if (before === '' || before === 'off') schedule(firstDelay)
      else schedule(now.is === 'failed' ? Math.min(interval, retryDelay * 2 ** Math.min(failures - 1, 10)) : interval)
    },
    stop: () => cancel?.(),
  }
}

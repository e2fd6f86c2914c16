import { nextTime } from '../../../src-shared/maintenance/time-of-day.ts'
import type { SnoozeDuration } from './entry.ts'

const minute = 60_000

/**
 * Returns the end of a snooze chosen at `now`, ms; null: until it recovers. The morning is the next 08:00, local or
 * UTC.
 */
export function snoozedUntil(duration: SnoozeDuration, now: number, utc: boolean): number | null {
  switch (duration) {
    case '15-minutes':
      return now + 15 * minute
    case 'hour':
      return now + 60 * minute
    case 'morning':
      return nextTime(8, 0, now, utc ? 'utc' : 'local')
    case 'recovery':
      return null
  }
}

import { nextTime } from '../../../src-shared/maintenance/time-of-day.ts'
import type { SnoozeFor } from './entry.ts'

const minute = 60_000

/** Until when a snooze chosen at `now` lasts, in ms; null: until it recovers. The morning is the next 08:00, of this computer or of UTC. */
export function snoozedUntil(how: SnoozeFor, now: number, utc: boolean): number | null {
  switch (how) {
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

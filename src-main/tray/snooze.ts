import type { SnoozeFor } from './entry.ts'

const minute = 60_000

/** Until when a snooze chosen at `now` lasts, in ms; null: until it recovers. The morning is the next 08:00, of this computer or of UTC. */
export function snoozedUntil(how: SnoozeFor, now: number, utc: boolean): number | null {
  switch (how) {
    case '15-minutes': return now + 15 * minute
    case 'hour': return now + 60 * minute
    case 'morning': return nextMorning(now, utc)
    case 'recovery': return null
  }
}

/** Day by day: with a change of the clocks a day is not 24 hours long. */
function nextMorning(now: number, utc: boolean): number {
  const at = new Date(now)
  const morning = (days: number) => (utc
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + days, 8)
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 8).getTime())
  return morning(0) > now ? morning(0) : morning(1)
}

import { maxHandoverMs } from '../../../src-shared/model/bounds.ts'
import { lastTime, nextTime } from '../../../src-shared/maintenance/time-of-day.ts'
import type { Times } from '../../lib/format/time.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const clock = /^(\d{1,2})[:.](\d{2})$/u
const lengths = /^(?:(\d{1,3})\s*d(?:ays?)?)?\s*(?:(\d{1,4})\s*h(?:ours?)?)?\s*(?:(\d{1,5})\s*m(?:in(?:utes?)?)?)?$/iu

/** Returns a duration in ms: "45 min", "2 h 30 min", "1 d"; null when the text is none. */
export function lengthOf(text: string): number | null {
  const found = lengths.exec(text)
  if (found === null) return null
  const [days, hours, minutes] = [1, 2, 3].map((place) => Number(found[place] ?? 0))
  const length = (days ?? 0) * day + (hours ?? 0) * hour + (minutes ?? 0) * minute
  return length === 0 ? null : length
}

function clockOf(text: string): { hours: number; minutes: number } | null {
  const found = clock.exec(text)
  const [hours, minutes] = [Number(found?.[1]), Number(found?.[2])]
  return found === null || hours > 23 || minutes > 59 ? null : { hours, minutes }
}

/**
 * Returns the end of a snooze (ms): "06:30" (the next one) or "2 h 30 min"; null for other texts, or more than 30 days.
 */
export function untilOf(text: string, now: number, times: Times): number | null {
  const typed = text.trim()
  const at = clockOf(typed)
  if (at !== null) return nextTime(at.hours, at.minutes, now, times)
  const length = lengthOf(typed)
  return length === null || length > 30 * day ? null : now + length
}

/**
 * Returns the start of a handover (ms): "22:00" (the last one) or "10 h" ago; null for other texts, `far` for more than
 * a handover can cover.
 */
export function sinceOf(text: string, now: number, times: Times): number | 'far' | null {
  const typed = text.trim()
  const at = clockOf(typed)
  if (at !== null) return lastTime(at.hours, at.minutes, now, times)
  const length = lengthOf(typed)
  if (length === null) return null
  return length > maxHandoverMs ? 'far' : now - length
}

export interface SnoozeChoice {
  word: string
  /** Null: until it recovers. */
  until: number | null
}

/** Returns the suggested ends of a snooze. */
export function snoozeChoices(now: number, times: Times): readonly SnoozeChoice[] {
  const morning = nextTime(8, 0, now, times)
  return [
    { word: '15 minutes', until: now + 15 * minute },
    { word: '1 hour', until: now + hour },
    { word: morning < nextTime(0, 0, now, times) ? 'Until 08:00' : 'Until 08:00 tomorrow', until: morning },
    { word: 'Until it recovers', until: null },
  ]
}

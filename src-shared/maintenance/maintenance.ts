import { z } from 'zod'
import { lastMoment } from '../contract/limits.ts'
import { createZones, type Zones, zoneText } from './zones.ts'

/**
 * Maintenance windows (design, section 8): when a node does not notify. Pure; src-main/incidents decides what they
 * suppress.
 */

/** A time in ms since the epoch, up to the year 9999. */
const moment = z.number().min(0).max(lastMoment)
export const timeOfDay = z
  .string()
  .max(5, 'A time looks like 18:00.')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time looks like 18:00.')
/** 0 is Monday. */
export const weekday = z.int().min(0).max(6)
const dayMinutes = 24 * 60
const repeats = {
  from: timeOfDay,
  /**
   * `at`: ends at the time of day this many minutes after `from` on a clock face, at most one day later. `after`: ends
   * after this many minutes, regardless of clock changes.
   */
  ends: z.enum(['at', 'after']),
  minutes: z
    .int()
    .min(1, 'It lasts at least a minute.')
    .max(7 * dayMinutes, 'It lasts a week at most.'),
}
const isEnd = ({ ends, minutes }: { ends: 'at' | 'after'; minutes: number }) =>
  ends === 'after' || minutes <= dayMinutes
const notAnEnd = { message: 'A time of day comes within a day.', path: ['minutes'] }

/** The times of a window. Times of day are in its zone. */
export const maintenanceTimes = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('once'), from: moment, until: moment })
    .refine(({ from, until }) => from < until, { message: 'It ends before it begins.', path: ['until'] }),
  z
    .object({ kind: z.literal('weekly'), days: z.array(weekday).min(1, 'Choose a day.').max(7), ...repeats })
    .refine(isEnd, notAnEnd),
  /** The first to fourth, or the last (-1), such weekday of each month. */
  z
    .object({
      kind: z.literal('monthly'),
      week: z.union([z.int().min(1).max(4), z.literal(-1)]),
      day: weekday,
      ...repeats,
    })
    .refine(isEnd, notAnEnd),
])
export type MaintenanceTimes = z.infer<typeof maintenanceTimes>

export const maintenanceWindow = z.object({
  id: z.string().max(64),
  name: z.string().trim().min(1, 'Give it a name.').max(200),
  /** A node id of the tree, or `everything`. */
  node: z.string().max(2048),
  /** Name of the node when the window was created. */
  nodeName: z.string().max(300),
  when: maintenanceTimes,
  /** IANA name; null for the zone that its node inherits (`zoneAt`). */
  zone: zoneText.nullable(),
  /** Occurrences that ended before this time do not exist. */
  createdAt: moment,
  /** No occurrence begins after this time; null means no end. */
  until: moment.nullable(),
})
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>

const beforeEnds = z.looseObject({
  when: z.looseObject({ kind: z.enum(['weekly', 'monthly']), ends: z.undefined().optional(), minutes: z.number() }),
})

/**
 * Returns a stored window; undefined when it cannot be read. Older windows lack `ends`: one shorter than a day was
 * always shown with its end's time of day, so it becomes `at`; a longer one was shown with its duration, so it becomes
 * `after`.
 */
export function storedMaintenance(value: unknown): MaintenanceWindow | undefined {
  const older = beforeEnds.safeParse(value).data
  const ends = older !== undefined && older.when.minutes < dayMinutes ? 'at' : 'after'
  return maintenanceWindow.safeParse(older === undefined ? value : { ...older, when: { ...older.when, ends } }).data
}

/** One time span of a window, from `from` (inclusive) to `until` (exclusive), in ms since the epoch. */
export interface Occurrence {
  readonly from: number
  readonly until: number
}

/**
 * Computes the occurrences of windows. A begin or end at a time of day that a clock change skips is the first moment
 * after the gap; at a repeated time it is the first one. A window that lies completely in the gap follows it with its
 * full length. Occurrences of a window that overlap or touch are one; a window without any pause is cut at the first of
 * its days each week, so that its report comes weekly. `zone` is the window's own or its node's; one that `isZone`
 * rejects throws a RangeError. Windows and occurrences are immutable values.
 */
export interface Maintenance {
  /** Returns the occurrence that is active at `now`. */
  occurrenceAt(window: MaintenanceWindow, zone: string, now: number): Occurrence | null
  /** Returns the first occurrence that begins after `after`. */
  nextOccurrence(window: MaintenanceWindow, zone: string, after: number): Occurrence | null
  /**
   * Returns all occurrences that are active between `from` (inclusive) and `until` (exclusive), uncut and in order.
   * Both times are finite.
   */
  occurrencesBetween(window: MaintenanceWindow, zone: string, from: number, until: number): Occurrence[]
}

export function createMaintenance(zones: Zones = createZones()): Maintenance {
  /** The last answer for each window, because consecutive queries ask for close moments. */
  const answers = new WeakMap<MaintenanceWindow, Answer>()
  const occurrenceAt: Maintenance['occurrenceAt'] = (window, zone, now) => {
    if (window.when.kind === 'once') return onceIf(window, window.when, ({ from, until }) => from <= now && now < until)
    const known = answers.get(window)
    if (known?.zone === zone && known.from <= now && now < known.until) return known.occurrence
    const answer = answerAt(repeating(window, window.when, zone, zones), zone, now)
    answers.set(window, answer)
    return answer.occurrence
  }
  const nextOccurrence: Maintenance['nextOccurrence'] = (window, zone, after) =>
    window.when.kind === 'once'
      ? onceIf(window, window.when, ({ from }) => from > after)
      : repeatingAfter(repeating(window, window.when, zone, zones), after)
  return {
    occurrenceAt,
    nextOccurrence,
    occurrencesBetween(window, zone, from, until) {
      const at = (moment: number) => occurrenceAt(window, zone, moment) ?? nextOccurrence(window, zone, moment)
      const found: Occurrence[] = []
      if (from >= until) return found
      for (let next = at(from); next !== null && next.from < until; next = at(next.until)) found.push(next)
      return found
    },
  }
}

type Once = Extract<MaintenanceTimes, { kind: 'once' }>
type Repeated = Exclude<MaintenanceTimes, Once>

function onceIf(
  window: MaintenanceWindow,
  { from, until }: Once,
  wanted: (occurrence: Occurrence) => boolean,
): Occurrence | null {
  const exists = from <= (window.until ?? Infinity) && until > window.createdAt
  return exists && wanted({ from, until }) ? { from, until } : null
}

/** The occurrence of a window, or null, from `from` (inclusive) to `until` (exclusive). */
interface Answer extends Occurrence {
  zone: string
  occurrence: Occurrence | null
}

const dayMs = 86_400_000

/**
 * A repeating window in its zone. Days count from 1 January 1970, a Thursday; the window begins at most once on each
 * day.
 */
interface Repeating {
  when: Repeated
  /** Creation time of the window. Occurrences that ended by then do not exist. */
  made: number
  /** No occurrence begins after this time. */
  last: number
  /** Weekday on which an uninterrupted window is cut; null when it has pauses. */
  cut: number | null
  dayOf(moment: number): number
  begins(day: number): number
  /** Returns the end of the occurrence that begins on that day. It is never before the end of an earlier day's. */
  ends(day: number): number
}

function repeating(window: MaintenanceWindow, when: Repeated, zone: string, zones: Zones): Repeating {
  const length = when.minutes * 60_000
  const time = timeOf(when) * 60_000
  const begins = (day: number) => zones.firstAt(zone, day * dayMs + time)
  const endsAt = (day: number) => {
    const [from, until] = [begins(day), zones.firstAt(zone, day * dayMs + time + length)]
    return until > from ? until : from + length
  }
  return {
    when,
    made: window.createdAt,
    last: window.until ?? Infinity,
    cut: cutOf(when),
    dayOf: (moment) => Math.floor((moment + zones.offsetAt(zone, moment)) / dayMs),
    begins,
    ends: (day) => (when.ends === 'after' ? begins(day) + length : endsAt(day)),
  }
}

/** Returns the minutes since midnight. */
export const timeOf = ({ from }: { from: string }): number => Number(from.slice(0, 2)) * 60 + Number(from.slice(3))

function cutOf(when: Repeated): number | null {
  if (when.kind === 'monthly' || when.minutes < dayMinutes) return null
  const days = [...new Set(when.days)].sort()
  const pauses = days.some((day, index) => ((days[index + 1] ?? (days[0] ?? 0) + 7) - day) * dayMinutes > when.minutes)
  return pauses ? null : (days[0] ?? null)
}

const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7

function isOn(when: Repeated, day: number): boolean {
  if (when.kind === 'weekly') return when.days.includes(weekdayOf(day))
  if (weekdayOf(day) !== when.day) return false
  const date = new Date(day * dayMs)
  return when.week === -1
    ? new Date((day + 7) * dayMs).getUTCMonth() !== date.getUTCMonth()
    : Math.ceil(date.getUTCDate() / 7) === when.week
}

/**
 * Returns the nearest day of the window from `day` on, in the direction of `step`. Every week or every month has one.
 */
function nearest(when: Repeated, day: number, step: 1 | -1): number {
  let found = day
  while (!isOn(when, found)) found += step
  return found
}

const isOver = (window: Repeating, day: number): boolean => window.ends(day) <= window.made

function answerAt(window: Repeating, zone: string, now: number): Answer {
  const limit = Math.min(now, window.last)
  // Clocks that are set back over midnight have shown the next day already.
  let day = nearest(window.when, window.dayOf(limit) + 1, -1)
  while (window.begins(day) > limit) day = nearest(window.when, day - 1, -1)
  const begins = window.begins(day)
  const ends = isOver(window, day) ? begins : window.ends(day)
  if (now < ends) {
    const occurrence = whole(window, day)
    return { zone, ...occurrence, occurrence }
  }
  const next = window.begins(nearest(window.when, day + 1, 1))
  return { zone, from: ends, until: next > window.last ? Infinity : next, occurrence: null }
}

function repeatingAfter(window: Repeating, after: number): Occurrence | null {
  const next = beginningAfter(window, after)
  if (next === null || next.from > after) return next
  // An occurrence that begins then only extends the active one.
  return beginningAfter(window, next.until - 1)
}

function beginningAfter(window: Repeating, after: number): Occurrence | null {
  // An occurrence that was active when the window was created began at most this long before, including the longest
  // clock change.
  const earliest = window.made - window.when.minutes * 60_000 - dayMs
  let day = nearest(window.when, window.dayOf(Math.max(after, earliest)), 1)
  const comes = () => window.begins(day) > after && !isOver(window, day)
  while (!comes() && window.begins(day) <= window.last) day = nearest(window.when, day + 1, 1)
  return window.begins(day) > window.last ? null : whole(window, day)
}

/** Returns the occurrence that begins on that day, merged with all occurrences that it overlaps or touches. */
function whole(window: Repeating, day: number): Occurrence {
  const cutsAt = (day: number) => window.cut !== null && weekdayOf(day) === window.cut
  let from = window.begins(day)
  for (let first = day; !cutsAt(first);) {
    first = nearest(window.when, first - 1, -1)
    const begins = window.begins(first)
    if (window.ends(first) < from || isOver(window, first)) break
    from = begins
  }
  let until = window.ends(day)
  for (let next = nearest(window.when, day + 1, 1); ; next = nearest(window.when, next + 1, 1)) {
    const begins = window.begins(next)
    if (begins > until || begins > window.last) return { from, until }
    if (cutsAt(next)) return { from, until: begins }
    until = window.ends(next)
  }
}

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createMaintenance,
  type Occurrence,
  type MaintenanceTimes,
  type MaintenanceWindow,
  maintenanceWindow,
} from '../../src-shared/maintenance/maintenance.ts'

/**
 * Compares with an oracle that knows nothing of offsets: it walks minute by minute through the weeks around a change of
 * the clocks, reads each minute's local time from Intl as text, and marks the minutes in maintenance.
 */
const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)

const minute = 60_000
const week = 7 * 24 * 60 * minute

const changes: [zone: string, around: string][] = [
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['America/St_Johns', '2010-11-07T02:31Z'],
  ['America/Havana', '2026-11-01T05:00Z'],
  ['Asia/Kathmandu', '2028-02-29T00:00Z'],
]

interface Walk {
  zone: string
  from: number
  middle: number
  shown: string[]
}

/** Four weeks before, eight after: what holds or comes next in the middle has its both ends in it. */
function walk(zone: string, around: string): Walk {
  const middle = Date.parse(around)
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const from = middle - 4 * week
  return {
    zone,
    from,
    middle,
    shown: Array.from({ length: (12 * week) / minute }, (_, index) => format.format(from + index * minute)),
  }
}

const named = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const english = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** Every date of the walk and some before, whether the zone had it or not, as "2026-03-29" and the number of its weekday. */
function datesOf({ from, shown }: Walk): { date: string; day: number }[] {
  const noon = Date.parse(`${new Date(from).toISOString().slice(0, 10)}T12:00Z`)
  return Array.from(
    { length: shown.length / 1440 + 20 },
    (_, index) => new Date(noon + (index - 10) * 1440 * minute),
  ).map((date) => ({ date: date.toISOString().slice(0, 10), day: named.indexOf(english.format(date)) }))
}

function begins(
  when: Exclude<MaintenanceTimes, { kind: 'once' }>,
  { date, day }: { date: string; day: number },
): boolean {
  if (when.kind === 'weekly') return when.days.some((each) => each === day)
  if (day !== when.day) return false
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number)
  const all = Array.from({ length: new Date(Date.UTC(year, month, 0)).getUTCDate() }, (_, index) => index + 1).filter(
    (each) => (each - dayOfMonth) % 7 === 0,
  )
  return all.at(when.week === -1 ? -1 : when.week - 1) === dayOfMonth
}

function neverPauses(when: Exclude<MaintenanceTimes, { kind: 'once' }>): boolean {
  if (when.kind === 'monthly') return false
  const quiet = new Set<number>()
  for (const day of when.days)
    for (let passed = 0; passed < when.minutes; passed++)
      quiet.add((day * 1440 + Number(when.from.slice(0, 2)) * 60 + Number(when.from.slice(3)) + passed) % 10_080)
  return quiet.size === 10_080
}

/** "2026-03-29 01:30" as many minutes later, on a clock without changes. */
const later = (text: string, minutes: number) =>
  new Date(Date.parse(`${text.replace(' ', 'T')}Z`) + minutes * minute).toISOString().slice(0, 16).replace('T', ' ')

function firstShowing({ shown }: Walk, text: string, from: number): number {
  const found = shown.findIndex((each, index) => index >= from && each >= text)
  return found === -1 ? shown.length : found
}

/** All occurrences of the walk in order; those at its edges may lack a part. */
function painted(window: MaintenanceWindow, walked: Walk): Occurrence[] {
  const { when } = window
  if (when.kind === 'once') throw new Error('Only what repeats needs a walk.')
  const quiet = new Uint8Array(walked.shown.length)
  const cuts = new Set<number>()
  const first = neverPauses(when) && when.kind === 'weekly' ? Math.min(...when.days) : null
  let index = 0
  for (const date of datesOf(walked).filter((each) => begins(when, each))) {
    while (index < walked.shown.length && (walked.shown[index] ?? '') < `${date.date} ${when.from}`) index++
    const from = walked.from + index * minute
    const shown =
      when.ends === 'after' ? index : firstShowing(walked, later(`${date.date} ${when.from}`, when.minutes), index)
    const ends = shown > index ? shown : index + when.minutes
    if (from > (window.until ?? Infinity) || walked.from + ends * minute <= window.createdAt) continue
    quiet.fill(1, index, ends)
    if (date.day === first) cuts.add(index)
  }
  const found: Occurrence[] = []
  for (let at = 0; at < quiet.length; at++) {
    if (quiet[at] !== 1) continue
    const moment = walked.from + at * minute
    const open = found.at(-1)
    if (open?.until === moment && !cuts.has(at)) found.splice(-1, 1, { ...open, until: moment + minute })
    else found.push({ from: moment, until: moment + minute })
  }
  return found
}

const time = fc.oneof(
  fc.constantFrom('00:00', '00:30', '01:30', '02:00', '02:15', '02:30', '23:30'),
  fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
)
const length = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: 10_080 }),
  fc.constantFrom(1410, 1440, 1500, 2880, 10_020, 10_050, 10_080),
)
/** Until a time of day: short ones as well, which a gap may swallow. */
const toTime = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 1, max: 1440 }),
  fc.constantFrom(30, 1410, 1440),
)
const weekday = fc.nat(6)
const when: fc.Arbitrary<MaintenanceTimes> = fc
  .oneof(
    fc.record({
      kind: fc.constant('weekly' as const),
      days: fc.array(weekday, { minLength: 1, maxLength: 7 }),
      from: time,
      ends: fc.constant('after' as const),
      minutes: length,
    }),
    fc.record({
      kind: fc.constant('monthly' as const),
      week: fc.constantFrom(1, 2, 3, 4, -1 as const),
      day: weekday,
      from: time,
      ends: fc.constant('after' as const),
      minutes: length,
    }),
  )
  .chain((drawn) =>
    fc.oneof(
      fc.constant(drawn),
      toTime.map((minutes) => ({ ...drawn, ends: 'at' as const, minutes })),
    ),
  )
/** Minutes from the middle; the change itself, its neighbours, and the week before and after. */
const near = fc.oneof(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -10_080, max: 10_080 }))

test.each(changes)(
  'in %s around %s maintenance equals a walk by minutes',
  (zone, around) => {
    const walked = walk(zone, around)
    const { nextOccurrence, occurrenceAt, occurrencesBetween } = createMaintenance()
    const moment = near.map((minutes) => walked.middle + minutes * minute)
    const window = fc.record({
      when,
      createdAt: fc.oneof(fc.constant(0), moment),
      until: fc.oneof(fc.constant(null), moment),
    })
    fc.assert(
      fc.property(window, fc.array(moment, { minLength: 2, maxLength: 12 }), (drawn, moments) => {
        const made = maintenanceWindow.parse({
          id: 'w',
          name: 'Works',
          node: 'all',
          nodeName: 'Everything',
          zone,
          ...drawn,
        })
        const all = painted(made, walked)
        for (const now of moments) {
          expect({ now, holds: occurrenceAt(made, zone, now) }).toEqual({
            now,
            holds: all.find(({ from, until }) => from <= now && now < until) ?? null,
          })
          expect({ now, next: nextOccurrence(made, zone, now) }).toEqual({
            now,
            next: all.find(({ from }) => from > now) ?? null,
          })
        }
        const [low, high] = [Math.min(...moments), Math.max(...moments)]
        expect(occurrencesBetween(made, zone, low, high)).toEqual(
          all.filter(({ from, until }) => from < high && until > low && low < high),
        )
      }),
      { seed, numRuns: 40 },
    )
  },
  30_000,
)

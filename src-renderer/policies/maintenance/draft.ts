import { isolated } from '../../../src-shared/text/direction.ts'
import {
  type Maintenance,
  maintenanceTimes,
  type MaintenanceTimes,
  maintenanceWindow,
  type MaintenanceWindow,
} from '../../../src-shared/maintenance/maintenance.ts'
import type { Zones } from '../../../src-shared/maintenance/zones.ts'
import { lengthOf } from '../../incidents/actions/until.ts'
import type { Place } from '../place/place.ts'

/** The input of the maintenance form. Times and dates are in the window's zone. */
export interface Draft {
  name: string
  place: Place | null
  kind: MaintenanceTimes['kind']
  fromDate: string
  fromTime: string
  untilDate: string
  untilTime: string
  /** Duration of a single window (ms). Its end moves with its beginning. */
  length: number
  /** 0 is Monday. */
  days: readonly number[]
  week: number
  day: number
  begins: string
  /** `at`: ends at a time of day. `after`: ends after a duration. */
  ends: 'at' | 'after'
  endsAt: string
  lasts: string
  /** Null: inherited. */
  zone: string | null
  repeats: 'always' | 'until'
  lastDay: string
}

/** The fields that can have an error. */
export const fields = ['name', 'place', 'from', 'until', 'days', 'begins', 'ends', 'zone', 'lastDay'] as const
export type Field = (typeof fields)[number]
export type Problems = ReadonlyMap<Field, string>

const minute = 60_000
const hour = 60 * minute
const dayMs = 24 * hour

const iso = (local: number): { date: string; time: string } => {
  const [date = '', time = ''] = new Date(local).toISOString().split('T')
  return { date, time: time.slice(0, 5) }
}

/** Returns the input for an existing window. `zone`: its present zone. */
export function draftOf(
  { window, zone }: { window: MaintenanceWindow; zone: string },
  place: Place,
  zones: Zones,
  now: number,
): Draft {
  const { when, until } = window
  const local = (at: number) => iso(at + zones.offsetAt(zone, at))
  const last = until === null ? '' : local(until).date
  return {
    ...freshDraft(place, zone, zones, now),
    name: window.name,
    kind: when.kind,
    zone: window.zone,
    repeats: until === null ? 'always' : 'until',
    lastDay: last,
    ...(when.kind === 'once'
      ? { ...onceTexts(local(when.from), local(when.until)), length: when.until - when.from }
      : repeatedTexts(when)),
  }
}

const defaultLength = 2 * hour

/** Returns the input for a new window: two hours from now on, or every week at night. */
export function freshDraft(place: Place | null, zone: string, zones: Zones, now: number): Draft {
  return {
    name: '',
    place,
    kind: 'once',
    ...fromNow(zone, zones, now),
    length: defaultLength,
    days: [],
    week: 1,
    day: 6,
    begins: '22:00',
    ends: 'at',
    endsAt: '06:00',
    lasts: '8 h',
    zone: null,
    repeats: 'always',
    lastDay: '',
  }
}

type Text = ReturnType<typeof iso>

function fromNow(zone: string, zones: Zones, now: number): ReturnType<typeof onceTexts> {
  const local = Math.floor((now + zones.offsetAt(zone, now)) / minute) * minute
  return onceTexts(iso(local), iso(local + defaultLength))
}

/** Returns the change for another beginning of a single window. Its end moves along when the beginning is valid. */
export function withFrom(draft: Draft, part: Partial<Pick<Draft, 'fromDate' | 'fromTime'>>): Partial<Draft> {
  const { fromDate, fromTime } = { ...draft, ...part }
  const from = localOf(fromDate, fromTime)
  if (from === null) return part
  const { date, time } = iso(from + draft.length)
  return { ...part, untilDate: date, untilTime: time }
}

/** Returns the change for another end of a single window, which changes its duration. */
export function withUntil(draft: Draft, part: Partial<Pick<Draft, 'untilDate' | 'untilTime'>>): Partial<Draft> {
  const { fromDate, fromTime, untilDate, untilTime } = { ...draft, ...part }
  const [from, until] = [localOf(fromDate, fromTime), localOf(untilDate, untilTime)]
  return from === null || until === null || until <= from ? part : { ...part, length: until - from }
}

/**
 * Returns the change for another zone. Times that the operator has not edited stay relative to now, in the new zone.
 */
export function withZone(
  draft: Draft,
  first: Draft,
  zone: string | null,
  { zones, now, clocks }: { zones: Zones; now: number; clocks: string },
): Partial<Draft> {
  const untouched = (['fromDate', 'fromTime', 'untilDate', 'untilTime'] as const).every(
    (field) => draft[field] === first[field],
  )
  return untouched ? { zone, ...fromNow(clocks, zones, now) } : { zone }
}

const onceTexts = (from: Text, until: Text) => ({
  fromDate: from.date,
  fromTime: from.time,
  untilDate: until.date,
  untilTime: until.time,
})

function repeatedTexts(when: Exclude<MaintenanceTimes, { kind: 'once' }>): Partial<Draft> {
  const minutes = Number(when.from.slice(0, 2)) * 60 + Number(when.from.slice(3))
  const at = when.ends === 'at'
  return {
    ...(when.kind === 'weekly' ? { days: when.days } : { week: when.week, day: when.day }),
    begins: when.from,
    ends: when.ends,
    lasts: lengthText(when.minutes),
    ...(at ? { endsAt: iso((minutes + when.minutes) * minute).time } : {}),
  }
}

/** Returns a duration in the form in which it is typed: "2 d 4 h 30 min". */
export function lengthText(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const
  return parts
    .filter(([many]) => many > 0)
    .map(([many, unit]) => `${many} ${unit}`)
    .join(' ')
}

/** Returns a time of day in the contract's form; "9:00" and "18.00" are accepted too. */
const timeText = (typed: string): string =>
  typed
    .trim()
    .replace('.', ':')
    .replace(/^(\d):/u, '0$1:')

/** Returns the contract's error for a time of day; null when it is valid. */
function timeProblem(typed: string): string | null {
  const { error } = maintenanceTimes.safeParse({
    kind: 'weekly',
    days: [0],
    from: timeText(typed),
    ends: 'after',
    minutes: 1,
  })
  return error?.issues[0]?.message ?? null
}

/** Returns a local date as if it were UTC, in ms; null when it is invalid. */
function dateOf(typed: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/u.test(typed) ? Date.parse(`${typed}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** Returns a date and a time of day as if they were UTC, in ms; null when one of them is invalid. */
function localOf(date: string, time: string): number | null {
  const day = dateOf(date)
  return day === null || timeProblem(time) !== null
    ? null
    : day + (minutesUntil('00:00', timeText(time)) % 1440) * minute
}

/** Returns the minutes until the next such time of day; a whole day when both are the same. */
function minutesUntil(begins: string, ends: string): number {
  const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  return (minutesOf(ends) - minutesOf(begins) + 1440) % 1440 || 1440
}

/** Returns whether it ends on the day after its beginning. */
export function endsNextDay({ begins, endsAt }: Pick<Draft, 'begins' | 'endsAt'>): boolean {
  if (timeProblem(begins) !== null || timeProblem(endsAt) !== null) return false
  return timeText(endsAt) <= timeText(begins)
}

interface DraftContext {
  id: string
  /** The window to change; null for a new one. */
  before: MaintenanceWindow | null
  /** The zone of the window; null until one is chosen. */
  zone: string | null
  zones: Zones
  maintenance: Maintenance
  now: number
}

/** Returns the window, or the errors by field in the words of the contract. */
export function maintenanceOf(
  draft: Draft,
  input: DraftContext,
): { window: MaintenanceWindow | null; problems: Problems } {
  const problems = new Map<Field, string>()
  const mark = (field: Field, words: string) => void (problems.has(field) || problems.set(field, words))
  if (input.zone === null)
    mark(
      'zone',
      draft.place?.clockAt ? `Choose the time zone of ${isolated(draft.place.clockAt.name)}.` : 'Choose a time zone.',
    )
  const context = { ...input, zone: input.zone ?? 'UTC' }
  const when = whenOf(draft, context, mark)
  const until = lastMoment(draft, context, mark)
  if (draft.place === null) mark('place', 'Choose a place.')
  const read = maintenanceWindow.safeParse({
    id: context.id,
    name: draft.name,
    node: draft.place?.id ?? '',
    nodeName: (draft.place?.name ?? '').slice(0, 300),
    when,
    zone: draft.zone,
    createdAt: createdAt(draft, context, when, until),
    until,
  })
  for (const { path, message } of read.error?.issues ?? []) {
    const field = fieldOf(path, draft.kind)
    if (field !== null) mark(field, message)
  }
  if (problems.size > 0 || !read.success) return { window: null, problems }
  const { maintenance, zone, now } = context
  if (
    maintenance.occurrenceAt(read.data, zone, now) !== null ||
    maintenance.nextOccurrence(read.data, zone, now) !== null
  )
    return { window: read.data, problems }
  return { window: null, problems: problems.set(draft.kind === 'once' ? 'until' : 'lastDay', 'It is over already.') }
}

/**
 * Returns the creation time. A window with changed times begins anew, because occurrences before its creation do not
 * exist.
 */
function createdAt(draft: Draft, { before, now }: DraftContext, when: unknown, until: number | null): number {
  const same =
    before !== null &&
    JSON.stringify([before.when, before.zone, before.node, before.until]) ===
      JSON.stringify([when, draft.zone, draft.place?.id, until])
  return same ? before.createdAt : now
}

type Mark = (field: Field, words: string) => void

type Zoned = DraftContext & { zone: string }

function whenOf(draft: Draft, context: Zoned, mark: Mark): unknown {
  if (draft.kind === 'once')
    return {
      kind: 'once',
      from: moment(draft.fromDate, draft.fromTime, 'from', context, mark),
      until: moment(draft.untilDate, draft.untilTime, 'until', context, mark),
    }
  const from = timeText(draft.begins)
  const times = { from, ends: draft.ends, minutes: minutesOf(draft, mark) }
  return draft.kind === 'weekly'
    ? { kind: 'weekly', days: draft.days.toSorted(), ...times }
    : { kind: 'monthly', week: draft.week, day: draft.day, ...times }
}

function moment(
  date: string,
  time: string,
  field: 'from' | 'until',
  { zones, zone, before }: Zoned,
  mark: Mark,
): number {
  const known = before?.when.kind === 'once' ? before.when[field] : null
  // An unedited time stays exactly the same, even in a repeated hour.
  if (known !== null && isShown(known, date, time, zones, zone)) return known
  const local = localOf(date, time)
  if (local !== null) return zones.firstAt(zone, local)
  mark(field, dateOf(date) === null ? 'Choose a date.' : (timeProblem(time) ?? ''))
  return Number.NaN
}

function isShown(at: number, date: string, time: string, zones: Zones, zone: string): boolean {
  const local = iso(at + zones.offsetAt(zone, at))
  return local.date === date && local.time === time
}

function minutesOf({ ends, begins, endsAt, lasts }: Draft, mark: Mark): number {
  if (ends === 'at') {
    const problem = timeProblem(endsAt)
    if (problem !== null) mark('ends', problem)
    return problem !== null || timeProblem(begins) !== null ? 1 : minutesUntil(timeText(begins), timeText(endsAt))
  }
  const length = lengthOf(lasts.trim())
  if (length === null) mark('ends', 'A length of time looks like 4 h 30 min.')
  return length === null ? 1 : Math.round(length / minute)
}

/** Returns the end of the last day on which the window begins. */
function lastMoment({ kind, repeats, lastDay }: Draft, { zones, zone, before }: Zoned, mark: Mark): number | null {
  if (kind === 'once' || repeats === 'always') return null
  const known = before?.until ?? null
  if (known !== null && iso(known + zones.offsetAt(zone, known)).date === lastDay) return known
  const day = dateOf(lastDay)
  if (day === null) mark('lastDay', 'Choose a date.')
  return day === null ? null : zones.firstAt(zone, day + dayMs) - 1
}

function fieldOf([first, second]: readonly PropertyKey[], kind: Draft['kind']): Field | null {
  if (first === 'name' || first === 'zone') return first
  if (first === 'node') return 'place'
  if (first === 'until') return 'lastDay'
  if (first !== 'when') return null
  if (second === 'from') return kind === 'once' ? 'from' : 'begins'
  if (second === 'until' || second === 'days') return second
  return second === 'minutes' ? 'ends' : null
}

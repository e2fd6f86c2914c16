import { type MaintenanceTimes, type MaintenanceWindow, timeOf } from './maintenance.ts'
import { zoneName, type Zones } from './zones.ts'

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const dayMinutes = 24 * 60
/** Local times are formatted as if they were UTC (zones.ts). */
const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const dateOfYear = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/**
 * Returns when a window is active, in short words: "Every Fri 18:00 to 22:00, Europe/Berlin", "Every Fri from 18:00 for
 * 4 h, Europe/Berlin". `zone` is the window's own or its node's. A date has its year when that differs from the year of
 * `now`.
 */
export function describeWhen(
  window: MaintenanceWindow,
  zone: string,
  zones: Zones,
  now: number = window.createdAt,
): string {
  const local = (at: number) => at + zones.offsetAt(zone, at)
  const year = yearOf(local(now))
  const dated = (...ats: number[]) =>
    ats.map((at) => (ats.every((each) => yearOf(each) === year) ? date : dateOfYear).format(at))
  const { when, until } = window
  if (when.kind === 'once') return `${once(local(when.from), local(when.until), dated)}, ${zoneName(zone)}`
  const [end] = until === null ? [] : dated(local(until))
  return `${repeated(when)}${end === undefined ? '' : `, until ${end}`}, ${zoneName(zone)}`
}

const yearOf = (local: number) => new Date(local).getUTCFullYear()
const clock = (minutes: number) =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
const timeIn = (local: number) => new Date(local).toISOString().slice(11, 16)

function once(from: number, until: number, dated: (...ats: number[]) => string[]): string {
  const [first = '', last = ''] = dated(from, until)
  return `${first} ${timeIn(from)} to ${first === last ? '' : `${last} `}${timeIn(until)}`
}

function repeated(when: Exclude<MaintenanceTimes, { kind: 'once' }>): string {
  const chosen = when.kind === 'weekly' ? [...new Set(when.days)].sort() : [when.day]
  const begins = timeOf(when)
  const on = when.kind === 'weekly' ? `Every ${listed(chosen)}` : `${nth(when.week)} ${listed(chosen)} of the month`
  if (when.ends === 'after') return `${on} from ${when.from} for ${lasting(when.minutes)}`
  return `${on} ${when.from} to ${clock(begins + when.minutes)}${when.minutes === dayMinutes ? ' the next day' : ''}`
}

const nth = (week: number) => ['First', 'Second', 'Third', 'Fourth'][week - 1] ?? 'Last'

/** Returns for example "day", "Fri", "Sat and Sun" or "Mon–Wed, Fri and Sun". */
function listed(chosen: readonly number[]): string {
  if (chosen.length === 7) return 'day'
  const runs: number[][] = []
  for (const day of chosen) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const words = runs.flatMap((run) =>
    run.length > 2 ? [`${days[run[0] ?? 0]}–${days[run.at(-1) ?? 0]}`] : run.map((day) => days[day]),
  )
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Returns for example "4 h", "1 day" or "2 days 12 h 30 min". */
function lasting(minutes: number): string {
  const whole = Math.floor(minutes / dayMinutes)
  const hours = Math.floor(minutes / 60) % 24
  return [
    whole > 0 ? `${whole} ${whole === 1 ? 'day' : 'days'}` : '',
    hours > 0 ? `${hours} h` : '',
    minutes % 60 > 0 ? `${minutes % 60} min` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

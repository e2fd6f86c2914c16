const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Returns a duration (ms) as text, with at most two units: "12 s", "4 min", "2 h 14 min", "3 d 4 h", "1 y 40 d". */
export function span(ms: number): string {
  const length = Math.max(0, ms)
  if (length < minute) return `${Math.floor(length / second)} s`
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < day) return two(length, hour, 'h', minute, 'min')
  if (length < 365 * day) return two(length, day, 'd', hour, 'h')
  return two(length, 365 * day, 'y', day, 'd')
}

function two(length: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((length % big) / small)
  const head = `${Math.floor(length / big)} ${bigUnit}`
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`
}

/** Returns how long ago `at` was: "just now" under 5 s, then as `span`. */
export function age(at: number, now: number): string {
  return now - at < 5 * second ? 'just now' : `${span(now - at)} ago`
}

/**
 * Returns the time left until `at`, in seconds rounded up, so that it does not say 0 too soon; "now" when it is past.
 */
export function countdown(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return 'now'
  return left < minute ? `${Math.ceil(left / second)} s` : span(left)
}

/** Returns the same, with minutes rounded up too: "1 h" right after an hour was chosen. */
export function minutesLeft(at: number, now: number): string {
  const left = at - now
  return left < minute ? countdown(at, now) : span(Math.ceil(left / minute) * minute)
}

/** Returns how old a time should look: 0 under 10 minutes, 1 under an hour, 2 under a day, 3 beyond. */
export function oldness(at: number, now: number): 0 | 1 | 2 | 3 {
  const old = now - at
  if (old < 10 * minute) return 0
  if (old < hour) return 1
  return old < day ? 2 : 3
}

/** The zone in which times of day are written: this computer's, or UTC. */
export type Times = 'local' | 'utc'

/** Returns wall-clock time: "02:10:33" today, "2026-03-04 02:10:33" on another day. */
export function clockTime(at: number, now: number, times: Times): string {
  const [date, time] = parts(at, times)
  return date === parts(now, times)[0] ? time : `${date} ${time}`
}

/**
 * Returns a time for a text that may be read outside the window: "02:10", "2026-03-04 02:10" on another day, "02:10
 * UTC".
 */
export function notificationTime(at: number, now: number, times: Times): string {
  return `${clockTime(at, now, times).slice(0, -3)}${times === 'utc' ? ' UTC' : ''}`
}

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Returns a short time: "02:10", "4 Mar 02:10" on another day, "4 Mar 2025" in another year. */
export function shortTime(at: number, now: number, times: Times): string {
  const [date, time] = parts(at, times)
  const [today] = parts(now, times)
  if (date === today) return time.slice(0, 5)
  const [year, month, day] = date.split('-')
  const dayText = `${Number(day)} ${months[Number(month) - 1] ?? ''}`
  return year === today.slice(0, 4) ? `${dayText} ${time.slice(0, 5)}` : `${dayText} ${year}`
}

/** Returns a span of wall-clock times. A date that both ends share is written once, and today's date not at all. */
export function clockSpan(from: number, to: number, now: number, times: Times): string {
  const [day, end] = parts(to, times)
  const sameDay = parts(from, times)[0] === day
  return `between ${clockTime(from, now, times)} and ${sameDay ? end : clockTime(to, now, times)}`
}

/**
 * Returns the full date and time in both zones, the chosen one first: "2026-03-04 02:10:33 (UTC+01:00) · 2026-03-04
 * 01:10:33 UTC".
 */
export function fullTime(at: number, times: Times): string {
  const own = `${parts(at, 'local').join(' ')} (${shift(at)})`
  return times === 'utc' ? `${utc(at)} · ${own}` : `${own} · ${utc(at)}`
}

function utc(at: number): string {
  return `${parts(at, 'utc').join(' ')} UTC`
}

function parts(at: number, times: Times): [string, string] {
  const shifted = times === 'utc' ? at : at - new Date(at).getTimezoneOffset() * minute
  const [date = '', time = ''] = new Date(shifted).toISOString().split('T')
  return [date, time.slice(0, 8)]
}

/** Returns the name of the zone in which times are written: "Europe/Berlin, UTC+02:00", "UTC". */
export function zone(at: number, times: Times): string {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone
  if (times === 'utc' || name === 'UTC') return 'UTC'
  return `${name}, ${shift(at)}`
}

/** Returns the offset without the zone's name, which is slow to read. */
function shift(at: number): string {
  const offset = -new Date(at).getTimezoneOffset()
  const pad = (part: number) => String(part).padStart(2, '0')
  const size = Math.abs(offset)
  return offset === 0 ? 'UTC' : `UTC${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

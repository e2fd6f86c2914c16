const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A length of time in words, with at most two units: "12 s", "4 min", "2 h 14 min", "3 d 4 h", "1 y 40 d". */
export function span(ms: number): string {
  const length = Math.max(0, ms)
  if (length < minute) return `${Math.floor(length / second)} s`
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < day) return two(length, hour, 'h', minute, 'min')
  if (length < 365 * day) return two(length, day, 'd', hour, 'h')
  return two(length, 365 * day, 'y', day, 'd')
}

function two(length: number, big: number, bigWord: string, small: number, smallWord: string): string {
  const rest = Math.floor((length % big) / small)
  const head = `${Math.floor(length / big)} ${bigWord}`
  return rest === 0 ? head : `${head} ${rest} ${smallWord}`
}

/** How long ago `at` was: "just now" under 5 s, then as `span`. */
export function age(at: number, now: number): string {
  return now - at < 5 * second ? 'just now' : `${span(now - at)} ago`
}

/** Seconds left until `at`, rounded up so that it does not say 0 too soon; "now" when it is past. */
export function countdown(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return 'now'
  return left < minute ? `${Math.ceil(left / second)} s` : span(left)
}

/** How old something looks: 0 under 10 minutes, 1 under an hour, 2 under a day, 3 beyond. */
export function oldness(at: number, now: number): 0 | 1 | 2 | 3 {
  const old = now - at
  if (old < 10 * minute) return 0
  if (old < hour) return 1
  return old < day ? 2 : 3
}

/** Local wall time: "02:10:33" today, "2026-03-04 02:10:33" on another day. */
export function localTime(at: number, now: number): string {
  const [date, time] = localParts(at)
  return date === localParts(now)[0] ? time : `${date} ${time}`
}

/** A span of local times; the date is said once when both ends have the same one, and not at all when it is today's. */
export function localSpan(from: number, to: number, now: number): string {
  const sameDay = localParts(from)[0] === localParts(to)[0]
  return `between ${localTime(from, now)} and ${sameDay ? localParts(to)[1] : localTime(to, now)}`
}

/** Local date and time, whole: "2026-03-04 02:10:33". */
export function localFull(at: number): string {
  return localParts(at).join(' ')
}

/** For a title: the same moment in UTC. */
export function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function localParts(at: number): [string, string] {
  const date = new Date(at)
  const pad = (part: number) => String(part).padStart(2, '0')
  return [
    `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`,
    `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`,
  ]
}

/** The zone that local times are in, named once: "Europe/Berlin, UTC+02:00". */
export function zone(at: number): string {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const offset = -new Date(at).getTimezoneOffset()
  const pad = (part: number) => String(part).padStart(2, '0')
  const size = Math.abs(offset)
  const shift = offset === 0 ? 'UTC' : `UTC${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
  return name === 'UTC' ? 'UTC' : `${name}, ${shift}`
}

import { z } from 'zod'

/**
 * Time zones by what the system's own `Intl` knows. A local time is written as the milliseconds since the epoch at which
 * a clock in UTC would show it, so that days and weekdays are plain arithmetic.
 */
export interface Zones {
  /** By how many ms the clocks of `zone` are ahead of UTC at `at`. Throws a RangeError for a zone that `isZone` refuses. */
  offsetAt(zone: string, at: number): number
  /** The first moment at which the clocks of `zone` show `local` or later: of a time that comes twice the first, of one that is left out the moment after the gap. */
  firstAt(zone: string, local: number): number
}

const day = 86_400_000
/** The shortest time between two changes of any zone's offset is a week (Brazil's north in 2000): in four days there is one at most. */
const stretch = 4 * day
/** More than ten years of a zone. */
const mostStretches = 1000

/** Zones with a memory of their own; what was learned of a zone is kept as long as the object. */
export function createZones(): Zones {
  const known = new Map<string, (at: number) => number>()
  const offsetsOf = (zone: string) => {
    const offsets = known.get(zone) ?? learned(zone)
    known.set(zone, offsets)
    return offsets
  }
  return {
    offsetAt: (zone, at) => offsetsOf(zone)(at),
    firstAt: (zone, local) => firstShowing(offsetsOf(zone), local),
  }
}

interface Stretch {
  before: number
  changes: number
  after: number
}

function learned(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const read = (at: number) => offsetIn(format.format(at))
  const stretches = new Map<number, Stretch>()
  return (at) => {
    const number = Math.floor(at / stretch)
    let found = stretches.get(number)
    if (found === undefined) {
      if (stretches.size >= mostStretches) stretches.clear()
      found = readStretch(read, number * stretch)
      stretches.set(number, found)
    }
    return at < found.changes ? found.before : found.after
  }
}

function readStretch(read: (at: number) => number, from: number): Stretch {
  const before = read(from)
  const after = read(from + stretch - 1)
  const changes = before === after ? Infinity : firstMoment(from, from + stretch - 1, (at) => read(at) !== before)
  return { before, changes, after }
}

/** Of "1/31/2026, GMT+05:45", in ms; old zones have seconds as well. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? []
  const offset = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}

/** The first whole ms after `low`, up to `high`, from which on it holds. It holds at `high`. */
function firstMoment(low: number, high: number, holds: (at: number) => boolean): number {
  let [no, yes] = [low, high]
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2)
    if (holds(middle)) yes = middle
    else no = middle
  }
  return yes
}

function firstShowing(offsetAt: (at: number) => number, local: number): number {
  // No zone is a day away from UTC: the true moment lies between the two.
  const before = offsetAt(local - day)
  const after = offsetAt(local + day)
  const early = local - before
  if (before === after || offsetAt(early) === before) return early
  const late = local - after
  return offsetAt(late) === after ? late : firstMoment(late, early, (at) => at + offsetAt(at) >= local)
}

/** Whether the text is the name of a zone that this system knows. "+02:00" is none: it is not a place, and has no summer time. */
export function isZone(text: string): boolean {
  if (!/^[a-z]/i.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A zone as it comes in at a border. */
export const zoneText = z.string().max(100).refine(isZone, 'This time zone is not known here.')

/** What `Intl` still calls by the name of its first years, and people no longer do. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])

/** The zone by the name that people use now: `Intl` calls this computer's in Mumbai "Asia/Calcutta". */
export const zoneName = (zone: string): string => renamed.get(zone) ?? zone

/** The zones to choose from, by their present names, in the order of the alphabet. */
export const zones = (): string[] => [...new Set([...Intl.supportedValuesOf('timeZone').map(zoneName), 'UTC'])].sort()

/** The zone of a place. `from`: the node that set it; null: this computer's. */
export interface PlaceZone {
  zone: string
  from: string | null
}

/** The zone that a place has: its own, or that of the nearest node over it, or this computer's. `path` is node ids, deepest first. */
export function zoneAt(path: readonly string[], zones: ReadonlyMap<string, string>, own: string): PlaceZone {
  for (const from of path) {
    const zone = zones.get(from)
    if (zone !== undefined) return { zone, from }
  }
  return { zone: own, from: null }
}

import { z } from 'zod'

/**
 * Time zones, by the system's `Intl`. A local time is the number of ms since the epoch at which a clock in UTC would
 * show it, so that days and weekdays are plain arithmetic.
 */
export interface Zones {
  /**
   * Returns how many ms the clocks of `zone` are ahead of UTC at `at`. Throws a RangeError for a zone that `isZone`
   * rejects.
   */
  offsetAt(zone: string, at: number): number
  /**
   * Returns the first moment at which the clocks of `zone` show `local` or later: the first of a repeated time, the
   * moment after the gap for a skipped one.
   */
  firstAt(zone: string, local: number): number
}

const day = 86_400_000
/**
 * The shortest time between two offset changes of any zone is a week (northern Brazil in 2000), so four days have at
 * most one.
 */
const stretch = 4 * day
/** Covers more than ten years of a zone. */
const mostStretches = 1000

/** Creates a zone calculator that caches offsets for its own lifetime. */
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

/** Returns the offset of a text like "1/31/2026, GMT+05:45", in ms. Old offsets include seconds. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? []
  const offset = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}

/** Returns the first whole ms after `low`, up to `high`, from which on `holds` is true. It must be true at `high`. */
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
  // No zone is a day away from UTC, so the true moment lies between the two.
  const before = offsetAt(local - day)
  const after = offsetAt(local + day)
  const early = local - before
  if (before === after || offsetAt(early) === before) return early
  const late = local - after
  return offsetAt(late) === after ? late : firstMoment(late, early, (at) => at + offsetAt(at) >= local)
}

/**
 * Returns whether the text is the name of a zone that this system knows. "+02:00" is not one: it is no place and has no
 * daylight saving time.
 */
export function isZone(text: string): boolean {
  if (!/^[a-z]/i.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A zone name from outside. */
export const zoneText = z.string().max(100).refine(isZone, 'This time zone is not known here.')

/** Old zone names that `Intl` still returns, with the present ones. */
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

/** Returns the present name of a zone. In Mumbai, for example, `Intl` calls this computer's zone "Asia/Calcutta". */
export const zoneName = (zone: string): string => renamed.get(zone) ?? zone

/** Returns the zones to choose from, by their present names, in alphabetical order. */
export const zones = (): string[] => [...new Set([...Intl.supportedValuesOf('timeZone').map(zoneName), 'UTC'])].sort()

/** The zone of a place. `from`: the node that set it; null for this computer's. */
export interface PlaceZone {
  zone: string
  from: string | null
}

/**
 * Returns the zone of a place: its own, that of the nearest node above it, or this computer's. `path`: node ids,
 * deepest first.
 */
export function zoneAt(path: readonly string[], zones: ReadonlyMap<string, string>, own: string): PlaceZone {
  for (const from of path) {
    const zone = zones.get(from)
    if (zone !== undefined) return { zone, from }
  }
  return { zone: own, from: null }
}

/** Returns the same by the operator's policies. */
export const configuredZone = (
  path: readonly string[],
  { zones, ownZone }: { zones: readonly { node: string; zone: string }[]; ownZone: string },
): PlaceZone => zoneAt(path, new Map(zones.map(({ node, zone }) => [node, zone])), ownZone)

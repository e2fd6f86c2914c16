import { createZones, isZone, zoneName } from '../../src-shared/maintenance/zones.ts'

/** Formats times for texts that leave Muster, in the local time of a place and in UTC. Times are ms since the epoch. */
export interface Stamps {
  /** The present name of the zone; UTC when the requested one is unknown. */
  zone: string
  /**
   * Returns for example "2026-11-22 07:00:00 +01:00 Europe/Berlin (2026-11-22T06:00:00Z)", or "2026-11-22 06:00:00 UTC"
   * for a place in UTC. A time outside the calendar is written as a number.
   */
  at(time: number): string
  /** Returns the same with ms and without the zone's name, for log lines. */
  line(time: number): string
  /** Returns one moment, or the span from `notBefore` to `at` of an unobserved event. */
  span(at: number, notBefore: number | null): string
}

/** Creates the formatter. `zone`: an IANA name. */
export function stampsIn(zone: string): Stamps {
  const zones = createZones()
  const known = isZone(zone) ? zone : 'UTC'
  const name = zoneName(known)
  const local = (time: number, digits: number) => {
    const offset = zones.offsetAt(known, time)
    return `${new Date(time + offset).toISOString().slice(0, digits).replace('T', ' ')} ${offsetText(offset)}`
  }
  const plain = isUtc(known)
  const inBothZones = (time: number) =>
    plain ? `${utcTime(time).slice(0, -1).replace('T', ' ')} UTC` : `${local(time, 19)} ${name} (${utcTime(time)})`
  const at = (time: number) => (isTime(time) ? inBothZones(time) : String(time))
  return {
    zone: plain ? 'UTC' : name,
    at,
    line: (time) =>
      isTime(time)
        ? `${plain ? '' : `${local(time, 23)} (`}${new Date(time).toISOString()}${plain ? '' : ')'}`
        : String(time),
    span: (time, notBefore) =>
      notBefore === null || notBefore === time ? at(time) : `between ${at(notBefore)} and ${at(time)}`,
  }
}

/** Returns whether a time is in the calendar's range, less two days so that every zone can show it. */
export const isTime = (time: number): boolean => Math.abs(time) <= 8.64e15 - 86_400_000 * 2

/** Returns for example "2026-11-22T06:00:00Z". */
export const utcTime = (time: number): string =>
  isTime(time) ? `${new Date(time).toISOString().slice(0, -5)}Z` : String(time)

/** Returns whether a zone is UTC. `zone`: an IANA name. */
export const isUtc = (zone: string): boolean => /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/u.test(zone)

function offsetText(offset: number): string {
  const seconds = Math.round(Math.abs(offset) / 1000)
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ]
  return `${offset < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`
}

/** Returns for example "2 d 3 h", "4 h 5 min" or "12 min 30 s". */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const
  const first = units.findIndex(([size]) => seconds >= size)
  if (first < 0) return '0 s'
  const parts = units
    .slice(first, first + 2)
    .map(
      ([size, unit], index) =>
        [
          index === 0 ? Math.floor(seconds / size) : Math.floor((seconds % (units[first]?.[0] ?? 1)) / size),
          unit,
        ] as const,
    )
  return parts
    .filter(([number]) => number > 0)
    .map(([number, unit]) => `${number} ${unit}`)
    .join(' ')
}

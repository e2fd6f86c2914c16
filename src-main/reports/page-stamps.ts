import { createZones, isZone, zoneName } from '../../src-shared/maintenance/zones.ts'
import { isTime, isUtc, duration, type Stamps } from './stamps.ts'

/** Formats times for a page in one time zone, which the page names once. Times are ms since the epoch. */
export interface PageStamps extends Pick<Stamps, 'zone' | 'at'> {
  /** For example "Europe/Berlin, UTC+01:00", or "UTC". */
  named: string
  /** Returns for example "Sun 22 Nov 2026, 07:00". */
  full(time: number): string
  /** Returns for example "22:00 to 06:00", with dates on days other than the page's, or "22:00" within one minute. */
  span(from: number, until: number): string
}

const dated = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/**
 * Creates the formatter. `page`: the time of the page. `zone`: an IANA name; an unknown one becomes UTC. `at` writes
 * "07:00" on the page's day and "21 Nov 22:00" on another, with the year when it differs, and with the UTC offset when
 * that differs from the page's, so that a repeated hour is unambiguous.
 */
export function pageStamps(zone: string, page: number): PageStamps {
  const zones = createZones()
  const known = isZone(zone) && !isUtc(zone) ? zone : 'UTC'
  const name = zoneName(known)
  const offset = zones.offsetAt(known, page)
  const partsOf = (time: number) => {
    const local = new Date(time + zones.offsetAt(known, time))
    const [, day = '', month = '', year = ''] = /(\d{1,2}) (\S{1,20}) (\d{1,9})$/u.exec(dated.format(local)) ?? []
    return { clock: local.toISOString().slice(11, 16), day: `${day} ${month}`, year }
  }
  const today = partsOf(page)
  const at = (time: number, beside = today) => {
    if (!isTime(time)) return String(time)
    const { clock, day, year } = partsOf(time)
    const own = zones.offsetAt(known, time)
    const date = day === beside.day && year === beside.year ? '' : `${day}${year === today.year ? '' : ` ${year}`} `
    return `${date}${clock}${own === offset ? '' : ` (${offsetName(own)})`}`
  }
  return {
    zone: name,
    named: name === 'UTC' ? 'UTC' : `${name}, ${offsetName(offset)}`,
    at: (time) => at(time),
    full: (time) =>
      isTime(time)
        ? `${dated.format(time + zones.offsetAt(known, time)).replace(',', '')}, ${partsOf(time).clock}`
        : String(time),
    span: (from, until) =>
      at(from) === at(until) ? at(from) : `${at(from)} to ${at(until, isTime(from) ? partsOf(from) : today)}`,
  }
}

function offsetName(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `UTC${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** Returns a duration like `duration`, without seconds from one minute on. */
export const roughDuration = (ms: number): string => duration(ms < 60_000 ? ms : Math.floor(ms / 60_000) * 60_000)

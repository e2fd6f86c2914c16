import { createZones, isZone, zoneName } from '../../src-shared/maintenance/zones.ts'
import { isTime, isUtc, duration, type Stamps } from './stamps.ts'

/** Moments for a page that is read by one zone's clocks, which it names once. Times are ms since the epoch. */
export interface PageStamps extends Pick<Stamps, 'zone' | 'at'> {
  /** "Europe/Berlin, UTC+01:00", or "UTC". */
  named: string
  /** "Sun 22 Nov 2026, 07:00". */
  whole(time: number): string
  /** "22:00 to 06:00", with the days that are not the page's; "22:00" within a minute. */
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
 * `at`: "07:00" on the day of `page`, "21 Nov 22:00" on another one, with the year where that is another; where the clocks
 * were set otherwise than at `page`, with their offset, so that an hour that comes twice is not read wrongly. `zone`: IANA
 * name; UTC where it is not known here.
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
    whole: (time) =>
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

/** As `lasting`, without seconds from a minute on: a reader wants to know whether it was a minute or an hour. */
export const roughDuration = (ms: number): string => duration(ms < 60_000 ? ms : Math.floor(ms / 60_000) * 60_000)

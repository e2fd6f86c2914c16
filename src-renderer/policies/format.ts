import { isolated } from '../../src-shared/text/direction.ts'
import type { Policies } from '../../src-shared/model/incidents.ts'
import { describeWhen } from '../../src-shared/maintenance/format.ts'
import type { Occurrence, Maintenance } from '../../src-shared/maintenance/maintenance.ts'
import { type PlaceZone, type Zones, zoneName } from '../../src-shared/maintenance/zones.ts'
import { months } from '../lib/format/time.ts'

export type ConfiguredMaintenance = Policies['windows'][number]

/** Returns the zone in which the operator reads times: their own, or UTC (settings, `times`). */
export const operatorZone = (times: 'local' | 'utc'): string =>
  times === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The values that are needed to format a time: time zones and the present time. */
export interface Clocks {
  zones: Zones
  now: number
  /** The operator's zone. */
  own: string
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Local times are formatted as if they were UTC (zones.ts). */
const shown = (zones: Zones, zone: string, at: number): Date => new Date(at + zones.offsetAt(zone, at))
const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
const timeOf = (date: Date): string => date.toISOString().slice(11, 16)

/** Returns for example "Fri 4 Dec", with the year when it is not the present one. */
function dateText(date: Date, now: Date): string {
  const words = `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`
  return date.getUTCFullYear() === now.getUTCFullYear() ? words : `${words} ${date.getUTCFullYear()}`
}

/** Returns a time in a zone: "18:00" today, "Fri 4 Dec 18:00" on another day. */
export function momentIn({ zones, now }: Clocks, zone: string, at: number): string {
  const [then, today] = [shown(zones, zone, at), shown(zones, zone, now)]
  return dayOf(then) === dayOf(today) ? timeOf(then) : `${dateText(then, today)} ${timeOf(then)}`
}

/** Returns a span in a zone, always with its day: "Fri 4 Dec 18:00 to 22:00", "Fri 4 Dec 22:00 to Sat 5 Dec 06:00". */
export function spanIn({ zones, now }: Clocks, zone: string, { from, until }: Occurrence): string {
  const [first, last, today] = [shown(zones, zone, from), shown(zones, zone, until), shown(zones, zone, now)]
  const end = dayOf(first) === dayOf(last) ? timeOf(last) : `${dateText(last, today)} ${timeOf(last)}`
  return `${dateText(first, today)} ${timeOf(first)} to ${end}`
}

/** Returns whether two zones show the same time at all of these moments, so that it is written only once. */
const sameAt = (zones: Zones, one: string, other: string, ats: readonly number[]) =>
  ats.every((at) => zones.offsetAt(one, at) === zones.offsetAt(other, at))

/** Returns an occurrence in the window's zone and, when that differs, in the operator's. */
export function bothSpans(
  clocks: Clocks,
  zone: string,
  occurrence: Occurrence,
): { there: string; here: string | null } {
  const { zones, own } = clocks
  return {
    there: `${spanIn(clocks, zone, occurrence)}, ${zoneName(zone)}`,
    here: sameAt(zones, zone, own, [occurrence.from, occurrence.until])
      ? null
      : `${spanIn(clocks, own, occurrence)}, ${zoneName(own)}`,
  }
}

/** Returns for example "06:00, Europe/Berlin (05:00, UTC)". */
function bothMoments(clocks: Clocks, zone: string, at: number): string {
  const there = `${momentIn(clocks, zone, at)}, ${zoneName(zone)}`
  return sameAt(clocks.zones, zone, clocks.own, [at])
    ? there
    : `${there} (${momentIn(clocks, clocks.own, at)}, ${zoneName(clocks.own)})`
}

export interface MaintenanceStatus {
  state: 'now' | 'next' | 'ended'
  words: string
}

/** Returns whether a window is active, when it will be, or that it is over. */
export function maintenanceStatus(
  maintenance: Maintenance,
  clocks: Clocks,
  { window, zone }: Pick<ConfiguredMaintenance, 'window' | 'zone'>,
): MaintenanceStatus {
  const present = maintenance.occurrenceAt(window, zone, clocks.now)
  if (present !== null) return { state: 'now', words: `Active until ${bothMoments(clocks, zone, present.until)}` }
  const next = maintenance.nextOccurrence(window, zone, clocks.now)
  return next === null
    ? { state: 'ended', words: 'Ended' }
    : { state: 'next', words: `Next ${bothMoments(clocks, zone, next.from)}` }
}

/** Returns when a window is active, without the zone, which is shown beside it. */
export function whenText(
  zones: Zones,
  { window, zone }: Pick<ConfiguredMaintenance, 'window' | 'zone'>,
  now: number,
): string {
  const words = describeWhen(window, zone, zones, now)
  return words.slice(0, -`, ${zoneName(zone)}`.length)
}

/** Returns the origin of a zone: "inherited from Berlin", "this computer’s". */
export function sourceText(from: string | null, policies: Policies): string {
  if (from === null) return 'this computer’s'
  const named = policies.zones.find(({ node }) => node === from)?.nodeName
  return named === undefined ? 'inherited' : `inherited from ${isolated(named)}`
}

/** Returns for example "Europe/Berlin, inherited from Acme". */
export const zoneText = ({ zone, from }: PlaceZone, policies: Policies): string =>
  `${zoneName(zone)}, ${sourceText(from, policies)}`

/** Returns for example "Inherited from Acme: Europe/Berlin". */
export function inheritedZoneText({ zone, from }: PlaceZone, policies: Policies): string {
  return from === null
    ? `This computer’s: ${zoneName(zone)}`
    : `${sourceText(from, policies).replace('inherited', 'Inherited')}: ${zoneName(zone)}`
}

/** Returns the zone of a window and whether it is its own or inherited. */
export function maintenanceZoneText(
  { window, zone, inheritedFrom }: ConfiguredMaintenance,
  policies: Policies,
): string {
  return window.zone === null ? zoneText({ zone, from: inheritedFrom }, policies) : `${zoneName(zone)}, its own`
}

/** Returns the UTC offset of a zone: "UTC+05:45". */
export function offsetText(zones: Zones, zone: string, at: number): string {
  const minutes = Math.round(zones.offsetAt(zone, at) / 60_000)
  const size = Math.abs(minutes)
  const pad = (part: number) => String(part).padStart(2, '0')
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

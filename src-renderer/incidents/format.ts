import { isolated } from '../../src-shared/text/direction.ts'
import type {
  Incident,
  IncidentEvent,
  IncidentMember,
  IncidentSummary,
  Severity,
} from '../../src-shared/model/incidents.ts'
import { numberText } from '../lib/format/numbers.ts'
import { clockSpan, clockTime, shortTime, span, type Times } from '../lib/format/time.ts'

export type ListState = 'open' | 'acknowledged' | 'closed'

export const stateLabels: Record<ListState, string> = {
  open: 'Open',
  acknowledged: 'Acknowledged, snoozed',
  closed: 'Closed',
}
export const severityLabels: Record<Severity, string> = { critical: 'Critical', major: 'Major', minor: 'Minor' }
export const eventLabels: Record<IncidentEvent['what'], string> = {
  opened: 'Opened',
  grew: 'Added',
  moved: 'Scope changed',
  maintenance: 'Maintenance',
  notified: 'Notified',
  recovered: 'Recovered',
  unlisted: 'No longer listed',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  unacknowledged: 'Unacknowledged',
  assigned: 'Assigned',
  unassigned: 'Unassigned',
  joined: 'Joined',
  closed: 'Closed',
}

/** Returns the list that contains an incident. */
export function listOf({ closedAt, acknowledged, snoozed }: Incident): ListState {
  if (closedAt !== null) return 'closed'
  return acknowledged === null && snoozed === null ? 'open' : 'acknowledged'
}

/** Returns the state of an incident in a few words. */
export function stateText(incident: Pick<Incident, 'closedAt' | 'acknowledged' | 'snoozed'>): string {
  const { closedAt, acknowledged, snoozed } = incident
  if (closedAt !== null) return 'Closed'
  if (acknowledged !== null) return snoozed === null ? 'Acknowledged' : 'Acknowledged, snoozed'
  return snoozed === null ? 'Open' : 'Snoozed'
}

/** Returns for example "Room 2 · Berlin · Acme", the deepest first; without a place "All tenants". */
export function placeText({ places, shape }: Pick<Incident, 'places' | 'shape'>): string {
  if (places.length > 0) return places.map(({ name }) => (name.trim() === '' ? 'no name' : isolated(name))).join(' · ')
  return shape === 'several' ? 'Several tenants' : 'All tenants'
}

/** The times of an incident. Unobserved ends are spans. */
export type Ends = Pick<Incident, 'since' | 'foundAt' | 'openedAt' | 'closedAt' | 'closedNotBefore'>

/**
 * Returns when an incident began: "02:10", or "found 02:10" when nobody saw that. A closed one has its end: "02:10 to
 * 03:40", or "02:10, ended between 03:10 and 03:40" when nobody saw it.
 */
export function startText({ since, foundAt, closedAt, closedNotBefore }: Ends, now: number, times: Times): string {
  const begin = since ?? foundAt
  const start = `${since === null ? 'found ' : ''}${shortTime(begin, now, times)}`
  if (closedAt === null) return start
  const end = shortTime(closedAt, begin, times)
  return closedNotBefore === null
    ? `${start} to ${end}`
    : `${start}, ended between ${shortTime(closedNotBefore, begin, times)} and ${end}`
}

/** Returns the line below the duration: when an open incident began, or a closed one ended. */
export function boundaryText(incident: Ends, now: number, times: Times): string {
  const { closedAt, closedNotBefore } = incident
  if (closedAt === null) return startText(incident, now, times)
  const end = shortTime(closedAt, now, times)
  return closedNotBefore === null ? `until ${end}` : `ended ${shortTime(closedNotBefore, now, times)} to ${end}`
}

/**
 * Returns how long an incident has lasted: "2 h 14 min", with "at least" when its beginning was not observed, and "at
 * most" when its end was not.
 */
export function durationText({ since, foundAt, openedAt, closedAt, closedNotBefore }: Ends, now: number): string {
  const length = span((closedAt ?? now) - (since ?? foundAt))
  if (closedAt === null || closedNotBefore === null) return since === null ? `at least ${length}` : length
  if (since !== null) return `at most ${length}`
  // With both ends unobserved, only the time between the observations is certain.
  return closedNotBefore > openedAt ? `at least ${span(closedNotBefore - openedAt)}` : 'for an unknown time'
}

/**
 * Returns for example "143 of 150 down". Without visibility it counts devices with no data, and a closed incident has
 * its peak. A single device is "1 device".
 */
export function downText({ devices, closedAt, shape }: Pick<Incident, 'devices' | 'closedAt' | 'shape'>): string {
  if (shape === 'device') return '1 device'
  const { down, unseen, peak, total } = devices
  const of = total === null ? '' : ` of ${numberText(total)}`
  if (closedAt !== null) return `Peak ${numberText(peak)}${of}`
  return isUnseen(devices) ? `${numberText(unseen)}${of} no data` : `${numberText(down)}${of} down`
}

const isUnseen = ({ down, unseen }: Incident['devices']): boolean => down === 0 && unseen > 0

/** Returns the other counts: "2 others down there", "peak 147", "3 no data", "2 no longer listed"; '' without any. */
export function countsText({
  devices,
  closedAt,
  unlisted = 0,
}: Pick<Incident, 'devices' | 'closedAt' | 'unlisted'>): string {
  const left =
    unlisted === 0 ? '' : unlisted === devices.peak ? 'no longer listed' : `${numberText(unlisted)} no longer listed`
  if (closedAt !== null) return left
  const { down, others, unseen, peak } = devices
  return [
    others > 0 && `${numberText(others)} ${others === 1 ? 'other' : 'others'} down there`,
    peak > down + unseen && `peak ${numberText(peak)}`,
    unseen > 0 && !isUnseen(devices) && `${numberText(unseen)} no data`,
    left,
  ]
    .filter((part) => part !== false && part !== '')
    .join(', ')
}

/** Returns why an incident does not notify: "Maintenance until 06:00: Berlin patching"; '' when it does. */
export function suppressedText(
  { suppressed, acknowledged }: Pick<Incident, 'suppressed' | 'acknowledged'>,
  now: number,
  times: Times,
): string {
  if (suppressed === null) return ''
  const until = suppressed.until === null ? '' : ` until ${shortTime(suppressed.until, now, times)}`
  switch (suppressed.why) {
    case 'acknowledged':
      return acknowledged === null ? 'Acknowledged' : `Acknowledged: ${isolated(acknowledged.reason)}`
    case 'snoozed':
      return until === '' ? 'Snoozed until it recovers' : `Snoozed${until}`
    // The time comes first, because a long name is cut at its end.
    case 'maintenance':
      return [`Maintenance${until}`, isolated(suppressed.name)].filter((part) => part !== '').join(': ')
    case 'paused':
      return `Notifications paused${until}`
    case 'absence':
      return 'Found after an absence'
    default:
      return suppressed.name === '' ? 'Off in the settings' : `Off in the settings: ${isolated(suppressed.name)}`
  }
}

/** Returns when an incident was last notified, or that it was not. */
export function notifiedText({ notifiedAt }: Pick<Incident, 'notifiedAt'>, now: number, times: Times): string {
  return notifiedAt === null ? 'Not notified' : shortTime(notifiedAt, now, times)
}

/**
 * Returns for example "4 times in 30 days"; "First in 30 days" for this one alone. Without a common place there is no
 * count.
 */
export function recurrenceText(often: number | null): string {
  if (often === null) return 'Not counted: only a place or a single device has a count'
  return often <= 1 ? 'First in 30 days' : `${numberText(often)} times in 30 days`
}

/** Returns when a device dropped: "at 02:10:03", or a span "between 02:10:00 and 06:40:00". */
export function droppedText(
  { at, notBefore }: Pick<IncidentMember, 'at' | 'notBefore'>,
  now: number,
  times: Times,
): string {
  return notBefore === null ? `down at ${clockTime(at, now, times)}` : `down ${clockSpan(notBefore, at, now, times)}`
}

/**
 * Returns the tenant, account and site of a device: all in a group of single devices, otherwise those that the incident does
 * not name. A missing site is left out, because the service may not offer sites.
 */
export function locationText(
  { tenant, account, site }: Pick<IncidentMember, 'tenant' | 'account' | 'site'>,
  { shape, places }: Pick<Incident, 'shape' | 'places'>,
): string {
  const named = new Set(shape === 'several' ? [] : places.map(({ name }) => name))
  return [tenant, account, site]
    .flatMap((name) => (name === undefined || name === null || name === '' || named.has(name) ? [] : [isolated(name)]))
    .join(' · ')
}

/** Returns the number of devices that are down, with no data, and recovered, as title and list count them. */
export function membersText(
  { devices: { down, unseen }, closedAt, unlisted = 0 }: Pick<Incident, 'devices' | 'closedAt' | 'unlisted'>,
  total: number,
): string {
  if (closedAt !== null) return numberText(total)
  const back = Math.max(0, total - down - unseen - unlisted)
  return [
    `${numberText(down)} down`,
    unseen > 0 && `${numberText(unseen)} no data`,
    back > 0 && `${numberText(back)} recovered`,
    unlisted > 0 && `${numberText(unlisted)} no longer listed`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/** Returns when a device recovered; '' while it has not. */
export function recoveredText(
  {
    recoveredAt,
    recoveredNotBefore,
    unlisted,
  }: Pick<IncidentMember, 'recoveredAt' | 'recoveredNotBefore' | 'unlisted'>,
  now: number,
  times: Times,
): string {
  if (recoveredAt === null) return ''
  if (unlisted === true) return `no longer listed since ${clockTime(recoveredAt, now, times)}`
  return recoveredNotBefore === null
    ? `recovered at ${clockTime(recoveredAt, now, times)}`
    : `recovered ${clockSpan(recoveredNotBefore, recoveredAt, now, times)}`
}

/** Returns the number of open incidents that are not suppressed. */
export function openCount({ open }: Pick<IncidentSummary, 'open'>): number {
  return open.critical + open.major + open.minor
}

export function worstOf({ open }: Pick<IncidentSummary, 'open'>): Severity | null {
  return (['critical', 'major', 'minor'] as const).find((severity) => open[severity] > 0) ?? null
}

/** Returns the summary line: "2 critical, 1 minor · 3 acknowledged · 1 silent". */
export function summaryText({ open, acknowledged, snoozed, suppressed }: IncidentSummary): string {
  const kinds = (['critical', 'major', 'minor'] as const)
    .filter((severity) => open[severity] > 0)
    .map((severity) => `${numberText(open[severity])} ${severity}`)
  const parts = [kinds.length === 0 ? 'No open incidents' : kinds.join(', ')]
  if (acknowledged > 0) parts.push(`${numberText(acknowledged)} acknowledged`)
  if (snoozed > 0) parts.push(`${numberText(snoozed)} snoozed`)
  if (suppressed > 0) parts.push(`${numberText(suppressed)} suppressed`)
  return parts.join(' · ')
}

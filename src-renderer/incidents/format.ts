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
  joined: 'Joined',
  closed: 'Closed',
}

/** In which of the three lists it stands. */
export function listOf({ closedAt, acknowledged, snoozed }: Incident): ListState {
  if (closedAt !== null) return 'closed'
  return acknowledged === null && snoozed === null ? 'open' : 'acknowledged'
}

/** How it stands, in a word: nobody has said anything of what is only snoozed. */
export function stateText(incident: Pick<Incident, 'closedAt' | 'acknowledged' | 'snoozed'>): string {
  const { closedAt, acknowledged, snoozed } = incident
  if (closedAt !== null) return 'Closed'
  if (acknowledged !== null) return snoozed === null ? 'Acknowledged' : 'Acknowledged, snoozed'
  return snoozed === null ? 'Open' : 'Snoozed'
}

/** "Room 2 · Berlin · Acme", the deepest first; without a place the whole estate. */
export function placeText({ places, shape }: Pick<Incident, 'places' | 'shape'>): string {
  if (places.length > 0) return places.map(({ name }) => (name.trim() === '' ? 'no name' : isolated(name))).join(' · ')
  return shape === 'several' ? 'Several tenants' : 'All tenants'
}

/** What says when an incident was: its ends that nobody saw are spans. */
export type Ends = Pick<Incident, 'since' | 'foundAt' | 'openedAt' | 'closedAt' | 'closedNotBefore'>

/**
 * When it began: "02:10"; where nobody saw that, when it was found: "found 02:10". What is over has its end: "02:10 to 03:40",
 * or "02:10, ended between 03:10 and 03:40" where nobody saw it.
 */
export function startText({ since, foundAt, closedAt, closedNotBefore }: Ends, now: number, times: Times): string {
  const begin = since ?? foundAt
  const said = `${since === null ? 'found ' : ''}${shortTime(begin, now, times)}`
  if (closedAt === null) return said
  const end = shortTime(closedAt, begin, times)
  return closedNotBefore === null
    ? `${said} to ${end}`
    : `${said}, ended between ${shortTime(closedNotBefore, begin, times)} and ${end}`
}

/** Under how long it lasts: when it began, or when what is over ended. */
export function turnText(incident: Ends, now: number, times: Times): string {
  const { closedAt, closedNotBefore } = incident
  if (closedAt === null) return startText(incident, now, times)
  const end = shortTime(closedAt, now, times)
  return closedNotBefore === null ? `until ${end}` : `ended ${shortTime(closedNotBefore, now, times)} to ${end}`
}

/** How long it has lasted, or lasted: "2 h 14 min", "at least 2 h 14 min" where its beginning was not seen, "at most" where its end was not. */
export function durationText({ since, foundAt, openedAt, closedAt, closedNotBefore }: Ends, now: number): string {
  const length = span((closedAt ?? now) - (since ?? foundAt))
  if (closedAt === null || closedNotBefore === null) return since === null ? `at least ${length}` : length
  if (since !== null) return `at most ${length}`
  // Of what was found down and then found back only what was seen of it between is sure.
  return closedNotBefore > openedAt ? `at least ${span(closedNotBefore - openedAt)}` : 'for an unknown time'
}

/** "143 of 150 down"; of what is out of sight nobody knows that, and what is over says its peak. One alone is "1 device". */
export function downText({ devices, closedAt, shape }: Pick<Incident, 'devices' | 'closedAt' | 'shape'>): string {
  if (shape === 'device') return '1 device'
  const { down, unseen, peak, total } = devices
  const of = total === null ? '' : ` of ${numberText(total)}`
  if (closedAt !== null) return `Peak ${numberText(peak)}${of}`
  return isUnseen(devices) ? `${numberText(unseen)}${of} no data` : `${numberText(down)}${of} down`
}

const isUnseen = ({ down, unseen }: Incident['devices']): boolean => down === 0 && unseen > 0

/** What goes with that: "2 others down there", "peak 147", "3 no data", "2 no longer listed"; "" for nothing. */
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

/** Why it is not told now, in words: "Quiet until 06:00: Berlin patching"; "" when it is told. */
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
    // The time stands first: a name that is long is cut at its end.
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

/** When it was last told, or that it was not; what it is about stands over it. */
export function notifiedText({ notifiedAt }: Pick<Incident, 'notifiedAt'>, now: number, times: Times): string {
  return notifiedAt === null ? 'Not notified' : shortTime(notifiedAt, now, times)
}

/** "4 times in 30 days"; "First in 30 days" for this one alone; without a place that explains it nobody can say. */
export function recurrenceText(often: number | null): string {
  if (often === null) return 'Not counted: only a place or a single device has a count'
  return often <= 1 ? 'First in 30 days' : `${numberText(often)} times in 30 days`
}

/** When a device dropped: "at 02:10:03", or the honest span "between 02:10:00 and 06:40:00". */
export function droppedText(
  { at, notBefore }: Pick<IncidentMember, 'at' | 'notBefore'>,
  now: number,
  times: Times,
): string {
  return notBefore === null ? `down at ${clockTime(at, now, times)}` : `down ${clockSpan(notBefore, at, now, times)}`
}

/** Its tenant and site: both in a group of single devices, else what the incident does not say itself. Without a site nothing is said of it: it may be that the service does not tell of sites. */
export function locationText(
  { tenant, site }: Pick<IncidentMember, 'tenant' | 'site'>,
  { shape, places }: Pick<Incident, 'shape' | 'places'>,
): string {
  const said = new Set(shape === 'several' ? [] : places.map(({ name }) => name))
  return [tenant, site]
    .flatMap((name) => (name === null || name === '' || said.has(name) ? [] : [isolated(name)]))
    .join(' · ')
}

/** How many are down, what is not seen and what has recovered: the count that title and list have. */
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

/** The same of its return; "" while it is not back. */
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

/** How many are open and not silent. */
export function openCount({ open }: Pick<IncidentSummary, 'open'>): number {
  return open.critical + open.major + open.minor
}

export function worstOf({ open }: Pick<IncidentSummary, 'open'>): Severity | null {
  return (['critical', 'major', 'minor'] as const).find((severity) => open[severity] > 0) ?? null
}

/** The room's first line: "2 critical, 1 minor open; 3 acknowledged; 1 silent". */
export function summaryText({ open, acknowledged, snoozed, suppressed }: IncidentSummary): string {
  const kinds = (['critical', 'major', 'minor'] as const)
    .filter((severity) => open[severity] > 0)
    .map((severity) => `${numberText(open[severity])} ${severity}`)
  const parts = [kinds.length === 0 ? 'No open incidents' : kinds.join(', ')]
  if (acknowledged > 0) parts.push(`${numberText(acknowledged)} acknowledged`)
  if (snoozed > 0) parts.push(`${numberText(snoozed)} snoozed`)
  if (suppressed > 0) parts.push(`${numberText(suppressed)} silent`)
  return parts.join(' · ')
}

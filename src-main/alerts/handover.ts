import { byWorst } from './news.ts'
import type { Incident, IncidentMember, Policies } from '../../src-shared/incidents.ts'
import type { Counts } from '../../src-shared/model.ts'
import { withMoments } from '../../src-shared/moments.ts'
import { createQuiet } from '../../src-shared/quiet.ts'
import { describeWhen } from '../../src-shared/quiet-words.ts'
import { createZones } from '../../src-shared/zones.ts'
import { faultWords, linkWords, timeOr, type ConnectionFacts } from './connection-words.ts'
import { handoverCsv } from './handover-csv.ts'
import { count, cutWords, page, points, table, words } from './markdown.ts'
import { lasting, stampsIn, utcTime, type Stamps } from './stamps.ts'

export interface HandoverInput {
  /** The span that is handed over, and the moment at which it is, in ms. */
  from: number
  until: number
  now: number
  /** IANA name of the local time. */
  zone: string
  /** All that are open now. */
  open: readonly Incident[]
  /** Those that were open at some time in the span and are closed. */
  closed: readonly Incident[]
  /** A few devices each, those that are down first; one that is missing names none. */
  members: ReadonlyMap<string, readonly IncidentMember[]>
  policies: Policies
  /** Occurrences of quiet windows in the span. */
  quiet: readonly QuietTime[]
  totals: Counts
  connections: readonly ConnectionFacts[]
  version: string
}

export interface QuietTime {
  name: string
  zone: string
  from: number
  until: number
}

/** Longer lists are cut, and say so. */
export const mostShown = 200
const mostQuiet = 50
const mostNamed = 5

/** What a shift hands over, worst first: Markdown for whoever takes over, or a line for each incident for a spreadsheet. `name` is a file name on any system. */
export function handoverOf(input: HandoverInput, format: 'md' | 'csv'): { text: string; name: string } {
  const name = `muster-handover-${utcTime(input.until).replaceAll(/:\d\dZ$/gu, 'Z').replaceAll(/[^\w.-]/gu, '')}.${format}`
  return { text: format === 'csv' ? handoverCsv(input) : handoverPage(input), name }
}

function handoverPage(input: HandoverInput): string {
  const { from, until, now, totals, version } = input
  const stamps = stampsIn(input.zone)
  const open = [...input.open].sort(byWorst)
  const outages = open.filter(({ kind }) => kind === 'outage')
  const flapping = open.filter(({ kind }) => kind === 'flapping')
  const closed = [...input.closed].sort((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0))
  const acknowledged = [...open, ...closed].filter(({ acknowledged }) => acknowledged !== null && from <= acknowledged.at && acknowledged.at <= until)
  return page([
    `# Shift handover, ${stamps.at(from)} to ${stamps.at(until)}`,
    `Written ${stamps.at(now)} by Muster ${words(version)}. Local times are those of ${words(stamps.zone)}.`,
    `${count(outages.length)} open, ${count(flapping.length)} flapping, ${count(closed.length)} closed. Devices: ${count(totals.connected)} online, ${count(totals.disconnected)} offline, ${count(totals.unknown)} not seen now.`,
    `## Open (${count(outages.length)})`, ...openPart(outages, input, stamps, 'Nothing is open.'),
    `## Flapping (${count(flapping.length)})`, ...openPart(flapping, input, stamps, 'Nothing comes and goes.'),
    `## Acknowledged in this span (${count(acknowledged.length)})`, ...acknowledgedPart(acknowledged, stamps),
    `## Closed in this span (${count(closed.length)})`, ...closedPart(closed, input, stamps),
    '## Quiet windows', ...quietPart(input, stamps),
    '## How Muster sees', ...sightPart(input, stamps),
  ])
}

function openPart(incidents: readonly Incident[], { members, now }: HandoverInput, stamps: Stamps, none: string): string[] {
  if (incidents.length === 0) return [none]
  const shown = incidents.slice(0, mostShown)
  const lines = shown.map((incident) => [
    incident.severity, titleOf(incident, stamps), sinceWords(incident, now, stamps), `${count(incident.devices.down + incident.devices.unseen)}: ${namesOf(incident, members)}`,
    incident.acknowledged === null ? 'no' : `${stamps.at(incident.acknowledged.at)}: ${words(incident.acknowledged.reason, 500)}`,
    incident.snoozed === null ? 'no' : incident.snoozed.until === null ? 'until it recovers' : `until ${stamps.at(incident.snoozed.until)}`,
  ])
  return [table(['Severity', 'What', 'Since', 'Devices down', 'Acknowledged', 'Snoozed'], lines), cutWords(shown.length, incidents.length, 'incidents')]
}

const titleOf = (incident: Incident, stamps: Stamps): string => words(withMoments(incident, 'title', stamps.at))

const sinceWords = ({ since, openedAt }: Incident, now: number, stamps: Stamps): string =>
  since === null ? `before ${stamps.at(openedAt)}, not seen` : `${stamps.at(since)}, for ${lasting(now - since)}`

function namesOf({ id, devices }: Incident, members: HandoverInput['members']): string {
  const known = members.get(id) ?? []
  const down = known.filter(({ backAt }) => backAt === null)
  const named = (down.length > 0 ? down : known).slice(0, mostNamed)
  const more = (down.length > 0 ? devices.down + devices.unseen : devices.peak) - named.length
  if (named.length === 0) return 'names are not known'
  return `${named.map(({ name }) => words(name, 80)).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
}

function acknowledgedPart(incidents: readonly Incident[], stamps: Stamps): string[] {
  if (incidents.length === 0) return ['Nothing was acknowledged.']
  const shown = incidents.slice(0, mostShown)
  const items = shown.flatMap((incident) => {
    const { acknowledged, closedAt } = incident
    return acknowledged === null ? [] : [`${titleOf(incident, stamps)} (${closedAt === null ? 'open' : 'closed'}), ${stamps.at(acknowledged.at)}: ${words(acknowledged.reason, 500)}`]
  })
  return [points(items), cutWords(shown.length, incidents.length, 'incidents')]
}

function closedPart(incidents: readonly Incident[], { members, until }: HandoverInput, stamps: Stamps): string[] {
  if (incidents.length === 0) return ['Nothing closed.']
  const shown = incidents.slice(0, mostShown)
  const lines = shown.map((incident) => {
    const { severity, since, openedAt, closedAt, devices } = incident
    const closed = closedAt === null ? '–' : `${stamps.at(closedAt)}${closedAt > until ? ', after the span' : ''}`
    return [
      severity, titleOf(incident, stamps), stamps.at(since ?? openedAt), closed, closedAt === null ? '–' : lasting(closedAt - (since ?? openedAt)),
      `${count(devices.peak)}: ${namesOf(incident, members)}`,
    ]
  })
  return [table(['Severity', 'What', 'From', 'Closed', 'Length', 'Devices at most'], lines), cutWords(shown.length, incidents.length, 'incidents, the latest')]
}

function quietPart(input: HandoverInput, stamps: Stamps): string[] {
  const { quiet } = input
  const shown = quiet.slice(0, mostQuiet)
  const next = nextQuiet(input)
  const line = ({ name, zone, from, until }: QuietTime) => `${words(name)} (${words(zone)}): ${stamps.at(from)} to ${stamps.at(until)}`
  return [
    ...(quiet.length === 0 ? ['None in this span.'] : ['In this span:', points(shown.map(line)), cutWords(shown.length, quiet.length, 'quiet times')]),
    ...(next.length === 0 ? ['None comes.'] : ['Next:', points(next.slice(0, mostQuiet).map((one) => `${line(one)}. ${words(one.when)}`)), cutWords(Math.min(next.length, mostQuiet), next.length, 'quiet windows, the next')]),
  ]
}

/** The next time of each window that begins after now and the span. */
function nextQuiet({ policies, until, now }: HandoverInput): (QuietTime & { when: string })[] {
  const quiet = createQuiet()
  const zones = createZones()
  return policies.windows.flatMap(({ window, zone }) => {
    const next = quiet.nextOccurrence(window, zone, Math.max(until, now) - 1)
    return next === null ? [] : [{ name: window.name, zone, from: next.from, until: next.until, when: describeWhen(window, zone, zones, now) }]
  }).sort((one, other) => one.from - other.from)
}

function sightPart({ connections, totals }: HandoverInput, stamps: Stamps): string[] {
  if (connections.length === 0) return ['Muster has no connection.']
  const shown = connections.slice(0, mostShown)
  const lines = shown.map((one) => {
    const faults = faultWords(one, stamps)
    return [words(one.name), linkWords(one, stamps), timeOr(one.heardAt, stamps), timeOr(one.lastReadingAt, stamps), faults.length === 0 ? 'none' : faults.join('; ')]
  })
  return [
    table(['Connection', 'Live link', 'Last heard', 'Last full reading', 'Faults'], lines), cutWords(shown.length, connections.length, 'connections'),
    `${totals.unknown === 0 ? 'Every device is seen now.' : `${count(totals.unknown)} devices are not seen now.`} ${oldestWords(connections, stamps)}`,
  ]
}

function oldestWords(connections: readonly ConnectionFacts[], stamps: Stamps): string {
  const [oldest] = [...connections].filter(({ paused }) => !paused).sort((one, other) => (one.heardAt ?? -Infinity) - (other.heardAt ?? -Infinity) || 0)
  if (oldest === undefined) return 'All connections are paused by the operator.'
  return oldest.heardAt === null ? `Nothing was ever heard over ${words(oldest.name)}.` : `The oldest last word of a connection is that of ${words(oldest.name)}, ${stamps.at(oldest.heardAt)}.`
}

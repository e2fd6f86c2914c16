import { byWorst } from '../incidents/engine/state.ts'
import type { Incident } from '../../src-shared/model/incidents.ts'
import { faultItems, statusItem, timeOr, type ConnectionFacts } from './connection-items.ts'
import { handoverCsv } from './handover-csv.ts'
import { maintenancePart } from './handover-maintenance.ts'
import { isHandled, notesText, ownerText, statusText, titleOf, whereText, reasonText } from './handover-items.ts'
import type { HandoverInput } from './handover-input.ts'
import { count, omittedText, page, bullets, table, inline } from './markdown.ts'
import { roughDuration, pageStamps, type PageStamps } from './page-stamps.ts'
import { utcTime } from './stamps.ts'

/** The maximum lengths of the lists. A longer list is cut, with a note. */
export const maxShown = 200
const maxClosed = 25
export const maxLongStanding = 50
const maxFailing = 20

/**
 * Returns a shift handover: a page for the next operator, or a CSV line for each incident. `name` is a file name that
 * every system accepts.
 */
export function handoverOf(input: HandoverInput, format: 'md' | 'csv'): { text: string; name: string } {
  const name = `muster-handover-${utcTime(input.until)
    .replaceAll(/:\d\dZ$/gu, 'Z')
    .replaceAll(/[^\w.-]/gu, '')}.${format}`
  return { text: format === 'csv' ? handoverCsv(input) : handoverPage(input), name }
}

function handoverPage(input: HandoverInput): string {
  const { from, until, now, version } = input
  const stamps = pageStamps(input.zone, until)
  const open = [...input.open].sort(byWorst)
  const handled = open.filter(isHandled)
  const waiting = open.filter((one) => !isHandled(one))
  return page([
    `# Shift handover, ${stamps.full(from)} to ${stamps.full(until)}`,
    headline(waiting, handled, input, stamps),
    `Times are those of ${inline(stamps.named)}. Written ${stamps.at(now)} by Muster ${inline(version)}.`,
    ...openPart('Open, not acknowledged', waiting, input, stamps),
    ...openPart('Open, acknowledged', handled, input, stamps),
    ...closedPart(input, stamps),
    ...longStandingPart(input, stamps),
    ...maintenancePart(input, stamps),
    '## What Muster sees',
    ...monitoringPart(input, stamps),
  ])
}

/** Returns the summary of the page. */
function headline(
  waiting: readonly Incident[],
  handled: readonly Incident[],
  { closed, longStanding, totals, now, from, until }: HandoverInput,
  stamps: PageStamps,
): string {
  const { connected, disconnected, unknown } = totals
  const all = waiting.length + handled.length
  const [worst] = waiting.length > 0 ? waiting : handled
  return [
    all === 0
      ? '**No open incidents.**'
      : `**${count(all)} ${all === 1 ? 'incident is' : 'incidents are'} open${acknowledgedText(waiting.length, all)}.**`,
    ...(worst === undefined ? [] : [`The worst: ${titleOf(worst, stamps.at)}, ${statusText(worst, now, stamps.at)}.`]),
    `${closed.length === 0 ? 'Nothing' : count(closed.length)} closed in these ${roughDuration(until - from)}.`,
    `Of ${count(connected + disconnected + unknown)} devices ${disconnected === 0 ? 'none is' : disconnected === 1 ? '1 is' : `${count(disconnected)} are`} offline now${unknown === 0 ? '' : `, ${count(unknown)} with no data`}.`,
    outsideText(disconnected, [...waiting, ...handled], longStanding.total),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** Returns a sentence about the devices that are offline but in no open outage. All numbers are of the same moment. */
function outsideText(disconnected: number, open: readonly Incident[], longStanding: number): string {
  const outages = open.filter(({ kind }) => kind === 'outage')
  const outside = disconnected - outages.reduce((sum, { devices: { down } }) => sum + down, 0)
  if (outside <= 0) return ''
  const explained = Math.min(longStanding, outside)
  const rest = outside - explained
  const reasons = `${open.some(({ kind }) => kind === 'flapping') ? 'flapping, muted' : 'muted'} or offline for less than the alert delay`
  const texts = [
    ...(explained === 0 ? [] : [`${count(explained)} long-standing`]),
    ...(rest === 0 ? [] : [`${count(rest)} ${reasons}`]),
  ]
  return `${count(outside)} of them ${outside === 1 ? 'is' : 'are'} in no open outage: ${texts.join(', ')}.`
}

function acknowledgedText(waiting: number, all: number): string {
  if (waiting === 0) return all === 1 ? ' and is acknowledged' : ', all of them acknowledged'
  if (waiting < all) return `, nobody has ${count(waiting)} of them`
  return all === 1 ? ' and is not acknowledged' : ', none of them acknowledged'
}

function openPart(
  head: string,
  incidents: readonly Incident[],
  { members, notes, now }: HandoverInput,
  stamps: PageStamps,
): string[] {
  if (incidents.length === 0) return []
  const shown = incidents.slice(0, maxShown)
  const items = shown.map((incident) =>
    [
      `- **${titleOf(incident, stamps.at)}**, ${statusText(incident, now, stamps.at)}`,
      ...(
        [
          ['Who', whereText(incident, members.get(incident.id) ?? [])],
          ['Why', reasonText(incident, stamps.at)],
          ['Next', ownerText(incident, stamps.at)],
          ['Notes', notesText(notes.get(incident.id) ?? [])],
        ] as const
      )
        .filter(([, text]) => text !== '')
        .map(([label, text]) => `  - ${label}: ${text}`),
    ].join('\n'),
  )
  return [
    `## ${head} (${count(incidents.length)})`,
    items.join('\n'),
    omittedText(shown.length, incidents.length, 'incidents, the worst'),
  ]
}

/** Returns the worst closed incidents, one line each. The CSV has all of them. */
function closedPart({ closed, until }: HandoverInput, stamps: PageStamps): string[] {
  if (closed.length === 0) return []
  const shown = closed
    .toSorted(
      (one, other) => byWorst(one, { ...other, openedAt: one.openedAt }) || (other.closedAt ?? 0) - (one.closedAt ?? 0),
    )
    .slice(0, maxClosed)
  // The column is left out when nobody acknowledged any of them.
  const hasReasons = shown.some(({ acknowledged }) => acknowledged !== null)
  const lines = shown.map((incident) => {
    const { severity, closedAt, acknowledged } = incident
    const [when, length] = endedText(incident, stamps)
    return [
      titleOf(incident, stamps.at),
      severity,
      `${when}${closedAt !== null && closedAt > until ? ', after the shift' : ''}`,
      length,
      ...(hasReasons ? [acknowledged === null ? '' : inline(acknowledged.reason, 200)] : []),
    ]
  })
  return [
    `## Closed (${count(closed.length)})`,
    table(['Incident', 'Severity', 'Ended', 'Duration', ...(hasReasons ? ['Reason'] : [])], lines),
    omittedText(shown.length, closed.length, 'incidents, the worst; a handover as CSV has all'),
  ]
}

/**
 * Returns the devices that were offline before Muster first saw them. They cause no incident, but somebody may wait for
 * them. Spares are only counted.
 */
function longStandingPart({ longStanding: { total, spares, rows }, now }: HandoverInput, stamps: PageStamps): string[] {
  if (total === 0) return []
  const shown = rows.filter(({ spare }) => !spare)
  // The column is left out when no tenant has several accounts.
  const hasAccounts = shown.some(({ account }) => account !== undefined)
  const since = (at: number | null) => (at === null ? ['not known', ''] : [stamps.at(at), roughDuration(now - at)])
  return [
    `## Long-standing (${count(total)})`,
    'Offline since before Muster first saw them, so no incident was opened. Times are those of the service.',
    ...(shown.length === 0
      ? []
      : [
          table(
            ['Device', 'Model', 'Site', ...(hasAccounts ? ['Account'] : []), 'Tenant', 'Last seen', 'Offline for'],
            shown.map(({ name, hardwareModel, site, account, tenant, lastDetected }) => [
              inline(name, 80),
              inline(hardwareModel, 80),
              site === null ? '' : inline(site, 80),
              ...(hasAccounts ? [account === undefined ? '' : inline(account, 80)] : []),
              inline(tenant, 80),
              ...since(lastDetected),
            ]),
          ),
        ]),
    omittedText(shown.length, total - spares, 'devices, those that were seen last'),
    spares === 0 ? '' : `${count(spares)} ${spares === 1 ? 'spare is' : 'spares are'} not listed.`,
  ]
}

/** Returns when a closed incident was open, and how long. An unobserved end lies between two moments. */
function endedText(
  { since, openedAt, closedAt, closedNotBefore, unlisted = 0 }: Incident,
  stamps: PageStamps,
): [when: string, length: string] {
  if (closedAt === null) return ['–', '–']
  const begun = since ?? openedAt
  const length = roughDuration(closedAt - begun)
  if (closedNotBefore === null)
    return [`${stamps.span(begun, closedAt)}${unlisted === 0 ? '' : `, ${count(unlisted)} no longer listed`}`, length]
  return [
    `${stamps.at(begun)}, ended between ${stamps.at(closedNotBefore)} and ${stamps.at(closedAt)}`,
    since === null ? 'not known' : `at most ${length}`,
  ]
}

/** Returns the state of the connections: those without faults are counted, each of the others has a line. */
function monitoringPart({ connections, totals }: HandoverInput, stamps: PageStamps): string[] {
  if (connections.length === 0) return ['Muster has no connection.']
  const failing = connections.filter((one) => !isHealthy(one))
  const live = connections.length - failing.length
  const shown = failing.slice(0, maxFailing)
  const unseen =
    totals.unknown === 0
      ? 'every device is seen'
      : totals.unknown === 1
        ? '1 device has no data'
        : `${count(totals.unknown)} devices have no data`
  return [
    `${live === connections.length ? (live === 1 ? 'The connection is' : `All ${count(live)} connections are`) : `${count(live)} of ${count(connections.length)} connections are`} live and without a fault; ${unseen}.`,
    bullets(
      shown.map((one) => {
        const faults = faultItems(one, stamps)
        return `${inline(one.name)}: ${statusItem(one, stamps)}; last heard ${timeOr(one.heardAt, stamps)}${faults.length === 0 ? '' : `. ${faults.join('. ')}`}`
      }),
    ),
    omittedText(shown.length, failing.length, 'connections that are not'),
  ]
}

const isHealthy = ({ paused, link, faults }: ConnectionFacts): boolean =>
  !paused && link.state === 'live' && faults.length === 0

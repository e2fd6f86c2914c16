import type { Explanation } from '../../src-shared/model/explanation.ts'
import type { Note } from '../../src-shared/contract/note-calls.ts'
import type { Incident, IncidentEvent, IncidentMember } from '../../src-shared/model/incidents.ts'
import { detailText, messageBody, messageTitle } from '../../src-shared/text/messages.ts'
import { explanationText } from '../../src-shared/text/explanation.ts'
import type { ReproducibleQuery } from '../api/operations.ts'
import { withoutCredentials } from '../auth/redactor.ts'
import { connectionItems, type ConnectionFacts } from './connection-items.ts'
import { incidentItems } from './incident-items.ts'
import type { LogLine } from './log-ring.ts'
import { block, code, count, omittedText, page, bullets, table, inline } from './markdown.ts'
import { idsInKey } from '../incidents/scope/member-key.ts'
import { stampsIn, type Stamps } from './stamps.ts'

export interface EvidenceInput {
  incident: Incident
  why: readonly Explanation[]
  members: { rows: readonly IncidentMember[]; total: number }
  history: readonly IncidentEvent[]
  /** The operator's notes on its devices and their places. */
  notes: readonly Note[]
  /** The connections that list its tenants. */
  connections: readonly ConnectionFacts[]
  queries: readonly ReproducibleQuery[]
  /** Lines of the core's log around the incident, oldest first. */
  log: readonly LogLine[]
  now: number
  /** IANA name of the local time zone. */
  zone: string
  version: string
}

/** The maximum lengths of the lists. A longer list is cut, with a note. */
const maxLengths = { members: 200, history: 200, connections: 50, log: 300 }

/**
 * Returns the evidence of an incident as Markdown for a ticket. Each time is local and in UTC; an unobserved event is a
 * span. It contains no secret.
 */
export function evidenceOf(input: EvidenceInput): string {
  const { incident, why, queries, now, version } = input
  const stamps = stampsIn(input.zone)
  const body = messageBody(incident.message, stamps.at)
  const text = page([
    `# Evidence: ${inline(messageTitle(incident.message, stamps.at))}`,
    body === '' ? '' : inline(body, 2000),
    `Written ${stamps.at(now)} by Muster ${inline(version)}. Local times are those of ${inline(stamps.zone)}.`,
    bullets(incidentItems(incident, now, stamps)),
    '## Why',
    whyPart(why, stamps),
    '## Devices',
    ...membersPart(input.members, stamps),
    ...notesPart(input.notes, stamps),
    '## History',
    ...historyPart(input.history, stamps),
    '## How Muster saw',
    ...connectionsPart(input.connections, stamps),
    '## What Muster asks',
    ...(queries.length === 0 ? ['No query is known for it.'] : queries.flatMap(queryPart)),
    '## Log',
    ...logPart(input.log, stamps),
  ])
  // The input contains no credentials. This removes any that a service repeated in a name or a fault.
  return withoutCredentials(text)
}

function whyPart(why: readonly Explanation[], stamps: Stamps): string {
  if (why.length === 0) return 'Nothing more is known.'
  return bullets(why.map((one) => inline(explanationText(one, stamps.at), 1000)))
}

function membersPart({ rows, total }: EvidenceInput['members'], stamps: Stamps): string[] {
  if (rows.length === 0)
    return [total === 0 ? 'No device of it is known any more.' : `None of its ${count(total)} devices is shown.`]
  const shown = rows.slice(0, maxLengths.members)
  // The column is left out when no tenant has several accounts.
  const hasAccounts = shown.some(({ account }) => account !== undefined)
  const lines = shown.map(
    ({ key, name, at, notBefore, recoveredAt, recoveredNotBefore, unlisted, tenant: tenantName, account, site }) => {
      const { tenant, device } = idsInKey(key)
      return [
        inline(name),
        code(device),
        tenantName === '' ? code(tenant) : `${inline(tenantName, 80)} ${code(tenant)}`,
        ...(hasAccounts ? [account === undefined ? '' : inline(account, 80)] : []),
        site === null ? '' : inline(site, 80),
        stamps.span(at, notBefore),
        recoveredAt === null
          ? 'not yet'
          : `${unlisted === true ? 'no longer listed since ' : ''}${stamps.span(recoveredAt, recoveredNotBefore)}`,
      ]
    },
  )
  return [
    table(
      [
        'Device',
        'Id',
        'Tenant',
        ...(hasAccounts ? ['Account'] : []),
        'Site',
        'Went offline',
        'Recovered, or left the incident',
      ],
      lines,
    ),
    omittedText(shown.length, total, 'devices'),
  ]
}

/** Returns the operator's notes and tags; nothing where there are none. */
function notesPart(notes: readonly Note[], stamps: Stamps): string[] {
  if (notes.length === 0) return []
  const lines = notes.map(({ kind, name, contact, tags, text, at, by }) => [
    `${kind} ${inline(name, 80)}`,
    contact === '' ? '' : inline(contact),
    tags.length === 0 ? '' : inline(tags.join(', ')),
    text === '' ? '' : inline(text, 1000),
    by === undefined ? stamps.at(at) : `${stamps.at(at)} by ${inline(by, 80)}`,
  ])
  return ['## Notes', table(['About', 'Contact', 'Tags', 'Note', 'Written'], lines)]
}

function historyPart(history: readonly IncidentEvent[], stamps: Stamps): string[] {
  if (history.length === 0) return ['Nothing is noted.']
  const shown = history.slice(0, maxLengths.history)
  return [
    table(
      ['Time', 'Event', 'Details'],
      shown.map(({ at, what, detail }) => [stamps.at(at), what, inline(detailText(detail, stamps.at))]),
    ),
    omittedText(shown.length, history.length, 'entries, the oldest'),
  ]
}

function connectionsPart(connections: readonly ConnectionFacts[], stamps: Stamps): string[] {
  if (connections.length === 0) return ['No connection of Muster sees its tenants now.']
  const shown = connections.slice(0, maxLengths.connections)
  return [
    ...shown.flatMap((one) => [`### ${inline(one.name)}`, bullets(connectionItems(one, stamps))]),
    omittedText(shown.length, connections.length, 'connections'),
  ]
}

function queryPart({ name, document, variables, remark }: ReproducibleQuery): string[] {
  return [
    `### ${inline(name)}`,
    block('graphql', [document]),
    'Variables:',
    block('json', [JSON.stringify(variables, null, 2) ?? 'null']),
    remark === '' ? '' : inline(remark, 2000),
  ]
}

/** Shows the last lines, because the cause of a lost connection is just before its end. */
function logPart(log: readonly LogLine[], stamps: Stamps): string[] {
  if (log.length === 0)
    return [
      'No line about these connections is remembered from that time. The log is remembered since Muster was started, and not for ever.',
    ]
  const shown = log.slice(-maxLengths.log)
  return [
    `Local times are those of ${inline(stamps.zone)}.`,
    block(
      'text',
      shown.map(({ at, level, text }) => `${stamps.line(at)} ${level} ${text.replaceAll(/\s+/gu, ' ')}`),
    ),
    omittedText(shown.length, log.length, 'lines, the latest'),
  ]
}

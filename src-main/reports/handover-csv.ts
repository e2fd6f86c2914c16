import type { Incident, IncidentMember, LongStanding } from '../../src-shared/model/incidents.ts'
import type { Note } from '../../src-shared/contract/note-calls.ts'
import { messageTitle } from '../../src-shared/text/messages.ts'
import { csvLine, type Cell } from '../../src-shared/text/csv.ts'
import { oneLine } from './markdown.ts'
import { byWorst } from '../incidents/engine/state.ts'
import { utcTime } from './stamps.ts'

interface Named {
  members: ReadonlyMap<string, readonly IncidentMember[]>
  /**
   * The number of devices that were in each incident at any time, by its id; without an entry, the number of named
   * ones.
   */
  memberCounts: ReadonlyMap<string, number>
  notes: ReadonlyMap<string, readonly Note[]>
}

/** The maximum length of a cell, in characters. Spreadsheets accept at most 32,767. */
const maxCellLength = 30_000

/** Returns as many device names as fit in a cell, and the number of the others. */
function namesOf({ id }: Incident, { members, memberCounts }: Named): string {
  const names: string[] = []
  let length = 0
  for (const { name } of members.get(id) ?? []) {
    const line = oneLine(name, 80)
    length += line.length + 2
    if (length > maxCellLength) break
    names.push(line)
  }
  const more = (memberCounts.get(id) ?? names.length) - names.length
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

const timeCell = (at: number | null | undefined): Cell => (at === null || at === undefined ? null : utcTime(at))
const stateOf = ({ closedAt, acknowledged, snoozed }: Incident): string =>
  closedAt !== null ? 'closed' : acknowledged !== null ? 'acknowledged' : snoozed !== null ? 'snoozed' : 'open'

const noteLine = ({ name, contact, tags, text }: Note): string =>
  `${oneLine(name, 80)}: ${[contact, tags.join(', '), text]
    .filter((part) => part !== '')
    .map((part) => oneLine(part, 500))
    .join(', ')}`

/**
 * The columns in reading order. Times are in UTC to the second, durations in whole seconds. With a `closedNotBefore`,
 * the end was not observed and the duration is a maximum; a snooze until recovery has no end.
 */
const columns: readonly [head: string, cellOf: (incident: Incident, members: Named, now: number) => Cell][] = [
  ['state', stateOf],
  ['severity', ({ severity }) => severity],
  ['title', (incident) => oneLine(messageTitle(incident.message, utcTime))],
  ['places', ({ places }) => places.map(({ name }) => oneLine(name)).join(' / ')],
  ['since', ({ since }) => timeCell(since)],
  ['closedAt', ({ closedAt }) => timeCell(closedAt)],
  ['closedNotBefore', ({ closedNotBefore }) => timeCell(closedNotBefore)],
  [
    'seconds',
    ({ since, openedAt, closedAt }, _members, now) =>
      Math.max(0, Math.round(((closedAt ?? now) - (since ?? openedAt)) / 1000)),
  ],
  ['acknowledgedAt', ({ acknowledged }) => timeCell(acknowledged?.at)],
  ['acknowledgedWhy', ({ acknowledged }) => (acknowledged === null ? null : oneLine(acknowledged.reason, 500))],
  ['snoozedAt', ({ snoozed }) => timeCell(snoozed?.at)],
  ['snoozedUntil', ({ snoozed }) => timeCell(snoozed?.until)],
  ['silent', ({ suppressed }) => suppressed?.why ?? null],
  ['down', ({ devices }) => devices.down],
  ['unseen', ({ devices }) => devices.unseen],
  ['peak', ({ devices }) => devices.peak],
  ['total', ({ devices }) => devices.total],
  ['watched', ({ watched }) => watched],
  ['often30Days', ({ recurrence }) => recurrence],
  ['deviceCount', ({ id }, { members, memberCounts }) => memberCounts.get(id) ?? members.get(id)?.length ?? null],
  ['devices', namesOf],
  ['kind', ({ kind }) => kind],
  ['openedAt', ({ openedAt }) => timeCell(openedAt)],
  ['toldAt', ({ notifiedAt }) => timeCell(notifiedAt)],
  ['id', ({ id }) => id],
  // New columns are added at the end, because readers may go by position.
  ['noLongerListed', ({ unlisted = 0 }) => unlisted],
  ['notes', ({ id }, { notes }) => (notes.get(id) ?? []).map(noteLine).join('; ') || null],
  ['assignedTo', ({ assigned }) => (assigned === null ? null : oneLine(assigned.to, 200))],
  ['assignedAt', ({ assigned }) => timeCell(assigned?.at)],
]

/** Returns the cells of a device that was offline before Muster first saw it, by column head. */
const longStandingCells = ({
  key,
  name,
  tenant,
  account,
  site,
  room,
  lastDetected,
  spare,
}: LongStanding): Record<string, Cell> => ({
  state: spare ? 'spare' : 'long-standing',
  title: oneLine(name),
  places: [room, site, account, tenant]
    .flatMap((each) => (each === null || each === undefined ? [] : [oneLine(each)]))
    .join(' / '),
  since: timeCell(lastDetected),
  down: 1,
  id: key,
})

/**
 * Returns the handover as CSV: a line for each incident (open ones first, the worst of them at the top) and for each
 * long-standing device. As in exports, it has a byte order mark, follows RFC 4180, and no cell is a formula.
 */
export function handoverCsv({
  open,
  closed,
  longStanding,
  members,
  memberCounts,
  notes,
  now,
}: {
  open: readonly Incident[]
  closed: readonly Incident[]
  longStanding: { rows: readonly LongStanding[] }
  now: number
} & Named): string {
  const lines = [...[...open].sort(byWorst), ...closed].map((incident) =>
    csvLine(columns.map(([, cellOf]) => cellOf(incident, { members, memberCounts, notes }, now))),
  )
  const longStandingLines = longStanding.rows.map((one) =>
    csvLine(columns.map(([head]) => longStandingCells(one)[head] ?? null)),
  )
  return `\uFEFF${[columns.map(([head]) => head).join(','), ...lines, ...longStandingLines].map((line) => `${line}\r\n`).join('')}`
}

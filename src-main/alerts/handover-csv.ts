import type { Incident, IncidentMember } from '../../src-shared/incidents.ts'
import { withMoments } from '../../src-shared/moments.ts'
import { csvCell, type Cell } from '../data/export-cells.ts'
import { oneLine } from './markdown.ts'
import { utcTime } from './stamps.ts'

type Named = ReadonlyMap<string, readonly IncidentMember[]>

const moment = (at: number | null | undefined): Cell => (at === null || at === undefined ? null : { at })
const taken = ({ closedAt, acknowledged, snoozed }: Incident): string =>
  closedAt !== null ? 'closed' : acknowledged !== null ? 'acknowledged' : snoozed !== null ? 'snoozed' : 'open'

/** Columns in their order. Times are UTC, lengths whole seconds; a snooze that ends with the incident has no end. */
const columns: readonly [head: string, cellOf: (incident: Incident, members: Named, now: number) => Cell][] = [
  ['id', ({ id }) => id],
  ['state', taken],
  ['severity', ({ severity }) => severity],
  ['kind', ({ kind }) => kind],
  ['title', (incident) => oneLine(withMoments(incident, 'title', utcTime))],
  ['places', ({ places }) => places.map(({ name }) => oneLine(name)).join(' / ')],
  ['since', ({ since }) => moment(since)],
  ['openedAt', ({ openedAt }) => moment(openedAt)],
  ['closedAt', ({ closedAt }) => moment(closedAt)],
  ['seconds', ({ since, openedAt, closedAt }, _members, now) => Math.max(0, Math.round(((closedAt ?? now) - (since ?? openedAt)) / 1000))],
  ['down', ({ devices }) => devices.down],
  ['unseen', ({ devices }) => devices.unseen],
  ['peak', ({ devices }) => devices.peak],
  ['total', ({ devices }) => devices.total],
  ['watched', ({ marked }) => marked],
  ['devices', ({ id }, members) => (members.get(id) ?? []).map(({ name }) => oneLine(name, 80)).join('; ')],
  ['acknowledgedAt', ({ acknowledged }) => moment(acknowledged?.at)],
  ['acknowledgedWhy', ({ acknowledged }) => (acknowledged === null ? null : oneLine(acknowledged.reason, 500))],
  ['snoozedAt', ({ snoozed }) => moment(snoozed?.at)],
  ['snoozedUntil', ({ snoozed }) => moment(snoozed?.until)],
  ['silent', ({ silent }) => silent?.why ?? null],
  ['toldAt', ({ toldAt }) => moment(toldAt)],
  ['often30Days', ({ often }) => often],
]

/** A line for each incident, open ones first, as exports are written: with a byte order mark, RFC 4180, no cell a formula. */
export function handoverCsv({ open, closed, members, now }: { open: readonly Incident[]; closed: readonly Incident[]; members: Named; now: number }): string {
  const lines = [...open, ...closed].map((incident) => columns.map(([, cellOf]) => csvCell(cellOf(incident, members, now))).join(','))
  return `\uFEFF${[columns.map(([head]) => head).join(','), ...lines].map((line) => `${line}\r\n`).join('')}`
}

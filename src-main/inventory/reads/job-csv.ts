import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import type { DeviceValues } from '../../../src-shared/model/jobs.ts'
import type { JobLine } from '../../storage/journal/jobs/jobs.ts'
import { type Cell, csvLine } from '../../../src-shared/text/csv.ts'

const timeCell = (at: number | null): Cell => (at === null ? null : { at })

/** Returns values as text: `name: Lobby; site: Berlin; room: none`. */
function valuesText({ name, site, room }: DeviceValues): string {
  const place = (ref: NamedRef | null) => (ref === null ? 'none' : ref.name === '' ? ref.id : ref.name)
  return [
    ...(name === undefined ? [] : [`name: ${name}`]),
    ...(site === undefined ? [] : [`site: ${place(site)}`]),
    ...(room === undefined ? [] : [`room: ${place(room)}`]),
  ].join('; ')
}

/** The columns in reading order. Times are in UTC, as in the inventory's export. */
const columns: readonly [head: string, cellOf: (line: JobLine) => Cell][] = [
  ['job', ({ record }) => record.id],
  ['kind', ({ record }) => record.kind],
  ['created', ({ record }) => timeCell(record.createdAt)],
  ['started', ({ record }) => timeCell(record.startedAt)],
  ['ended', ({ record }) => timeCell(record.endedAt)],
  ['state', ({ record }) => record.state],
  ['tenant', ({ target }) => target.tenant.name],
  ['device', ({ target }) => target.name],
  ['id', ({ target }) => target.id],
  ['site', ({ target }) => target.site?.name],
  ['room', ({ target }) => target.room?.name],
  ['before', ({ target }) => valuesText(target.before)],
  ['after', ({ target }) => valuesText(target.after)],
  ['outcome', ({ target }) => target.outcome],
  ['reason', ({ target }) => target.obstacle],
  ['words', ({ target }) => target.words],
  ['sent', ({ target }) => timeCell(target.sentAt)],
  ['answered', ({ target }) => timeCell(target.answeredAt)],
  ['proven', ({ target }) => timeCell(target.provenAt)],
  ['provenBy', ({ target }) => target.provenBy],
  ['backAfterSeconds', ({ target: { backAfter } }) => (backAfter === null ? null : Math.round(backAfter / 1000))],
  ['operator', ({ record }) => record.owner?.operator],
]

/** The first line of the history, with a byte order mark. */
export const jobCsvHead = `\uFEFF${columns.map(([head]) => head).join(',')}\r\n`

/** Returns a line for each device. As in exports, it follows RFC 4180, and no cell is a formula. */
export const jobCsvLines = (lines: readonly JobLine[]): string =>
  lines.map((line) => `${csvLine(columns.map(([, cellOf]) => cellOf(line)))}\r\n`).join('')

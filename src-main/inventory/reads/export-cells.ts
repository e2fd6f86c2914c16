import { type Cell, isoTime } from '../../../src-shared/text/csv.ts'
import { isTextField, isTimeField } from '../../../src-shared/model/base-fields.ts'
import { extraNumber } from '../../../src-shared/filter/extra-value.ts'
import type { ColumnId, DeviceRow, ExtraColumn, SortColumn } from '../../../src-shared/model/inventory.ts'
import { assertNever } from '../../../src-shared/model/fault.ts'
import { own } from '../../../src-shared/lib/own.ts'

export interface ExportColumn {
  head: string
  cellOf: (row: DeviceRow) => Cell
}

/**
 * The columns of an export under their own names. `since` has a second one: whether it is `seen` or
 * `at-least`.
 */
export function exportColumns(
  columns: readonly ColumnId[],
  typeOf: (name: string) => ExtraColumn['type'] | null,
): ExportColumn[] {
  return columns.flatMap((id): ExportColumn[] => {
    if (isExtraColumn(id)) {
      const name = id.slice(6)
      return [{ head: name, cellOf: ({ extra }) => extraCell(own(extra, name), typeOf(name) ?? 'text') }]
    }
    const column = { head: id, cellOf: (row: DeviceRow) => ownCell(row, id) }
    return id === 'since' ? [column, { head: 'sinceKind', cellOf: ({ since }) => since?.kind ?? null }] : [column]
  })
}

const isExtraColumn = (id: ColumnId): id is `extra:${string}` => id.startsWith('extra:')

const timeCell = (at: number | null): Cell => (at === null ? null : { at })

const statusText = { connected: 'online', disconnected: 'offline', unknown: 'unknown' } as const

function ownCell(row: DeviceRow, column: SortColumn): Cell {
  if (isTextField(column)) return row[column]
  if (isTimeField(column)) return timeCell(row[column])
  switch (column) {
    case 'status':
      return statusText[row.status]
    case 'since':
      return timeCell(row.since?.at ?? null)
    case 'site':
      return row.site?.name ?? null
    case 'room':
      return row.room?.name ?? null
    case 'account':
      return row.account?.name ?? null
    case 'tenant':
      return row.tenant.name
    case 'region':
      return row.tenant.region
    case 'seenAt':
      return timeCell(row.seenAt)
    case 'placedAt':
      return timeCell(row.placedAt)
    case 'tags':
      return row.tags?.join(', ') ?? null
    case 'note':
      return row.note ?? null
    case 'name':
    case 'id':
      return row[column]
    default:
      return assertNever(column)
  }
}

/** A value of an extra column by its type; a value that does not fit stays text. */
function extraCell(text: string | null | undefined, type: ExtraColumn['type']): Cell {
  if (text === null || text === undefined) return text
  const number = extraNumber(type, text)
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : text
  if (Number.isNaN(number)) return text
  return type === 'time' ? { at: number } : number
}

/** A row as JSON. Values that were not read are left out; none is null. */
export function jsonObject(columns: readonly ExportColumn[], row: DeviceRow): string {
  const entries = columns.map(({ head, cellOf }): [string, unknown] => {
    const cell = cellOf(row)
    return [head, typeof cell === 'object' && cell !== null ? isoTime(cell.at) : cell]
  })
  return JSON.stringify(Object.fromEntries(entries))
}

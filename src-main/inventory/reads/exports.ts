import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import { textAt } from '../engine/columns/columns.ts'
import type { Inventory } from '../engine/inventory.ts'
import { rowAt, pageOf } from '../engine/view.ts'
import { csvCell, tsvCell } from '../../../src-shared/text/csv.ts'
import { exportColumns, type ExportColumn, jsonObject } from './export-cells.ts'

type ExportRequest = CallInput<'inventory.export'> & { now: number }
type Part = CallOutput<'inventory.export'>

/** Exports in progress, oldest first. Each holds only the keys of its rows. */
export type Exports = Map<string, Export>

interface Export {
  readonly keys: readonly string[]
  readonly columns: readonly ExportColumn[]
  readonly format: ExportRequest['format']
  /** When a part was last requested, ms. */
  usedAt: number
}

/** Rows of one part: they take a few ms of the thread. */
const partRows = 1000
/** An export without a request for this long is dropped, ms. */
const abandonedAfterMs = 10 * 60_000
/** With more than this at a time the oldest is dropped. */
const maxExports = 8

export const newExports = (): Exports => new Map()

/**
 * A part of an export (contract.ts, `inventory.export`). The rows and their order are fixed at the start; cells have
 * the values of the moment when their part is made, and removed devices are left out. With `keys` these devices come in
 * the query's order, whether they match its filter or not: the operator selected them.
 */
export function exportPart(inventory: Inventory, exports: Exports, request: ExportRequest): Part {
  dropAbandoned(exports, request.now)
  const position =
    request.after === null
      ? { id: startExport(inventory, exports, request), from: 0, hasRows: false }
      : positionOf(request.after)
  const entry = exports.get(position.id)
  if (!entry) throw new FaultError('input', 'this export ended because it was not continued; start it again')
  entry.usedAt = request.now
  const to = Math.min(position.from + partRows, entry.keys.length)
  const { text, hasRows } = partOf(inventory, entry, position, to)
  const total = entry.keys.length
  if (to < total) return { text, after: `${position.id}:${to}:${Number(hasRows)}`, total }
  exports.delete(position.id)
  return { text, after: null, total }
}

/** Drops abandoned exports. Also called by other reads, so that they do not wait for the next export. */
export function dropAbandoned(exports: Exports, now: number): void {
  for (const [id, { usedAt }] of exports)
    if (Math.abs(now - usedAt) > abandonedAfterMs || exports.size > maxExports) exports.delete(id)
}

/** Where an export continues, and whether a row was written before. */
interface Position {
  id: string
  from: number
  hasRows: boolean
}

function positionOf(after: string): Position {
  const [id = '', from = '', hasRows = ''] = after.split(':')
  if (!/^\d{1,15}$/u.test(from)) throw new FaultError('input', 'this is no part of an export')
  return { id, from: Number(from), hasRows: hasRows === '1' }
}

function startExport(
  inventory: Inventory,
  exports: Exports,
  { query, keys, columns, format, now }: ExportRequest,
): string {
  const { rows, extras } = inventory
  const id = crypto.randomUUID()
  const slots =
    keys === null ? pageOf(inventory, query, now, 0, rows.count).slots : selectedSlots(inventory, query, keys)
  exports.set(id, {
    keys: slots.map((slot) => textAt(rows.key, slot)),
    format,
    usedAt: now,
    columns: exportColumns(exportedColumns(columns, format), (name) => extras.columns.get(name)?.type ?? null),
  })
  return id
}

/** A file always has the id, which identifies its devices later. */
function exportedColumns(columns: readonly ColumnId[], format: ExportRequest['format']): readonly ColumnId[] {
  return format === 'tsv' || columns.includes('id') ? columns : [...columns, 'id']
}

function selectedSlots(
  { rows, orders }: Inventory,
  { sort }: ExportRequest['query'],
  keys: readonly string[],
): number[] {
  const mask = new Uint8Array(rows.capacity)
  for (const key of keys) {
    const slot = rows.slotOf.get(key)
    if (slot !== undefined) mask[slot] = 1
  }
  return Array.from(orders.sorted(sort).filter((slot) => mask[slot] === 1))
}

function partOf(
  inventory: Inventory,
  { keys, columns, format }: Export,
  { from, hasRows: hadRows }: Position,
  to: number,
): { text: string; hasRows: boolean } {
  const rows = keys.slice(from, to).flatMap((key) => {
    const slot = inventory.rows.slotOf.get(key)
    return slot === undefined ? [] : rowAt(inventory, slot)
  })
  const hasRows = hadRows || rows.length > 0
  if (format === 'json') {
    const objects = rows.map((row, index) => `${hadRows || index > 0 ? ',' : ''}\n${jsonObject(columns, row)}`)
    return { hasRows, text: `${from === 0 ? '[' : ''}${objects.join('')}${to >= keys.length ? '\n]\n' : ''}` }
  }
  const [cell, between, lineEnd] =
    format === 'csv' ? ([csvCell, ',', '\r\n'] as const) : ([tsvCell, '\t', '\n'] as const)
  const head =
    from === 0
      ? `${format === 'csv' ? '\uFEFF' : ''}${columns.map((column) => cell(column.head)).join(between)}${lineEnd}`
      : ''
  return {
    hasRows,
    text: head + rows.map((row) => columns.map(({ cellOf }) => cell(cellOf(row))).join(between) + lineEnd).join(''),
  }
}

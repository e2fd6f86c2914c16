import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import { textAt } from '../engine/columns/columns.ts'
import type { Inventory } from '../engine/inventory.ts'
import { rowAt, windowOf } from '../engine/view.ts'
import { csvCell, exportColumns, type ExportColumn, jsonObject, tsvCell } from './export-cells.ts'

type Asked = CallInput<'inventory.export'> & { now: number }
type Part = CallOutput<'inventory.export'>

/** Exports under way, oldest first. Each holds the keys of its rows and nothing else. */
export type Exports = Map<string, Export>

interface Export {
  readonly keys: readonly string[]
  readonly columns: readonly ExportColumn[]
  readonly format: Asked['format']
  /** When a part was last asked for, ms. */
  usedAt: number
}

/** Rows of one part: a few ms of the thread. */
const partRows = 1000
/** An export that nobody goes on with is let go after this long, ms. */
const abandonedAfter = 10 * 60_000
/** Of more than this at a time the oldest is let go. */
const mostExports = 8

export const newExports = (): Exports => new Map()

/**
 * A part of an export (contract.ts, `inventory.export`). Which rows, and their order, are those of the beginning; each
 * cell is as it is known when its part is made, and a device that is gone by then is left out. With `keys` these
 * devices come in the query's order, whether its filter still lets them through or not: somebody chose them.
 */
export function exportPart(inventory: Inventory, exports: Exports, asked: Asked): Part {
  letGo(exports, asked.now)
  const place =
    asked.after === null ? { id: begin(inventory, exports, asked), from: 0, anyBefore: false } : placeOf(asked.after)
  const one = exports.get(place.id)
  if (!one) throw new FaultError('input', 'this export was let go, because nobody went on with it; begin it anew')
  one.usedAt = asked.now
  const to = Math.min(place.from + partRows, one.keys.length)
  const { text, any } = partOf(inventory, one, place, to)
  const total = one.keys.length
  if (to < total) return { text, after: `${place.id}:${to}:${Number(any)}`, total }
  exports.delete(place.id)
  return { text, after: null, total }
}

/** Also called when other things are asked for, so that an abandoned export does not wait for the next one. */
export function letGo(exports: Exports, now: number): void {
  for (const [id, { usedAt }] of exports)
    if (Math.abs(now - usedAt) > abandonedAfter || exports.size > mostExports) exports.delete(id)
}

/** Where an export goes on, and whether a row was written before. */
interface Place {
  id: string
  from: number
  anyBefore: boolean
}

function placeOf(after: string): Place {
  const [id = '', from = '', any = ''] = after.split(':')
  if (!/^\d{1,15}$/u.test(from)) throw new FaultError('input', 'this is no part of an export')
  return { id, from: Number(from), anyBefore: any === '1' }
}

function begin(inventory: Inventory, exports: Exports, { query, keys, columns, format, now }: Asked): string {
  const { rows, extras } = inventory
  const id = crypto.randomUUID()
  const slots = keys === null ? windowOf(inventory, query, now, 0, rows.count).slots : chosen(inventory, query, keys)
  exports.set(id, {
    keys: slots.map((slot) => textAt(rows.key, slot)),
    format,
    usedAt: now,
    columns: exportColumns(exported(columns, format), (name) => extras.columns.get(name)?.type ?? null),
  })
  return id
}

/** A file outlives the window that it was made in: each device of it can be told from every other one. */
function exported(columns: readonly ColumnId[], format: Asked['format']): readonly ColumnId[] {
  return format === 'tsv' || columns.includes('id') ? columns : [...columns, 'id']
}

function chosen({ rows, orders }: Inventory, { sort }: Asked['query'], keys: readonly string[]): number[] {
  const marks = new Uint8Array(rows.capacity)
  for (const key of keys) {
    const slot = rows.slotOf.get(key)
    if (slot !== undefined) marks[slot] = 1
  }
  return Array.from(orders.sorted(sort).filter((slot) => marks[slot] === 1))
}

function partOf(
  inventory: Inventory,
  { keys, columns, format }: Export,
  { from, anyBefore }: Place,
  to: number,
): { text: string; any: boolean } {
  const rows = keys.slice(from, to).flatMap((key) => {
    const slot = inventory.rows.slotOf.get(key)
    return slot === undefined ? [] : rowAt(inventory, slot)
  })
  const any = anyBefore || rows.length > 0
  if (format === 'json') {
    const objects = rows.map((row, index) => `${anyBefore || index > 0 ? ',' : ''}\n${jsonObject(columns, row)}`)
    return { any, text: `${from === 0 ? '[' : ''}${objects.join('')}${to >= keys.length ? '\n]\n' : ''}` }
  }
  const [cell, between, lineEnd] =
    format === 'csv' ? ([csvCell, ',', '\r\n'] as const) : ([tsvCell, '\t', '\n'] as const)
  const head =
    from === 0
      ? `${format === 'csv' ? '\uFEFF' : ''}${columns.map((column) => cell(column.head)).join(between)}${lineEnd}`
      : ''
  return {
    any,
    text: head + rows.map((row) => columns.map(({ cellOf }) => cell(cellOf(row))).join(between) + lineEnd).join(''),
  }
}

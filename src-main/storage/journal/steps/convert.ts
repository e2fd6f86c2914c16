import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { own } from '../../../../src-shared/lib/own.ts'

export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Number of rows that are in memory at the same time. */
export const portion = 500

type ValueOf = (row: Record<string, SQLOutputValue>) => string | null

/** Replaces one column of each row by what `valueOf` returns; a row for which it returns null stays. */
export function convert(db: DatabaseSync, table: string, key: string, column: string, valueOf: ValueOf): void {
  const update = db.prepare(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${key} = ?`)
  for (const row of rowsOf(db, table, key)) {
    const value = valueOf(row)
    if (value !== null) update.run(value, own(row, key) ?? null)
  }
}

/** Reads a table in the order of its key, a portion at a time. The key of a read row must not change meanwhile. */
function* rowsOf(db: DatabaseSync, table: string, key: string): Generator<Record<string, SQLOutputValue>> {
  const next = db.prepare(`SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`)
  let rows = db.prepare(`SELECT * FROM ${table} ORDER BY ${key} LIMIT ?`).all(portion)
  while (rows.length > 0) {
    yield* rows
    rows = next.all(own(rows.at(-1) ?? {}, key) ?? null, portion)
  }
}

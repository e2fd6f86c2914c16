import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { fromJson, toJson } from './json.ts'

/** A call that the team's log does not have yet, although it was carried out here. */
export interface PendingAct {
  id: string
  call: string
  input: unknown
}

/** The tables that such a call may change, with the columns of each, of which the first one is its key. */
const tables = {
  note: ['node', 'text'],
  view: ['id', 'position', 'is_default', 'text'],
  saved_operation: ['id', 'text'],
} as const

/** Rows of a table, by their keys. */
export interface RowKeys {
  table: keyof typeof tables
  keys: readonly string[]
}

/** What this member did while the team's log could not be written. */
export interface PendingActs {
  /** Returns all of them in their order. */
  all(): PendingAct[]
  add(act: PendingAct): void
  /** Removes one of them; null: all. */
  drop(id: string | null): void
  /** Keeps these rows as they are now, before the act of this id changes them. */
  keepFound(id: string, rows: RowKeys): void
  /** Makes the rows of all acts what they found, the last act's first. Returns which rows these are. */
  putBack(): RowKeys[]
  /** The rows that the acts found do not count any more. */
  forgetFound(): void
}

/** `rows`: by their keys; null: there was none. */
interface Found extends RowKeys {
  rows: readonly (readonly SQLOutputValue[] | null)[]
}

export function pendingActsIn(db: DatabaseSync): PendingActs {
  const all = db.prepare('SELECT id, call, text FROM pending_act ORDER BY number')
  const add = db.prepare('INSERT INTO pending_act (id, call, text) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM pending_act WHERE id = ?')
  const clear = db.prepare('DELETE FROM pending_act')
  const keep = db.prepare('UPDATE pending_act SET found = ? WHERE id = ?')
  const found = db.prepare('SELECT found FROM pending_act WHERE found IS NOT NULL ORDER BY number DESC')
  const forget = db.prepare('UPDATE pending_act SET found = NULL')
  const read = ({ table, keys }: RowKeys): Found => {
    const row = db.prepare(`SELECT ${tables[table].join(', ')} FROM "${table}" WHERE ${tables[table][0]} = ?`)
    return { table, keys, rows: keys.map((key) => Object.values(row.get(key) ?? {})).map(nullWhereEmpty) }
  }
  const write = ({ table, keys, rows }: Found): void => {
    const columns = tables[table]
    const erase = db.prepare(`DELETE FROM "${table}" WHERE ${columns[0]} = ?`)
    const put = db.prepare(
      `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    // All go first: only one view may be the default.
    for (const key of keys) erase.run(key)
    for (const row of rows) if (row !== null) put.run(...row)
  }
  return {
    all: () => all.all().map(({ id, call, text }) => ({ id: String(id), call: String(call), input: fromJson(text) })),
    add: ({ id, call, input }) => void add.run(id, call, toJson(input)),
    drop: (id) => void (id === null ? clear.run() : remove.run(id)),
    keepFound: (id, { table, keys }) => void keep.run(toJson(read({ table, keys: [...new Set(keys)] })), id),
    putBack: () =>
      found.all().map(({ found: text }) => {
        const before = fromJson(text) as Found
        write(before)
        return { table: before.table, keys: before.keys }
      }),
    forgetFound: () => void forget.run(),
  }
}

const nullWhereEmpty = <T>(row: T[]): T[] | null => (row.length === 0 ? null : row)

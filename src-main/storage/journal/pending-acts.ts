import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
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
  /** Returns how many there are, and the first one. */
  first(): { waiting: number; next: PendingAct | null }
  add(act: PendingAct): void
  /** Removes one of them; null: all. */
  drop(id: string | null): void
  /** Keeps these rows as they are now, before the act of this id changes them. */
  keepFound(id: string, rows: RowKeys): void
  /** Returns those of which nothing is in the files, in their order. */
  undone(): PendingAct[]
  /** Returns what each of the others has found, in their order. `unreadable`: that is lost. */
  found(): { id: string; found: Found | 'unreadable' }[]
  /** Makes rows what acts have found, given in the order of the acts. */
  putBack(found: readonly Found[]): void
  /** No act has found anything: nothing of them is in the files. */
  forgetFound(): void
}

const foundRows = z.object({
  table: z.enum(['note', 'view', 'saved_operation']),
  keys: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()])).nullable()),
})
/** Rows as an act found them. `rows`: by their keys; null: there was none. */
export type Found = z.infer<typeof foundRows>

export function pendingActsIn(db: DatabaseSync): PendingActs {
  const all = db.prepare('SELECT id, call, text FROM pending_act ORDER BY number')
  const first = db.prepare('SELECT id, call, text FROM pending_act ORDER BY number LIMIT 1')
  const count = db.prepare('SELECT count(*) AS count FROM pending_act')
  const add = db.prepare('INSERT INTO pending_act (id, call, text) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM pending_act WHERE id = ?')
  const clear = db.prepare('DELETE FROM pending_act')
  const keep = db.prepare('UPDATE pending_act SET found = ? WHERE id = ?')
  const undone = db.prepare('SELECT id, call, text FROM pending_act WHERE found IS NULL ORDER BY number')
  const found = db.prepare('SELECT id, found FROM pending_act WHERE found IS NOT NULL ORDER BY number')
  const forget = db.prepare('UPDATE pending_act SET found = NULL')
  return {
    all: () => all.all().map(actOf),
    first() {
      const row = first.get()
      return { waiting: Number(count.get()?.['count']), next: row === undefined ? null : actOf(row) }
    },
    add: ({ id, call, input }) => void add.run(id, call, toJson(input)),
    drop: (id) => void (id === null ? clear.run() : remove.run(id)),
    keepFound: (id, { table, keys }) => void keep.run(toJson(read(db, { table, keys: [...new Set(keys)] })), id),
    undone: () => undone.all().map(actOf),
    found: () =>
      found.all().map(({ id, found: text }) => ({
        id: String(id),
        found: foundRows.safeParse(fromJson(text)).data ?? ('unreadable' as const),
      })),
    putBack(rows) {
      for (const each of rows.toReversed()) write(db, each)
    },
    forgetFound: () => void forget.run(),
  }
}

const actOf = ({ id, call, text }: Record<string, unknown>): PendingAct => ({
  id: String(id),
  call: String(call),
  input: fromJson(text),
})

function read(db: DatabaseSync, { table, keys }: RowKeys) {
  const columns = tables[table]
  const row = db.prepare(`SELECT ${columns.join(', ')} FROM "${table}" WHERE ${columns[0]} = ?`)
  const rows = keys.map((key) => {
    const present = row.get(key)
    return present === undefined ? null : Object.values(present)
  })
  return { table, keys, rows }
}

function write(db: DatabaseSync, { table, keys, rows }: Found): void {
  const columns = tables[table]
  const erase = db.prepare(`DELETE FROM "${table}" WHERE ${columns[0]} = ?`)
  const put = db.prepare(`INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
  // All go first: only one view may be the default.
  for (const key of keys) erase.run(key)
  for (const row of rows) if (row !== null) put.run(...row)
}

import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'
import type { StoredPolicy } from './incidents.ts'
import { fromJson, toJson } from './json.ts'

/** What the operator did, with what was before, so that it can be taken back. */
export interface StoredAction {
  at: number
  kind: string
  /** As it was stored: whoever takes it checks it. */
  before: unknown
}

/** What the operator has laid down, and what they did. */
export interface Policies {
  /** By kind and id. */
  all(): StoredPolicy[]
  /** Writes these (`value: null`: removes) and the act, in one transaction that is on disk when this returns. A number is never given twice. */
  keep(policies: StoredPolicy[], action: StoredAction): number
  /** Writes an action, to be called inside a transaction. Returns its number, which is never given twice. */
  record(action: StoredAction): number
  /** Null when there is none of this number, or when it was taken back. */
  action(id: number): StoredAction | null
  undone(id: number): void
}

export function policiesIn(db: DatabaseSync): Policies {
  const sql = prepare(db)
  return {
    all: () =>
      sql.all.all().map((row) => ({ kind: kindOf(row['kind']), id: String(row['id']), value: fromJson(row['text']) })),
    keep: (policies, action) =>
      inTransaction(db, () => {
        for (const policy of policies) {
          if (policy.value === null) sql.remove.run(policy.kind, policy.id)
          else sql.put.run(policy.kind, policy.id, toJson(policy.value))
        }
        return record(sql, action)
      }),
    record: (action) => record(sql, action),
    action(id) {
      const row = sql.action.get(id)
      return row ? { at: Number(row['at']), kind: String(row['kind']), before: fromJson(row['text']) } : null
    },
    undone: (id) => void sql.undone.run(id),
  }
}

function prepare(db: DatabaseSync) {
  return {
    all: db.prepare(
      "SELECT kind, id, text FROM policy WHERE kind IN ('maintenance', 'zone', 'thresholds') ORDER BY kind, id",
    ),
    put: db.prepare('INSERT OR REPLACE INTO policy (kind, id, text) VALUES (?, ?, ?)'),
    remove: db.prepare('DELETE FROM policy WHERE kind = ? AND id = ?'),
    note: db.prepare('INSERT INTO action (at, kind, text) VALUES (?, ?, ?)'),
    action: db.prepare('SELECT at, kind, text FROM action WHERE id = ? AND undone = 0'),
    undone: db.prepare('UPDATE action SET undone = 1 WHERE id = ?'),
  }
}

const record = (sql: ReturnType<typeof prepare>, { at, kind, before }: StoredAction): number =>
  Number(sql.note.run(at, kind, toJson(before)).lastInsertRowid)

const kindOf = (kind: unknown): StoredPolicy['kind'] =>
  kind === 'maintenance' || kind === 'zone' ? kind : 'thresholds'

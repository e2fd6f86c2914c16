import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'
import type { StoredPolicy } from './incidents.ts'
import { fromJson, toJson } from './json.ts'

/** An action of the operator, with the former state to undo it. */
export interface StoredAction {
  at: number
  kind: string
  /** As stored; readers check it. */
  before: unknown
}

/** The operator's policies and actions. */
export interface Policies {
  /** Returns all policies by kind and id. */
  all(): StoredPolicy[]
  /**
   * Writes these policies (`value: null`: removes) and the action in one transaction, on disk when this returns.
   * Returns the action's number, which is never used twice.
   */
  save(policies: StoredPolicy[], action: StoredAction): number
  /** Writes an action, inside a transaction. Returns its number, which is never used twice. */
  record(action: StoredAction): number
  /** Returns an action; null when the number is unknown, or the action was undone. */
  action(id: number): StoredAction | null
  undone(id: number): void
}

export function policiesIn(db: DatabaseSync): Policies {
  const sql = prepare(db)
  return {
    all: () =>
      sql.all.all().map((row) => ({ kind: kindOf(row['kind']), id: String(row['id']), value: fromJson(row['text']) })),
    save: (policies, action) =>
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

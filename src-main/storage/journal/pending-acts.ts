import type { DatabaseSync } from 'node:sqlite'
import { fromJson, toJson } from './json.ts'

/** A call that the team's log does not have yet, although it was carried out here. */
export interface PendingAct {
  id: string
  call: string
  input: unknown
}

/** What this member did while the team's log could not be written. */
export interface PendingActs {
  /** Returns all of them in their order. */
  all(): PendingAct[]
  add(act: PendingAct): void
  /** Removes one of them; null: all. */
  drop(id: string | null): void
}

export function pendingActsIn(db: DatabaseSync): PendingActs {
  const all = db.prepare('SELECT id, call, text FROM pending_act ORDER BY number')
  const add = db.prepare('INSERT INTO pending_act (id, call, text) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM pending_act WHERE id = ?')
  const clear = db.prepare('DELETE FROM pending_act')
  return {
    all: () => all.all().map(({ id, call, text }) => ({ id: String(id), call: String(call), input: fromJson(text) })),
    add: ({ id, call, input }) => void add.run(id, call, toJson(input)),
    drop: (id) => void (id === null ? clear.run() : remove.run(id)),
  }
}

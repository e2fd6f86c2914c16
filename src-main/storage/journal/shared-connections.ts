import type { DatabaseSync } from 'node:sqlite'
import { toJson } from './json.ts'
import { parsed } from './views.ts'

/** The connections of a team, without secrets. What is read is as it was stored: readers check it (invariant 11). */
export interface SharedConnectionRecords {
  all(): unknown[]
  /** Adds a connection, or changes the one with its id. */
  save(record: { id: string }): void
  remove(id: string): void
}

export function sharedConnectionsIn(db: DatabaseSync): SharedConnectionRecords {
  const all = db.prepare('SELECT id, text FROM shared_connection ORDER BY id')
  const save = db.prepare('INSERT OR REPLACE INTO shared_connection (id, text) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM shared_connection WHERE id = ?')
  return {
    all: () => all.all().map((row) => ({ ...parsed(row['text']), id: row['id'] })),
    save: ({ id, ...record }) => void save.run(id, toJson(record)),
    remove: (id) => void remove.run(id),
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { toJson } from './json.ts'
import { parsed } from './views.ts'

/** Records of a team, without secrets. What is read is as it was stored: readers check it (invariant 11). */
export interface SharedRecords {
  all(): unknown[]
  /** Adds a record, or changes the one with its id. */
  save(record: { id: string }): void
  remove(id: string): void
}

export function sharedRecordsIn(db: DatabaseSync, table: 'shared_connection' | 'shared_channel'): SharedRecords {
  const all = db.prepare(`SELECT id, text FROM ${table} ORDER BY id`)
  const save = db.prepare(`INSERT OR REPLACE INTO ${table} (id, text) VALUES (?, ?)`)
  const remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`)
  return {
    all: () => all.all().map((row) => ({ ...parsed(row['text']), id: row['id'] })),
    save: ({ id, ...record }) => void save.run(id, toJson(record)),
    remove: (id) => void remove.run(id),
  }
}

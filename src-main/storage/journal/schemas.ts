import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** The last schema of a connection's service that was read whole. Times in ms. */
export interface StoredSchema {
  /** When the first one was read, and the last one. */
  since: number
  readAt: number
  /** Compressed (connections/stored/schema-history.ts). */
  form: Uint8Array
}

/** An entry of the history, as JSON. */
export interface StoredSchemaEntry {
  at: number
  text: string
}

/** The schemas of the services and their differences over time, by connection. */
export interface Schemas {
  last(connection: string): StoredSchema | null
  /** Writes at once: the last schema, where there is one, and an entry, where there is one. The oldest ones beyond `most` go. */
  save(input: {
    connection: string
    schema: Pick<StoredSchema, 'form' | 'readAt'> | null
    entry: StoredSchemaEntry | null
    most: number
  }): void
  /** Returns the entries, the newest first. */
  entries(connection: string): StoredSchemaEntry[]
  /** Erases all of a connection. Returns whether there was something. */
  erase(connection: string): boolean
}

export function schemasIn(db: DatabaseSync): Schemas {
  const sql = {
    last: db.prepare('SELECT since, read_at, form FROM schema_last WHERE connection = ?'),
    save: db.prepare(`INSERT INTO schema_last (connection, since, read_at, form) VALUES (:connection, :at, :at, :form)
      ON CONFLICT (connection) DO UPDATE SET read_at = excluded.read_at, form = excluded.form`),
    add: db.prepare('INSERT INTO schema_entry (connection, at, text) VALUES (?, ?, ?)'),
    trim: db.prepare(`DELETE FROM schema_entry WHERE connection = :connection AND id NOT IN
      (SELECT id FROM schema_entry WHERE connection = :connection ORDER BY id DESC LIMIT :most)`),
    entries: db.prepare('SELECT at, text FROM schema_entry WHERE connection = ? ORDER BY id DESC'),
    eraseLast: db.prepare('DELETE FROM schema_last WHERE connection = ?'),
    eraseEntries: db.prepare('DELETE FROM schema_entry WHERE connection = ?'),
  }
  return {
    last(connection) {
      const row = sql.last.get(connection)
      const form = row?.['form']
      return form instanceof Uint8Array
        ? { since: Number(row?.['since']), readAt: Number(row?.['read_at']), form }
        : null
    },
    save: ({ connection, schema, entry, most }) =>
      inTransaction(db, () => {
        if (schema !== null) sql.save.run({ connection, at: schema.readAt, form: schema.form })
        if (entry === null) return
        sql.add.run(connection, entry.at, entry.text)
        sql.trim.run({ connection, most })
      }),
    entries: (connection) =>
      sql.entries.all(connection).map(({ at, text }) => ({ at: Number(at), text: String(text) })),
    erase: (connection) =>
      inTransaction(
        db,
        () => Number(sql.eraseLast.run(connection).changes) + Number(sql.eraseEntries.run(connection).changes),
      ) > 0,
  }
}

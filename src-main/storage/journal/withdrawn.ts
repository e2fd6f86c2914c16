import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** A tenant that a connection's list names no longer: its key, and what it was when it went. */
export interface WithdrawnTenant {
  key: string
  name: string
  devices: number
}

/** What the connections' lists name no longer, for as long as that is said: nobody can fetch it again. */
export interface Withdrawn {
  of(connection: string): WithdrawnTenant[]
  /** Keys of all of them, whichever connection they were of. */
  keys(): string[]
  connections(): string[]
  /** In the place of what was kept of this connection. */
  keep(connection: string, tenants: readonly WithdrawnTenant[]): void
}

export function withdrawnIn(db: DatabaseSync): Withdrawn {
  const sql = {
    of: db.prepare('SELECT tenant, name, devices FROM withdrawn WHERE connection = ? ORDER BY tenant'),
    keys: db.prepare('SELECT DISTINCT tenant FROM withdrawn'),
    connections: db.prepare('SELECT DISTINCT connection FROM withdrawn'),
    drop: db.prepare('DELETE FROM withdrawn WHERE connection = ?'),
    put: db.prepare('INSERT OR REPLACE INTO withdrawn (connection, tenant, name, devices) VALUES (?, ?, ?, ?)'),
  }
  return {
    of: (connection) =>
      sql.of
        .all(connection)
        .map(({ tenant, name, devices }) => ({ key: String(tenant), name: String(name), devices: Number(devices) })),
    keys: () => sql.keys.all().map(({ tenant }) => String(tenant)),
    connections: () => sql.connections.all().map(({ connection }) => String(connection)),
    keep: (connection, tenants) =>
      inTransaction(db, () => {
        sql.drop.run(connection)
        for (const { key, name, devices } of tenants) sql.put.run(connection, key, name, devices)
      }),
  }
}

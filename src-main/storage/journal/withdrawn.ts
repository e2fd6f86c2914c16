import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** A tenant that a connection's list no longer names: its key, and its name and devices at that time. */
export interface WithdrawnTenant {
  key: string
  name: string
  devices: number
}

/** The tenants that the connections' lists no longer name, while that is shown; they cannot be fetched again. */
export interface Withdrawn {
  of(connection: string): WithdrawnTenant[]
  /** Returns the keys of all tenants, of any connection. */
  keys(): string[]
  connections(): string[]
  /** Replaces the stored tenants of this connection. */
  save(connection: string, tenants: readonly WithdrawnTenant[]): void
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
    save: (connection, tenants) =>
      inTransaction(db, () => {
        sql.drop.run(connection)
        for (const { key, name, devices } of tenants) sql.put.run(connection, key, name, devices)
      }),
  }
}

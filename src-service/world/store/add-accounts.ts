import type { DatabaseSync } from 'node:sqlite'
import { accountIdOf, accountsOf } from '../generate/accounts.ts'
import type { SiteRow, TenantRow } from './rows.ts'

const versionNow = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'])

/**
 * Migrates a world of version 1, whose tenants had sites and no accounts, to `version`, completely or not at all. A
 * command and the service may do so at once. Closes a database that cannot be written.
 */
export function addAccounts(database: DatabaseSync, version: number): void {
  try {
    database.exec('BEGIN IMMEDIATE')
    if (versionNow(database) === 1) fill(database, version)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    database.close()
    throw error
  }
}

function fill(database: DatabaseSync, version: number): void {
  database.exec(`CREATE TABLE accounts (id TEXT PRIMARY KEY, tenantId TEXT NOT NULL, name TEXT NOT NULL);
    ALTER TABLE sites ADD COLUMN accountId TEXT NOT NULL DEFAULT '';`)
  const add = database.prepare('INSERT INTO accounts (id, tenantId, name) VALUES (?, ?, ?)')
  const place = database.prepare('UPDATE sites SET accountId = ? WHERE id = ?')
  for (const row of database.prepare('SELECT * FROM tenants ORDER BY rowid').all()) {
    const tenant = row as TenantRow
    const sites = database
      .prepare('SELECT id, code FROM sites WHERE tenantId = ? ORDER BY rowid')
      .all(tenant.id)
      .map((site) => site as Pick<SiteRow, 'id' | 'code'>)
    for (const { id, tenantId, name } of accountsOf(tenant, sites)) add.run(id, tenantId, name)
    for (const site of sites) place.run(accountIdOf(tenant, site), site.id)
  }
  database.exec(`CREATE INDEX sites_by_account ON sites (accountId); PRAGMA user_version = ${version}`)
}

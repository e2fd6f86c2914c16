import type { DatabaseSync } from 'node:sqlite'
import { placesSchema, preparePlaces } from './places.ts'
import { textFields, timeFields } from '../../../src-shared/model/base-fields.ts'

/** Version of the tables. A file of another version is deleted and its data fetched again. */
export const cacheVersion = 9

/** A field as a column: `lastDetected` is `last_detected`. */
const columnOf = (field: string) => field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

/** The columns of a device beside its plain fields, in the order of `deviceValues`. */
const ownColumns = {
  id: 'TEXT NOT NULL',
  name: 'TEXT NOT NULL',
  connected: 'INTEGER',
  site_id: 'TEXT',
  site_name: 'TEXT',
  room_id: 'TEXT',
  room_name: 'TEXT',
  since_at: 'REAL',
  since_seen: 'INTEGER NOT NULL',
  seen_at: 'REAL NOT NULL',
  placed_at: 'REAL NOT NULL',
  generation: 'REAL NOT NULL',
  claimant: 'TEXT NOT NULL',
  more_claims: 'TEXT',
  stale_fields: 'TEXT',
  request_order: 'REAL NOT NULL',
}

const deviceColumns = Object.entries({
  ...ownColumns,
  ...Object.fromEntries(textFields.map((field) => [columnOf(field), 'TEXT NOT NULL'])),
  ...Object.fromEntries(timeFields.map((field) => [columnOf(field), 'REAL'])),
})
const deviceNames = deviceColumns.map(([name]) => name)
const updatedNames = deviceNames.filter((name) => name !== 'id')

/** Only data that can be fetched again (invariant 3). */
export const schema = `
  CREATE TABLE sequence (only INTEGER PRIMARY KEY CHECK (only = 1), journal INTEGER NOT NULL);
  INSERT INTO sequence VALUES (1, 0);
  CREATE TABLE tenant (
    pk INTEGER PRIMARY KEY, service TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, region TEXT,
    last_sync_at REAL, session_start REAL, session_confirmed REAL, earlier_start REAL, earlier_confirmed REAL,
    synced_in_session INTEGER NOT NULL DEFAULT 0,
    UNIQUE (service, id)
  );
  CREATE TABLE tenant_connection (
    tenant INTEGER NOT NULL REFERENCES tenant ON DELETE CASCADE, connection TEXT NOT NULL,
    visible_since REAL, suspended INTEGER NOT NULL DEFAULT 0, unsubscribed TEXT, PRIMARY KEY (tenant, connection)
  ) WITHOUT ROWID;
  ${placesSchema}
  CREATE TABLE device (
    tenant INTEGER NOT NULL REFERENCES tenant ON DELETE CASCADE,
    ${deviceColumns.map(([name, type]) => `${name} ${type}`).join(', ')}, extra TEXT,
    unconfirmed INTEGER NOT NULL DEFAULT 0, handed_over INTEGER NOT NULL DEFAULT 0, subscribed_until REAL,
    PRIMARY KEY (tenant, id)
  );
  CREATE TABLE place_name (node TEXT PRIMARY KEY, name TEXT NOT NULL, name_order REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE recent_update (position INTEGER PRIMARY KEY, device TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
  CREATE INDEX device_extra ON device (tenant) WHERE extra IS NOT NULL;
  CREATE TABLE pull (
    tenant INTEGER NOT NULL REFERENCES tenant ON DELETE CASCADE, connection TEXT NOT NULL, generation REAL NOT NULL,
    next_token TEXT NOT NULL, page_size INTEGER, pages INTEGER NOT NULL, read INTEGER NOT NULL, started_at REAL NOT NULL,
    PRIMARY KEY (tenant, connection)
  );
  CREATE TABLE cost (credentials TEXT PRIMARY KEY, shapes TEXT NOT NULL) WITHOUT ROWID;`

/** The prepared statements of the cache. */
export function prepareCache(db: DatabaseSync) {
  return {
    places: preparePlaces(db),
    sequence: db.prepare('SELECT journal FROM sequence'),
    costs: db.prepare('SELECT credentials, shapes FROM cost'),
    putCosts: db.prepare(
      'INSERT INTO cost VALUES (?, ?) ON CONFLICT (credentials) DO UPDATE SET shapes = excluded.shapes',
    ),
    removeCosts: db.prepare('DELETE FROM cost WHERE credentials = ?'),
    follow: db.prepare('UPDATE sequence SET journal = ?'),
    tenants:
      db.prepare(`SELECT pk, service, id, name, region, last_sync_at, session_start, session_confirmed, earlier_start,
      earlier_confirmed, synced_in_session FROM tenant ORDER BY pk`),
    listings: db.prepare(`SELECT service, id, connection, visible_since, suspended, unsubscribed
      FROM tenant_connection JOIN tenant ON pk = tenant`),
    devices:
      db.prepare(`SELECT d.rowid, tenant.service, tenant.id, ${deviceNames.map((name) => `d.${name}`).join(', ')},
      d.unconfirmed, d.handed_over, d.subscribed_until
      FROM device d JOIN tenant ON tenant.pk = d.tenant`),
    pk: db.prepare('SELECT pk FROM tenant WHERE service = ? AND id = ?'),
    tenant: db.prepare(`INSERT INTO tenant (service, id, name, region) VALUES (?, ?, ?, ?)
      ON CONFLICT (service, id) DO UPDATE SET name = excluded.name, region = excluded.region`),
    list: db.prepare('INSERT OR IGNORE INTO tenant_connection (tenant, connection) VALUES (?, ?)'),
    unlist: db.prepare('DELETE FROM tenant_connection WHERE tenant = ? AND connection = ?'),
    removeTenant: db.prepare('DELETE FROM tenant WHERE pk = ?'),
    sessions: db.prepare(`UPDATE tenant SET session_start = ?, session_confirmed = ?, earlier_start = ?,
      earlier_confirmed = ?, synced_in_session = ? WHERE pk = ?`),
    visibility: db.prepare(`UPDATE tenant_connection SET visible_since = ?, suspended = ?
      WHERE tenant = ? AND connection = ?`),
    unsubscribed: db.prepare('UPDATE tenant_connection SET unsubscribed = ? WHERE tenant = ? AND connection = ?'),
    synced: db.prepare('UPDATE tenant SET synced_in_session = 1 WHERE pk = ?'),
    sight: db.prepare(`UPDATE device SET unconfirmed = ?, handed_over = ?, subscribed_until = ?
      WHERE tenant = ? AND id = ?`),
    placeNames: db.prepare('SELECT node, name, name_order FROM place_name'),
    putPlaceName: db.prepare('INSERT OR REPLACE INTO place_name VALUES (?, ?, ?)'),
    removePlaceName: db.prepare('DELETE FROM place_name WHERE node = ?'),
    recentUpdates: db.prepare('SELECT device, text FROM recent_update ORDER BY position'),
    putRecentUpdate: db.prepare('INSERT INTO recent_update (device, text) VALUES (?, ?)'),
    removeRecentUpdate: db.prepare('DELETE FROM recent_update WHERE device = ?'),
    device:
      db.prepare(`INSERT INTO device (tenant, ${deviceNames.join(', ')}) VALUES (?${', ?'.repeat(deviceNames.length)})
      ON CONFLICT (tenant, id) DO UPDATE SET ${updatedNames.map((name) => `${name} = excluded.${name}`).join(', ')}`),
    nameSite: db.prepare('UPDATE device SET site_name = ? WHERE tenant = ? AND site_id = ?'),
    nameRoom: db.prepare('UPDATE device SET room_name = ? WHERE tenant = ? AND site_id IS ? AND room_id = ?'),
    update: db.prepare(`UPDATE device SET name = ?, connected = ?, last_detected = ?, since_at = ?, since_seen = ?,
      seen_at = ?, placed_at = ?, request_order = ? WHERE tenant = ? AND id = ?`),
    extra: db.prepare('SELECT extra FROM device WHERE tenant = ? AND id = ?'),
    putExtra: db.prepare('UPDATE device SET extra = ? WHERE tenant = ? AND id = ?'),
    extras: db.prepare(`SELECT tenant.service, tenant.id, d.id, extra FROM device d INDEXED BY device_extra
      JOIN tenant ON tenant.pk = d.tenant WHERE extra IS NOT NULL`),
    extraCounts: db.prepare(`SELECT tenant.service, field.key AS name, count(*) AS read
      FROM device d INDEXED BY device_extra JOIN tenant ON tenant.pk = d.tenant, json_each(d.extra) field
      WHERE d.extra IS NOT NULL GROUP BY tenant.service, field.key`),
    removeRow: db.prepare('DELETE FROM device WHERE rowid = ?'),
    removeDevice: db.prepare('DELETE FROM device WHERE tenant = ? AND id = ?'),
    claims: db.prepare('UPDATE device SET generation = ?, claimant = ?, more_claims = ? WHERE tenant = ? AND id = ?'),
    setLastSync: db.prepare('UPDATE tenant SET last_sync_at = ? WHERE pk = ?'),
    pull: db.prepare(`SELECT generation, next_token, page_size, pages, read, started_at FROM pull
      WHERE tenant = ? AND connection = ?`),
    newestGeneration: db.prepare('SELECT max(generation) AS generation FROM pull WHERE tenant = ?'),
    putPull: db.prepare('INSERT OR REPLACE INTO pull VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    endPull: db.prepare('DELETE FROM pull WHERE tenant = ? AND connection = ?'),
  }
}

export type CacheStatements = ReturnType<typeof prepareCache>

import type { DatabaseSync } from 'node:sqlite'
import type { TenantPlaces } from '../../../src-shared/model/places.ts'
import { maybeText, text, time, type TenantId } from './rows.ts'

/** The places that a connection lists in a tenant. `readAt`: when they were read, ms. `requestOrder`: of the request that read them. */
export interface StoredPlaces extends TenantPlaces {
  readAt: number
  requestOrder: number
}

type Site = Readonly<TenantPlaces['sites'][number]>
type Room = Readonly<TenantPlaces['rooms'][number]>

/** Writes to the places that a connection lists. They go with its listing of the tenant. */
export interface PlacesWriter {
  /** When and by which request they were read, and whether accounts were told. */
  list(readAt: number, requestOrder: number, hasAccounts: boolean): void
  account(id: string, name: string): void
  removeAccount(id: string): void
  site(site: Site): void
  removeSite(id: string): void
  room(room: Room): void
  removeRoom(room: Pick<Room, 'id' | 'site'>): void
}

const table = (name: string, columns: string, key: string) => `
  CREATE TABLE ${name} (tenant INTEGER NOT NULL, connection TEXT NOT NULL, ${columns},
    PRIMARY KEY (tenant, connection${key}),
    FOREIGN KEY (tenant, connection) REFERENCES tenant_connection ON DELETE CASCADE
  ) WITHOUT ROWID;`

/** `has_site`: 0 for a room without a site; its `site` is ''. */
export const placesSchema = [
  table('place_list', 'read_at REAL NOT NULL, request_order REAL NOT NULL, has_accounts INTEGER NOT NULL', ''),
  table('account', 'id TEXT NOT NULL, name TEXT NOT NULL', ', id'),
  table('site', 'id TEXT NOT NULL, name TEXT NOT NULL, account TEXT', ', id'),
  table(
    'room',
    'has_site INTEGER NOT NULL, site TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, capacity REAL, size TEXT, floor TEXT',
    ', has_site, site, id',
  ),
].join('')

/** The prepared statements of the places that connections list. */
export function preparePlaces(db: DatabaseSync) {
  const replace = (name: string, values: number) =>
    db.prepare(`INSERT OR REPLACE INTO ${name} VALUES (?${', ?'.repeat(values - 1)})`)
  return {
    lists: db.prepare(`SELECT tenant.service, tenant.id AS tenant_id, each.* FROM place_list each
      JOIN tenant ON pk = each.tenant ORDER BY read_at`),
    accounts: db.prepare('SELECT id, name FROM account WHERE tenant = ? AND connection = ?'),
    sites: db.prepare('SELECT id, name, account FROM site WHERE tenant = ? AND connection = ?'),
    rooms: db.prepare(`SELECT has_site, site, id, name, capacity, size, floor FROM room
      WHERE tenant = ? AND connection = ?`),
    putList: replace('place_list', 5),
    putAccount: replace('account', 4),
    putSite: replace('site', 5),
    putRoom: replace('room', 9),
    removeAccount: db.prepare('DELETE FROM account WHERE tenant = ? AND connection = ? AND id = ?'),
    removeSite: db.prepare('DELETE FROM site WHERE tenant = ? AND connection = ? AND id = ?'),
    removeRoom: db.prepare(`DELETE FROM room WHERE tenant = ? AND connection = ? AND has_site = ? AND site = ?
      AND id = ?`),
    nameSite: db.prepare('UPDATE site SET name = ? WHERE tenant = ? AND id = ?'),
    nameRoom: db.prepare('UPDATE room SET name = ? WHERE tenant = ? AND has_site = ? AND site = ? AND id = ?'),
  }
}

export type PlacesStatements = ReturnType<typeof preparePlaces>

const siteCells = (site: string | null): [number, string] => [Number(site !== null), site ?? '']

export function placesWriter(sql: PlacesStatements, tenant: number, connection: string): PlacesWriter {
  return {
    list: (readAt, requestOrder, hasAccounts) =>
      void sql.putList.run(tenant, connection, readAt, requestOrder, Number(hasAccounts)),
    account: (id, name) => void sql.putAccount.run(tenant, connection, id, name),
    removeAccount: (id) => void sql.removeAccount.run(tenant, connection, id),
    site: ({ id, name, account }) => void sql.putSite.run(tenant, connection, id, name, account),
    removeSite: (id) => void sql.removeSite.run(tenant, connection, id),
    room: ({ site, id, name, capacity, size, floor }) =>
      void sql.putRoom.run(tenant, connection, ...siteCells(site), id, name, capacity, size, floor),
    removeRoom: ({ id, site }) => void sql.removeRoom.run(tenant, connection, ...siteCells(site), id),
  }
}

/** Writes the name of a listed site or room, for all connections that list it. */
export function nameListedSite(sql: PlacesStatements, tenant: number, site: string, name: string): void {
  sql.nameSite.run(name, tenant, site)
}

export function nameListedRoom(
  sql: PlacesStatements,
  tenant: number,
  site: string | null,
  room: string,
  name: string,
): void {
  sql.nameRoom.run(name, tenant, ...siteCells(site), room)
}

/** Reads the places that connections list, those that were read last at the end. */
export function readPlaces(
  sql: PlacesStatements,
  visit: (tenant: TenantId, connection: string, places: StoredPlaces) => void,
): void {
  for (const list of sql.lists.all()) {
    const [tenant, connection] = [Number(list['tenant']), text(list['connection'])]
    const named = (row: Record<string, unknown>) => ({ id: text(row['id']), name: text(row['name']) })
    visit({ service: text(list['service']), id: text(list['tenant_id']) }, connection, {
      readAt: Number(list['read_at']),
      requestOrder: Number(list['request_order']),
      accounts: list['has_accounts'] === 1 ? sql.accounts.all(tenant, connection).map(named) : null,
      sites: sql.sites.all(tenant, connection).map((row) => ({ ...named(row), account: maybeText(row['account']) })),
      rooms: sql.rooms.all(tenant, connection).map((row) => ({
        ...named(row),
        site: row['has_site'] === 1 ? text(row['site']) : null,
        capacity: time(row['capacity']),
        size: maybeText(row['size']),
        floor: maybeText(row['floor']),
      })),
    })
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { cutName, isId } from '../../../src-shared/model/bounds.ts'
import { type TableRows, tablesIn } from '../tables.ts'
import {
  bool,
  claimTexts,
  deviceOf,
  deviceValues,
  extraOf,
  idsOf,
  maybeText,
  pullOf,
  seen,
  sightOf,
  text,
  time,
  type Extra,
  type StoredClaims,
  type StoredDevice,
  type StoredListing,
  type StoredPull,
  type StoredSessions,
  type StoredSight,
  type StoredTenant,
  type TenantId,
} from './rows.ts'
import {
  nameListedRoom,
  nameListedSite,
  placesWriter,
  readPlaces,
  type PlacesWriter,
  type StoredPlaces,
} from './places.ts'
import { deleteDatabase, inTransaction, isDamage, isDiskError, openDatabase, scrub, userVersion } from '../database.ts'
import { type CacheStatements, cacheVersion, prepareCache, schema } from './schema.ts'

/**
 * The cache holds data that can be fetched again (invariant 3). A file that is damaged or of another version is deleted
 * and replaced. Every write is one transaction and stores the journal's sequence that it follows.
 */
export interface Cache {
  readonly opened: 'ok' | 'new' | 'damaged'
  readonly db: DatabaseSync
  /** The journal's sequence that the rows follow. */
  sequence(): number
  /** Extra fields of one device, by name. */
  extra(tenant: TenantId, id: string): Extra
  /** Extra fields of all devices that have any. */
  extras(visit: (tenant: TenantId, id: string, extra: Extra) => void): void
  /** For how many devices of each service each extra field was read. */
  extraCounts(): { service: string; name: string; read: number }[]
  pull(tenant: TenantId, connection: string): StoredPull | null
  /** The newest generation of the tenant's interrupted full syncs; 0 without any. */
  pulledGeneration(tenant: TenantId): number
  /** Costs of operations as JSON, by credential set. */
  costs(): { credentials: string; shapes: string }[]
  /** `null` removes them. */
  saveCosts(credentials: string, shapes: string | null): void
  /** Runs the writes in one transaction, together with `sequence`. */
  write(sequence: number, run: (to: CacheWriter) => void): void
  tables(): TableRows[]
  /** Removes deleted data from the files. */
  scrub(): void
  close(): void
}

export interface CacheWriter {
  tenant(tenant: TenantId & { name: string; region: string | null }): void
  list(tenant: TenantId, connection: string): void
  /** Also removes its interrupted sync; its claims are removed row by row. */
  unlist(tenant: TenantId, connection: string): void
  /** Also removes its devices, listings and interrupted syncs. */
  removeTenant(tenant: TenantId): void
  sessions(tenant: TenantId, sessions: StoredSessions, syncedInSession: boolean): void
  /** Since when a connection that lists the tenant sees it (ms; null: it does not), and whether that is uncertain. */
  visibility(tenant: TenantId, connection: string, visibleSince: number | null, suspended: boolean): void
  unsubscribed(tenant: TenantId, connection: string, ids: readonly string[]): void
  /** A page or a reconciliation came in during the present session. */
  synced(tenant: TenantId): void
  sight(tenant: TenantId, id: string, sight: StoredSight): void
  /** The name of a site's or room's node and its order; null: the node is gone. */
  placeName(node: string, named: { name: string; order: number } | null): void
  /** The last event of a device as JSON, after all others; null removes it. */
  recentUpdate(device: string, text: string | null): void
  device(tenant: TenantId, device: StoredDevice): void
  /** Adds values to those of other fields. The device exists already. */
  extra(tenant: TenantId, id: string, extra: Extra): void
  /** Writes the fields that events and reconciliations can change. The device exists already. */
  update(tenant: TenantId, device: StoredDevice): void
  /** Writes to the places that a connection lists; it lists the tenant. */
  places(tenant: TenantId, connection: string): PlacesWriter
  /** Writes a site's or room's name for all devices in it, and with `inLists` where it is listed. */
  nameSite(tenant: TenantId, site: string, name: string, inLists: boolean): void
  nameRoom(tenant: TenantId, site: string | null, room: string, name: string, inLists: boolean): void
  removeDevice(tenant: TenantId, id: string): void
  claims(tenant: TenantId, id: string, claims: StoredClaims): void
  /** Ends a full sync. */
  finish(tenant: TenantId, connection: string, at: number): void
  /** Writes the state of a full sync; null removes it. */
  pull(tenant: TenantId, connection: string, state: StoredPull | null): void
}

/** Receives the rows of the file while it is opened. */
export interface CacheReader {
  tenant(tenant: StoredTenant, listings: readonly StoredListing[]): void
  /** The places that a connection lists; all come before the devices. */
  places(tenant: TenantId, connection: string, places: StoredPlaces): void
  device(tenant: TenantId, device: StoredDevice, sight: StoredSight): void
  /** The names of sites and rooms with their orders; after the devices. */
  placeName(node: string, name: string, order: number): void
  /** The last events of devices in their order. */
  recentUpdate(device: string, text: string): void
}

/**
 * Opens `cache.db` in the profile and reads it through. `createReader` makes an empty reader: it is called a second time
 * when the file turned out to be damaged halfway.
 */
export function openCache<R extends CacheReader>(profile: string, createReader: () => R): { cache: Cache; reader: R } {
  const path = join(profile, 'cache.db')
  const existed = existsSync(path)
  try {
    return load(path, createReader, existed ? 'ok' : 'new')
  } catch (thrown) {
    // Any other error is one of the file, an unreadable value too: the data is fetched again (invariant 3).
    if (isDiskError(thrown)) throw thrown
    deleteDatabase(path)
    return load(path, createReader, 'damaged')
  }
}

function load<R extends CacheReader>(
  path: string,
  createReader: () => R,
  opened: Cache['opened'],
): { cache: Cache; reader: R } {
  const db = openDatabase(path)
  try {
    db.exec(
      'PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000; PRAGMA mmap_size = 268435456',
    )
    prepareTables(db)
    const sql = prepareCache(db)
    const reader = createReader()
    const tenants = readTenants(sql, reader)
    readPlaces(sql.places, (tenant, connection, places) => reader.places(tenant, connection, places))
    const invalid = { tenants, devices: readDevices(sql, reader) }
    readNames(sql, reader)
    if (invalid.tenants.length + invalid.devices.length > 0) removeInvalid(db, sql, invalid)
    // The whole file has been read: single rows need no memory mapping.
    db.exec('PRAGMA mmap_size = 0; PRAGMA cache_size = -8000; PRAGMA shrink_memory')
    return { cache: cacheOf(db, sql, path, opened), reader }
  } catch (thrown) {
    db.close()
    throw thrown
  }
}

/** Creates the tables in an empty file. Throws for a file of another version or without tables. */
function prepareTables(db: DatabaseSync): void {
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] ?? 0)
  const version = userVersion(db)
  if (version === cacheVersion && tables > 0) return
  if (version !== 0 || tables > 0) throw new Error('not a cache of this version')
  inTransaction(db, () => db.exec(`${schema} PRAGMA user_version = ${cacheVersion}`))
}

function cacheOf(db: DatabaseSync, sql: CacheStatements, path: string, opened: Cache['opened']): Cache {
  const pk = (tenant: TenantId) => pkOf(sql, tenant)
  return {
    opened,
    db,
    sequence: () => Number(sql.sequence.get()?.['journal'] ?? 0),
    extra: (tenant, id) => extraOf(sql.extra.get(pk(tenant), id)?.['extra']),
    extras: (visit) => readExtras(sql, visit),
    extraCounts: () =>
      sql.extraCounts
        .all()
        .map((row) => ({ service: text(row['service']), name: text(row['name']), read: Number(row['read']) })),
    pull: (tenant, connection) => pullOf(sql.pull.get(pk(tenant), connection)),
    pulledGeneration: (tenant) => Number(sql.newestGeneration.get(pk(tenant))?.['generation'] ?? 0),
    costs: () => sql.costs.all().map((row) => ({ credentials: text(row['credentials']), shapes: text(row['shapes']) })),
    saveCosts: (credentials, shapes) =>
      deletingDamaged(
        db,
        path,
        () => void (shapes === null ? sql.removeCosts.run(credentials) : sql.putCosts.run(credentials, shapes)),
      ),
    write: (sequence, run) =>
      deletingDamaged(db, path, () =>
        inTransaction(db, () => {
          run(writerOf(sql))
          sql.follow.run(sequence)
        }),
      ),
    tables: () => tablesIn(db),
    scrub: () => scrub(db),
    close: () => db.close(),
  }
}

/** Deletes the file when a write finds it damaged, so that the next start does not fail in the same way. */
function deletingDamaged(db: DatabaseSync, path: string, run: () => void): void {
  try {
    run()
  } catch (thrown) {
    if (isDamage(thrown)) {
      db.close()
      deleteDatabase(path)
    }
    throw thrown
  }
}

function pkOf(sql: CacheStatements, tenant: TenantId): number {
  return Number(sql.pk.get(tenant.service, tenant.id)?.['pk'] ?? -1)
}

/** Caches the last tenant's primary key: the rows of a page are all of one tenant. */
function writerOf(sql: CacheStatements): CacheWriter {
  let last: { of: TenantId; pk: number } | null = null
  const pk = (of: TenantId) => {
    if (last?.of !== of) last = { of, pk: pkOf(sql, of) }
    return last.pk
  }
  return {
    tenant: (tenant) => void sql.tenant.run(tenant.service, tenant.id, tenant.name, tenant.region),
    list: (tenant, connection) => void sql.list.run(pk(tenant), connection),
    unlist: (tenant, connection) => {
      sql.unlist.run(pk(tenant), connection)
      sql.endPull.run(pk(tenant), connection)
    },
    removeTenant: (tenant) => void sql.removeTenant.run(pk(tenant)),
    sessions: (tenant, { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed }, synced) =>
      void sql.sessions.run(sessionStart, sessionConfirmed, earlierStart, earlierConfirmed, Number(synced), pk(tenant)),
    visibility: (tenant, connection, visibleSince, suspended) =>
      void sql.visibility.run(visibleSince, Number(suspended), pk(tenant), connection),
    unsubscribed: (tenant, connection, ids) =>
      void sql.unsubscribed.run(ids.length === 0 ? null : JSON.stringify(ids), pk(tenant), connection),
    synced: (tenant) => void sql.synced.run(pk(tenant)),
    sight: (tenant, id, { unconfirmed, handedOver, subscribedUntil }) =>
      void sql.sight.run(Number(unconfirmed), Number(handedOver), subscribedUntil, pk(tenant), id),
    placeName: (node, named) =>
      void (named === null ? sql.removePlaceName.run(node) : sql.putPlaceName.run(node, named.name, named.order)),
    recentUpdate: (device, json) => {
      sql.removeRecentUpdate.run(device)
      if (json !== null) sql.putRecentUpdate.run(device, json)
    },
    device: (tenant, device) => void sql.device.run(pk(tenant), ...deviceValues(device)),
    extra: (tenant, id, extra) => {
      const known = extraOf(sql.extra.get(pk(tenant), id)?.['extra'])
      sql.putExtra.run(JSON.stringify({ ...known, ...extra }), pk(tenant), id)
    },
    update: (tenant, d) =>
      void sql.update.run(
        d.name,
        bool(d.connected),
        d.lastDetected,
        d.since?.at ?? null,
        seen(d),
        d.seenAt,
        d.placedAt,
        d.requestOrder,
        pk(tenant),
        d.id,
      ),
    places: (tenant, connection) => placesWriter(sql.places, pk(tenant), connection),
    nameSite: (tenant, site, name, inLists) => {
      sql.nameSite.run(name, pk(tenant), site)
      if (inLists) nameListedSite(sql.places, pk(tenant), site, name)
    },
    nameRoom: (tenant, site, room, name, inLists) => {
      sql.nameRoom.run(name, pk(tenant), site, room)
      if (inLists) nameListedRoom(sql.places, pk(tenant), site, room, name)
    },
    removeDevice: (tenant, id) => void sql.removeDevice.run(pk(tenant), id),
    claims: (tenant, id, claims) =>
      void sql.claims.run(claims[0]?.generation ?? 0, ...claimTexts(claims), pk(tenant), id),
    finish: (tenant, connection, at) => {
      sql.setLastSync.run(at, pk(tenant))
      sql.endPull.run(pk(tenant), connection)
    },
    pull: (tenant, connection, state) => writePull(sql, pk(tenant), connection, state),
  }
}

function writePull(sql: CacheStatements, pk: number, connection: string, state: StoredPull | null): void {
  if (!state) sql.endPull.run(pk, connection)
  else
    sql.putPull.run(
      pk,
      connection,
      state.generation,
      state.nextToken,
      state.pageSize,
      state.pages,
      state.read,
      state.startedAt,
    )
}

/** Removes rows with invalid ids from earlier versions; a tenant with its devices. */
function removeInvalid(
  db: DatabaseSync,
  sql: CacheStatements,
  invalid: { tenants: readonly number[]; devices: readonly number[] },
): void {
  inTransaction(db, () => {
    for (const row of invalid.devices) sql.removeRow.run(row)
    for (const pk of invalid.tenants) sql.removeTenant.run(pk)
  })
}

/** Reads the tenants; returns the primary keys of those with invalid ids. */
function readTenants(sql: CacheStatements, reader: CacheReader): number[] {
  const invalid: number[] = []
  const listings = Map.groupBy(sql.listings.all(), (row) => JSON.stringify([row['service'], row['id']]))
  for (const row of sql.tenants.all()) {
    const of = { service: text(row['service']), id: text(row['id']) }
    if (!isId(of.id)) {
      invalid.push(Number(row['pk']))
      continue
    }
    const listed = listings.get(JSON.stringify([of.service, of.id])) ?? []
    reader.tenant(
      {
        ...of,
        name: cutName(text(row['name'])),
        region: maybeText(row['region']),
        lastSyncAt: time(row['last_sync_at']),
        sessionStart: time(row['session_start']),
        sessionConfirmed: time(row['session_confirmed']),
        earlierStart: time(row['earlier_start']),
        earlierConfirmed: time(row['earlier_confirmed']),
        syncedInSession: row['synced_in_session'] === 1,
      },
      listed.map((listing) => ({
        connection: text(listing['connection']),
        visibleSince: time(listing['visible_since']),
        suspended: listing['suspended'] === 1,
        unsubscribed: idsOf(listing['unsubscribed']),
      })),
    )
  }
  return invalid
}

function readNames(sql: CacheStatements, reader: CacheReader): void {
  for (const row of sql.placeNames.iterate())
    reader.placeName(text(row['node']), text(row['name']), Number(row['name_order']))
  for (const row of sql.recentUpdates.iterate()) reader.recentUpdate(text(row['device']), text(row['text']))
}

/** Reads the devices; returns the row ids of those with invalid ids. */
function readDevices(sql: CacheStatements, reader: CacheReader): number[] {
  const invalid: number[] = []
  sql.devices.setReturnArrays(true)
  let of: TenantId = { service: '', id: '' }
  for (const row of sql.devices.iterate() as Iterable<unknown>) {
    const cells = row as unknown[]
    if (of.id !== cells[2] || of.service !== cells[1]) of = { service: text(cells[1]), id: text(cells[2]) }
    const device = isId(of.id) ? deviceOf(cells) : null
    if (device === null) invalid.push(Number(cells[0]))
    else reader.device(of, device, sightOf(cells))
  }
  return invalid
}

function readExtras(sql: CacheStatements, visit: Parameters<Cache['extras']>[0]): void {
  sql.extras.setReturnArrays(true)
  let of: TenantId = { service: '', id: '' }
  for (const row of sql.extras.iterate() as Iterable<unknown>) {
    const cells = row as unknown[]
    if (of.id !== cells[1] || of.service !== cells[0]) of = { service: text(cells[0]), id: text(cells[1]) }
    visit(of, text(cells[2]), extraOf(cells[3]))
  }
}

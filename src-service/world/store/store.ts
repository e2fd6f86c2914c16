import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { addAccounts } from './add-accounts.ts'
import type { AccountRow, DeviceRow, RoomRow, SiteRow, TenantRow, WorldSize } from './rows.ts'

const VERSION = 2
const tables = `
  CREATE TABLE world (seed INTEGER NOT NULL, tenants INTEGER NOT NULL, devices INTEGER NOT NULL, made INTEGER NOT NULL) STRICT;
  CREATE TABLE tenants (id TEXT PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL, domain TEXT NOT NULL);
  CREATE TABLE accounts (id TEXT PRIMARY KEY, tenantId TEXT NOT NULL, name TEXT NOT NULL);
  CREATE TABLE sites (id TEXT PRIMARY KEY, tenantId TEXT NOT NULL, accountId TEXT NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, code TEXT NOT NULL);
  CREATE TABLE rooms (id TEXT PRIMARY KEY, siteId TEXT NOT NULL, name TEXT NOT NULL, floor TEXT, capacity INTEGER, size TEXT NOT NULL);
  CREATE TABLE devices (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, tenantId TEXT NOT NULL, siteId TEXT, roomId TEXT, name TEXT NOT NULL,
    hardwareModel TEXT NOT NULL, hardwareFamily TEXT NOT NULL, hardwareRevision TEXT NOT NULL,
    connected INTEGER, lastDetected INTEGER, lastConfigRequest INTEGER, dateRegistered INTEGER NOT NULL,
    serialNumber TEXT NOT NULL, softwareVersion TEXT NOT NULL, softwareBuild TEXT NOT NULL, internalIp TEXT, externalIp TEXT,
    userName TEXT, userEmail TEXT, callStatus TEXT NOT NULL, application TEXT) STRICT;
  CREATE TABLE reboots (deviceId TEXT PRIMARY KEY, backAt INTEGER NOT NULL);
  PRAGMA user_version = ${VERSION};
`
const indexes = `
  CREATE UNIQUE INDEX devices_by_id ON devices (id);
  CREATE INDEX devices_by_tenant ON devices (tenantId, id);
  CREATE INDEX devices_by_site ON devices (siteId);
  CREATE INDEX devices_by_room ON devices (roomId);
  CREATE INDEX rooms_by_site ON rooms (siteId);
  CREATE INDEX sites_by_tenant ON sites (tenantId);
  CREATE INDEX sites_by_account ON sites (accountId);
`
const deviceColumns = [
  'id',
  'tenantId',
  'siteId',
  'roomId',
  'name',
  'hardwareModel',
  'hardwareFamily',
  'hardwareRevision',
  'connected',
  'lastDetected',
  'lastConfigRequest',
  'dateRegistered',
  'serialNumber',
  'softwareVersion',
  'softwareBuild',
  'internalIp',
  'externalIp',
  'userName',
  'userEmail',
  'callStatus',
  'application',
] as const satisfies readonly (keyof DeviceRow)[]

type Value = string | number | boolean | null
/** A stored row; `connected` is 1, 0 or null. */
export type Row = Record<string, SQLOutputValue>

/** The world's tables, in memory or in a file. Statements are prepared once and cached by their text. */
export type Store = {
  /**
   * Returns the parameters of the stored world, and the number of devices ever created in it; null where there is none
   * yet.
   */
  world(): (WorldSize & { made: number }) | null
  /** Creates the tables. Called once, in the transaction that fills them: a world exists completely or not at all. */
  create(size: WorldSize): void
  /** Makes later writes to a file durable, except for the last moments before a loss of power. */
  settle(): void
  addTenant(tenant: TenantRow): void
  addAccount(account: AccountRow): void
  addSite(site: SiteRow): void
  addRoom(room: RoomRow): void
  addDevice(device: DeviceRow): void
  /** Creates the indexes; called once, after the first devices, because that is faster. */
  index(): void
  all(sql: string, ...values: Value[]): Row[]
  get(sql: string, ...values: Value[]): Row | undefined
  /** Returns the number of changed rows. */
  run(sql: string, ...values: Value[]): number
  /** Runs `work` in one transaction. */
  together(work: () => void): void
  close(): void
}

/**
 * Opens a store. `file`: null for a store in memory. Migrates an earlier version. Throws for a file of a later version.
 */
export function openStore(file: string | null = null): Store {
  const database = new DatabaseSync(file ?? ':memory:', { timeout: 5000 })
  const version = firstVersionOf(database)
  if (version === 1) addAccounts(database, VERSION)
  const prepare = keepStatements(database)
  const insert = (table: string, columns: readonly string[]) => {
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    return (row: Record<string, Value>) => void prepare(sql).run(...columns.map((column) => toSql(row[column] ?? null)))
  }
  // Without a world there is nothing to lose: an interrupted transaction leaves an empty file.
  if (version === 0) database.exec('PRAGMA synchronous = OFF')
  return {
    world: () => (versionOf(database) === 0 ? null : toWorld(prepare('SELECT * FROM world').get())),
    create(size) {
      database.exec(tables)
      insert('world', ['seed', 'tenants', 'devices', 'made'])({ ...size, made: size.devices })
    },
    settle: () => void (file !== null && database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')),
    addTenant: insert('tenants', ['id', 'name', 'region', 'domain']),
    addAccount: insert('accounts', ['id', 'tenantId', 'name']),
    addSite: insert('sites', ['id', 'tenantId', 'accountId', 'name', 'language', 'code']),
    addRoom: insert('rooms', ['id', 'siteId', 'name', 'floor', 'capacity', 'size']),
    addDevice: insert('devices', deviceColumns),
    index: () => database.exec(indexes),
    all: (sql, ...values) => prepare(sql).all(...values.map(toSql)),
    get: (sql, ...values) => prepare(sql).get(...values.map(toSql)),
    run: (sql, ...values) => Number(prepare(sql).run(...values.map(toSql)).changes),
    together(work) {
      database.exec('BEGIN')
      try {
        work()
        database.exec('COMMIT')
      } catch (error) {
        // A full disk has already ended the transaction, and is the error to report.
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
    close: () => database.close(),
  }
}

/** Returns the version. Closes and throws for a file that is not a world, or of a later version. */
function firstVersionOf(database: DatabaseSync): number {
  try {
    return versionOf(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function versionOf(database: DatabaseSync): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version <= VERSION) return version
  throw new RangeError(`The world was written by a later version of this service (${version}, known is ${VERSION})`)
}

function toWorld(row: Row | undefined): WorldSize & { made: number } {
  return {
    seed: Number(row?.['seed']),
    tenants: Number(row?.['tenants']),
    devices: Number(row?.['devices']),
    made: Number(row?.['made']),
  }
}

/** Clients choose the text of some statements (filter, sort), so the cache is limited. */
function keepStatements(database: DatabaseSync): (sql: string) => StatementSync {
  const kept = new Map<string, StatementSync>()
  return (sql) => {
    const known = kept.get(sql)
    if (known) return known
    if (kept.size >= 200) kept.clear()
    const statement = database.prepare(sql)
    kept.set(sql, statement)
    return statement
  }
}

function toSql(value: Value): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

import { DatabaseSync } from 'node:sqlite'
import type { SQLOutputValue } from 'node:sqlite'
import {
  ACCESS_FILE,
  DataFolderError,
  openDataFolder,
  privateFile,
  rejectLost,
  withDatabase,
} from '../storage/data-folder.ts'
import type { Role } from './roles.ts'
import type { Reach } from '../world/search/search.ts'

/** A stored credential set. Of its secret, 256 random bits, only the SHA-256 (hex) is stored. */
export type StoredSet = {
  clientId: string
  secretHash: string
  name: string
  role: Role
  reach: Reach | null
  active: boolean
  /** Milliseconds since 1970. */ made: number
}

/** A user who may log in to the playground and, as an administrator, manage credential sets (spec section 5). */
export type User = {
  name: string
  admin: boolean
  /** Ids of the tenants that the user may access; null, as for every administrator: all. */
  tenants: readonly string[] | null
  /** Result of `hashPassword`; null: the user cannot log in. */
  passwordHash: string | null
}

/** Users and credential sets of a data folder. Several processes may open it. */
export type AccessStore = {
  /** Returns a number that changes whenever another process has written. */
  version(): number
  /** Returns the sets in order of creation. */
  sets(): StoredSet[]
  addSet(set: StoredSet): void
  /** Replaces the set with that id; does nothing when another process has deleted it. */
  changeSet(set: StoredSet): void
  dropSet(clientId: string): void
  users(): User[]
  /** Throws a DataFolderError when the name exists. */
  addUser(user: User): void
  setPassword(name: string, passwordHash: string): void
  dropUser(name: string): void
  close(): void
}

/** The steps that migrate the tables from each version to the next. */
const steps = [
  `
  CREATE TABLE users (name TEXT PRIMARY KEY, admin INTEGER NOT NULL) STRICT;
  CREATE TABLE sets (n INTEGER PRIMARY KEY, clientId TEXT NOT NULL UNIQUE, secretHash TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
    reach TEXT, active INTEGER NOT NULL, made INTEGER NOT NULL) STRICT;
`,
  `
  ALTER TABLE users ADD COLUMN tenants TEXT;
  ALTER TABLE users ADD COLUMN passwordHash TEXT;
`,
  `
  UPDATE sets SET reach = json_set(reach, '$.accounts', json('null')) WHERE reach IS NOT NULL;
`,
] as const

/**
 * Opens the store. `make`: creates a missing folder. Throws a DataFolderError for any other folder, or one of a later
 * version.
 */
export function openAccessStore(given: string, { make }: { make: boolean }): AccessStore {
  const folder = openDataFolder(given, { make })
  rejectLost(folder, ACCESS_FILE)
  const file = privateFile(folder, ACCESS_FILE)
  return withDatabase(folder, ACCESS_FILE, () => openFile(file))
}

function openFile(file: string): AccessStore {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    prepareTables(database)
    // Everything is read once, so that damage is found now and not at a request.
    for (const table of ['users', 'sets']) database.prepare(`SELECT * FROM ${table}`).all()
  } catch (error) {
    database.close()
    throw error
  }
  const dataVersion = database.prepare('PRAGMA data_version')
  const allUsers = database.prepare('SELECT * FROM users ORDER BY name')
  const allSets = database.prepare('SELECT * FROM sets ORDER BY n')
  const add = database.prepare(
    'INSERT INTO sets (clientId, secretHash, name, role, reach, active, made) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const change = database.prepare('UPDATE sets SET name = ?, role = ?, reach = ?, active = ? WHERE clientId = ?')
  return {
    version: () => Number(dataVersion.get()?.['data_version']),
    sets: () => allSets.all().map(toSet),
    addSet: ({ clientId, secretHash, name, role, reach, active, made }) =>
      void add.run(clientId, secretHash, name, role, toText(reach), Number(active), made),
    changeSet: ({ clientId, name, role, reach, active }) =>
      void change.run(name, role, toText(reach), Number(active), clientId),
    dropSet: (clientId) => void database.prepare('DELETE FROM sets WHERE clientId = ?').run(clientId),
    users: () => allUsers.all().map(toUser),
    addUser({ name, admin, tenants, passwordHash }) {
      const { changes } = database
        .prepare('INSERT OR IGNORE INTO users (name, admin, tenants, passwordHash) VALUES (?, ?, ?, ?)')
        .run(name, Number(admin), tenants && JSON.stringify(tenants), passwordHash)
      if (changes === 0) throw new DataFolderError(`There is a user ${name} already`)
    },
    setPassword: (name, passwordHash) =>
      void database.prepare('UPDATE users SET passwordHash = ? WHERE name = ?').run(passwordHash, name),
    dropUser: (name) => void database.prepare('DELETE FROM users WHERE name = ?').run(name),
    close: () => database.close(),
  }
}

/**
 * Migrates in one transaction, since several processes may be the first. WAL mode keeps commands from blocking a
 * running service.
 */
function prepareTables(database: DatabaseSync): void {
  const version = (): number => Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version() === 0) database.exec('PRAGMA journal_mode = WAL')
  if (version() < steps.length) {
    database.exec('BEGIN IMMEDIATE')
    for (const step of steps.slice(version())) database.exec(step)
    database.exec(`PRAGMA user_version = ${Math.max(version(), steps.length)}; COMMIT`)
  }
  const found = version()
  if (found > steps.length)
    throw new DataFolderError(
      `The data folder was written by a later version of this service (${found}, known is ${steps.length})`,
    )
}

const toText = (reach: Reach | null): string | null => reach && JSON.stringify(reach)

function toUser({ name, admin, tenants, passwordHash }: Record<string, SQLOutputValue>): User {
  return {
    name: String(name),
    admin: admin === 1,
    tenants: typeof tenants === 'string' ? (JSON.parse(tenants) as string[]) : null,
    passwordHash: typeof passwordHash === 'string' ? passwordHash : null,
  }
}

function toSet({ clientId, secretHash, name, role, reach, active, made }: Record<string, SQLOutputValue>): StoredSet {
  return {
    clientId: String(clientId),
    secretHash: String(secretHash),
    name: String(name),
    role: role as Role,
    reach: typeof reach === 'string' ? (JSON.parse(reach) as Reach) : null,
    active: active === 1,
    made: Number(made),
  }
}

import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../src-shared/model/fault.ts'

/** SQLite's primary result codes that Muster distinguishes. */
const codes = {
  busy: 5,
  noMemory: 7,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

const messages = new Map<number, string>([
  [codes.busy, 'another program holds the database'],
  [codes.noMemory, 'there is not enough memory'],
  [codes.readonly, 'the database cannot be written'],
  [codes.io, 'reading or writing the disk failed'],
  [codes.corrupt, 'the database is damaged'],
  [codes.full, 'the disk is full'],
  [codes.cannotOpen, 'the database cannot be opened'],
  [codes.notADatabase, 'the database is damaged'],
])

/** Longest wait for another process that holds the file, ms: a backup or an editor, never a second Muster. */
const busyMs = 2000

/** Opens or creates a database file in WAL mode that only its owner may read; -wal and -shm get the same mode. */
export function openDatabase(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  const db = new DatabaseSync(path, { timeout: busyMs })
  try {
    // Deleted data is overwritten: no byte of a removed connection's devices remains.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON')
    return db
  } catch (thrown) {
    db.close()
    throw thrown
  }
}

/** The version of the tables, from the file's header. */
export function userVersion(db: DatabaseSync): number {
  const row = db.prepare('PRAGMA user_version').get()
  return Number(row?.['user_version'] ?? 0)
}

/**
 * Runs a function in a transaction. An error rolls it back and is thrown on. Within another transaction it is a part of
 * that, which is rolled back alone.
 */
export function inTransaction<T>(db: DatabaseSync, run: () => T): T {
  if (db.isTransaction) return inSavepoint(db, run)
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = run()
    db.exec('COMMIT')
    return result
  } catch (thrown) {
    rollBack(db)
    throw thrown
  }
}

/**
 * Runs a function in one transaction of several databases, which are committed in their order. An error rolls back those that are not
 * committed by then, and is thrown on. `begin`: IMMEDIATE also locks what is attached.
 */
export function inTransactions<T>(
  databases: readonly DatabaseSync[],
  run: () => T,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE' = 'BEGIN IMMEDIATE',
): T {
  try {
    for (const db of databases) db.exec(begin)
    const result = run()
    for (const db of databases) db.exec('COMMIT')
    return result
  } catch (thrown) {
    for (const db of databases) rollBack(db)
    throw thrown
  }
}

function inSavepoint<T>(db: DatabaseSync, run: () => T): T {
  db.exec('SAVEPOINT part')
  try {
    const result = run()
    db.exec('RELEASE part')
    return result
  } catch (thrown) {
    // A full disk may have rolled back the whole transaction.
    if (db.isTransaction) db.exec('ROLLBACK TO part; RELEASE part')
    throw thrown
  }
}

/**
 * Rewrites the file, so that no deleted byte is left in a page or in the -wal file. It takes about a second for a
 * million rows, so it only runs when the operator removes data. Errors of SQLite (a full disk, another reader) are
 * ignored: the deletion itself is committed and overwritten.
 */
export function scrub(db: DatabaseSync): void {
  try {
    db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (thrown) {
    if (codeOf(thrown) === null) throw thrown
  }
}

/** Rolls back, unless SQLite has done so itself after an error (a full disk), or the file was closed because it is damaged. */
function rollBack(db: DatabaseSync): void {
  if (db.isOpen && db.isTransaction) db.exec('ROLLBACK')
}

/** Returns SQLite's primary result code; null for any other error. */
function codeOf(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return null
  return thrown.errcode & 0xff
}

const diskCodes: ReadonlySet<number> = new Set([
  codes.busy,
  codes.noMemory,
  codes.readonly,
  codes.io,
  codes.full,
  codes.cannotOpen,
])

/** Returns whether the file is damaged or not a database. */
export function isDamage(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return code === codes.corrupt || code === codes.notADatabase
}

/** Returns whether an error of SQLite is not one of the disk: while a file is opened, its contents are wrong. */
export function isFileError(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return code !== null && !diskCodes.has(code)
}

/** Returns whether the disk, the file system or the memory failed. */
export function isDiskError(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return code === null ? thrown instanceof Error && 'syscall' in thrown : diskCodes.has(code)
}

/**
 * Returns an error of SQLite or the file system as a fault of kind `storage`, without paths; other errors unchanged.
 */
export function storageFault(thrown: unknown): unknown {
  const code = codeOf(thrown)
  if (code !== null) return new FaultError('storage', messages.get(code) ?? `the database failed (${code})`)
  if (thrown instanceof Error && 'syscall' in thrown && 'code' in thrown) {
    return new FaultError('storage', `the file system failed (${String(thrown.code)})`)
  }
  return thrown
}

const suffixes = ['', '-wal', '-shm']

/** Deletes a database with its -wal and -shm files. */
export function deleteDatabase(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, { force: true })
}

/** Moves a database with its -wal and -shm files. */
export function moveDatabase(path: string, to: string): void {
  for (const suffix of suffixes) if (existsSync(path + suffix)) renameSync(path + suffix, to + suffix)
}

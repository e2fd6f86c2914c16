import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../src-shared/model/fault.ts'

/** SQLite's primary result codes that Muster tells apart. */
const codes = { busy: 5, readonly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const

const messages = new Map<number, string>([
  [codes.busy, 'another program holds the database'],
  [codes.readonly, 'the database cannot be written'],
  [codes.io, 'reading or writing the disk failed'],
  [codes.corrupt, 'the database is damaged'],
  [codes.full, 'the disk is full'],
  [codes.cannotOpen, 'the database cannot be opened'],
  [codes.notADatabase, 'the database is damaged'],
])

/** How long to wait for another holder of the file: a backup or an editor, never a second Muster. */
const busyMs = 2000

/** Opens or makes a database file in WAL mode that only its owner may read; its -wal and -shm take on the same mode. */
export function openDatabase(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  const db = new DatabaseSync(path, { timeout: busyMs })
  try {
    // What is deleted is overwritten: a connection that was removed leaves no byte of its devices.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON')
    return db
  } catch (thrown) {
    db.close()
    throw thrown
  }
}

/** The number in the file's header that tells which shape the tables have. */
export function userVersion(db: DatabaseSync): number {
  const row = db.prepare('PRAGMA user_version').get()
  return Number(row?.['user_version'] ?? 0)
}

/** Runs all or nothing. Whatever is thrown inside leaves the database as it was, and is thrown on. */
export function inTransaction<T>(db: DatabaseSync, run: () => T): T {
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
 * Writes the file anew, so that no byte of what was deleted is left in a corner of a page or in the -wal file. It takes
 * about a second for a million rows, so it is done where somebody asked for something to be forgotten.
 * What cannot be done now (a full disk, another reader) is left: the deletion itself is committed and overwritten.
 */
export function scrub(db: DatabaseSync): void {
  try {
    db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (thrown) {
    if (codeOf(thrown) === null) throw thrown
  }
}

/** SQLite has rolled back by itself after some errors (a full disk); then there is nothing to do. */
function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK')
}

/** SQLite's primary result code, or null for anything that is no SQLite error. */
function codeOf(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return null
  return thrown.errcode & 0xff
}

const diskCodes: ReadonlySet<number> = new Set([codes.busy, codes.readonly, codes.io, codes.full, codes.cannotOpen])

/** True when the file itself is broken or is no database, not when the disk is full or slow. */
export function isDamage(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return code === codes.corrupt || code === codes.notADatabase
}

/** True for any error of SQLite that is not the disk's: while a file is opened, it means that the file is not what it should be. */
export function isFileError(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return code !== null && !diskCodes.has(code)
}

/** True when it is the disk or the file system that failed, whatever the file holds. */
export function isDiskError(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return code === null ? thrown instanceof Error && 'syscall' in thrown : diskCodes.has(code)
}

/** A failure of SQLite or the file system as a fault of kind `storage`, in words without paths; others unchanged. */
export function storageFault(thrown: unknown): unknown {
  const code = codeOf(thrown)
  if (code !== null) return new FaultError('storage', messages.get(code) ?? `the database failed (${code})`)
  if (thrown instanceof Error && 'syscall' in thrown && 'code' in thrown) {
    return new FaultError('storage', `the file system failed (${String(thrown.code)})`)
  }
  return thrown
}

const suffixes = ['', '-wal', '-shm']

/** Deletes a database with everything that belongs to it. */
export function deleteDatabase(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, { force: true })
}

/** Moves a database with everything that belongs to it. */
export function moveDatabase(path: string, to: string): void {
  for (const suffix of suffixes) if (existsSync(path + suffix)) renameSync(path + suffix, to + suffix)
}

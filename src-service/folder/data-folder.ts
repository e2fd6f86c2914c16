import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Why a data folder cannot be used as was asked, in words for whoever asked. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** The file by which a folder is known to be one of this service. */
export const ACCESS_FILE = 'access.sqlite'

export const WORLD_FILE = 'world.sqlite'
export const KEYS_FILE = 'keys.json'
const LOCK_FILE = 'running.sqlite'

/**
 * The full path of a data folder that only its owner can enter (0700). `make`: makes it when it is not there, but not the one around it. Throws a
 * DataFolderError for a folder of somebody else: nothing in it is touched.
 */
export function openDataFolder(given: string, { make }: { make: boolean }): string {
  const folder = path.resolve(given)
  const content = contentOf(folder)
  const ours = content?.includes(ACCESS_FILE) ?? false
  if (content && content.length > 0 && !ours)
    throw new DataFolderError(`${folder} is not empty, and no data folder of this service`)
  if (!ours && !make) throw new DataFolderError(`There is no data folder ${folder}`)
  if (content === null) makeFolder(folder)
  chmodSync(folder, 0o700)
  return folder
}

/** The folder alone, in one that is there: a path that was typed wrong makes no row of folders. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    throw new DataFolderError(`${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The path of a file in it, which need not be there. Throws a DataFolderError when a folder stands in its place. */
export function keptFile(folder: string, name: string): string {
  const file = path.join(folder, name)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new DataFolderError(`${file} is a folder, where a file should be`)
  return file
}

/** The path of a file in it that only its owner can read (0600); made empty when it is not there. */
export function privateFile(folder: string, name: string): string {
  const file = keptFile(folder, name)
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/** What a file of the folder holds, as JSON; undefined when there is none. Throws a DataFolderError for what is no JSON; `without` says what its loss means. */
export function readKept(folder: string, name: string, without: string): unknown {
  const file = keptFile(folder, name)
  if (!existsSync(file)) return undefined
  chmodSync(file, 0o600)
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(folder, name, without)
  }
}

/** Of a file that is there, but does not hold what it should. */
export function damaged(folder: string, name: string, without: string): DataFolderError {
  return new DataFolderError(`${path.join(folder, name)} is damaged. Put back a copy, or delete it: ${without}`)
}

/**
 * Throws a DataFolderError when a database is empty or gone in a folder that has been in use: what would be made in its place
 * is a folder without users, of which anybody may become the administrator, or another world.
 */
export function refuseLost(folder: string, name: typeof ACCESS_FILE | typeof WORLD_FILE): void {
  const filled = (one: string): boolean => (statSync(keptFile(folder, one), { throwIfNoEntry: false })?.size ?? 0) > 0
  // The order in which they are made at the first start.
  const later = name === ACCESS_FILE ? [WORLD_FILE, KEYS_FILE] : [KEYS_FILE]
  if (!filled(name) && later.some(filled))
    throw new DataFolderError(
      `${path.join(folder, name)} is empty or gone, but the folder has been in use. ${PUT_BACK}`,
    )
}

const PUT_BACK = 'Put back a copy of it, or begin with another folder.'
/** Of SQLite's result codes (https://sqlite.org/rescode.html). */
const [BUSY, CORRUPT, FULL, NO_DATABASE] = [5, 11, 13, 26]

/** Works with a database of the folder. What SQLite refuses is thrown as a DataFolderError that names the file. */
export function withDatabase<T>(folder: string, name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw sqliteCode(error) === null ? error : refusedBySqlite(path.join(folder, name), error)
  }
}

function refusedBySqlite(file: string, error: unknown): DataFolderError {
  const code = sqliteCode(error)
  if (code === CORRUPT || code === NO_DATABASE) return new DataFolderError(`${file} is damaged. ${PUT_BACK}`)
  if (code === FULL) return new DataFolderError(`${file} cannot be written: the disk is full`)
  return new DataFolderError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
}

/** Without what it says of the details; null for what is no error of SQLite. */
function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null
}

/** Writes a file that only its owner can read (0600), whole or not at all, also when the machine stops meanwhile. */
export function writeKept(folder: string, name: string, value: unknown): void {
  const file = keptFile(folder, name)
  const handle = openSync(keptFile(folder, `${name}.new`), 'w', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(value, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(`${file}.new`, file)
}

/**
 * Keeps other services out of the folder until the function that is returned is called, or the process ends in whatever
 * way: the lock is one of the operating system. Throws a DataFolderError when another one has it, after `onRefused`.
 */
export function lockFolder(folder: string, onRefused: () => void): () => void {
  const lock = new DatabaseSync(privateFile(folder, LOCK_FILE), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    onRefused()
    const code = sqliteCode(error)
    if (code === BUSY) throw new DataFolderError(`Another service is running on ${folder}`)
    throw code === CORRUPT || code === NO_DATABASE
      ? damaged(folder, LOCK_FILE, 'nothing is kept in it')
      : refusedBySqlite(path.join(folder, LOCK_FILE), error)
  }
  return () => lock.close()
}

function contentOf(folder: string): string[] | null {
  if (!existsSync(folder)) return null
  try {
    return readdirSync(folder)
  } catch {
    throw new DataFolderError(`${folder} cannot be read as a folder`)
  }
}

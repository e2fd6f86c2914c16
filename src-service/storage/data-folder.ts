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

/** The reason why a data folder cannot be used, as a message for the user. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** The file that identifies a data folder of this service. */
export const ACCESS_FILE = 'access.sqlite'

export const WORLD_FILE = 'world.sqlite'
export const KEYS_FILE = 'keys.json'
const LOCK_FILE = 'running.sqlite'

/**
 * Returns the full path of a data folder that only its owner can enter (0700). `make`: creates it when it is missing,
 * but not its parent. Throws a DataFolderError for any other folder, and changes nothing in it.
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

/** Creates only the folder itself: a mistyped path creates no row of folders. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    throw new DataFolderError(`${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Returns the path of a file in it, which may be missing. Throws a DataFolderError when it is a folder. */
export function fileIn(folder: string, name: string): string {
  const file = path.join(folder, name)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new DataFolderError(`${file} is a folder, where a file should be`)
  return file
}

/** Returns the path of a file in it that only its owner can read (0600); creates an empty one when it is missing. */
export function privateFile(folder: string, name: string): string {
  const file = fileIn(folder, name)
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/**
 * Returns the JSON of a file of the folder; undefined when it is missing. Throws a DataFolderError for invalid JSON;
 * `without` describes the effect of its loss.
 */
export function readJson(folder: string, name: string, without: string): unknown {
  const file = fileIn(folder, name)
  if (!existsSync(file)) return undefined
  chmodSync(file, 0o600)
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(folder, name, without)
  }
}

/** Returns the error of a file with invalid content. */
export function damaged(folder: string, name: string, without: string): DataFolderError {
  return new DataFolderError(`${path.join(folder, name)} is damaged. Put back a copy, or delete it: ${without}`)
}

/**
 * Throws a DataFolderError when a database is empty or missing in a folder that has been in use: a new one would have
 * no users, so that anybody could become the administrator, or another world.
 */
export function rejectLost(folder: string, name: typeof ACCESS_FILE | typeof WORLD_FILE): void {
  const filled = (one: string): boolean => (statSync(fileIn(folder, one), { throwIfNoEntry: false })?.size ?? 0) > 0
  // In the order of creation at the first start.
  const later = name === ACCESS_FILE ? [WORLD_FILE, KEYS_FILE] : [KEYS_FILE]
  if (!filled(name) && later.some(filled))
    throw new DataFolderError(
      `${path.join(folder, name)} is empty or gone, but the folder has been in use. ${PUT_BACK}`,
    )
}

const PUT_BACK = 'Put back a copy of it, or begin with another folder.'
/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const [BUSY, CORRUPT, FULL, NO_DATABASE] = [5, 11, 13, 26]

/** Works with a database of the folder. Throws SQLite's errors as a DataFolderError that names the file. */
export function withDatabase<T>(folder: string, name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw sqliteCode(error) === null ? error : sqliteFailure(path.join(folder, name), error)
  }
}

function sqliteFailure(file: string, error: unknown): DataFolderError {
  const code = sqliteCode(error)
  if (code === CORRUPT || code === NO_DATABASE) return new DataFolderError(`${file} is damaged. ${PUT_BACK}`)
  if (code === FULL) return new DataFolderError(`${file} cannot be written: the disk is full`)
  return new DataFolderError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
}

/** Returns SQLite's primary result code; null for any other error. */
function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null
}

/**
 * Writes a file that only its owner can read (0600), completely or not at all, even when the machine stops meanwhile.
 */
export function writeJson(folder: string, name: string, value: unknown): void {
  const file = fileIn(folder, name)
  const handle = openSync(fileIn(folder, `${name}.new`), 'w', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(value, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(`${file}.new`, file)
}

/**
 * Locks the folder against other services until the returned function is called, or the process ends: the lock is the
 * operating system's. Throws a DataFolderError when another one holds it, after `onRefused`.
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
      : sqliteFailure(path.join(folder, LOCK_FILE), error)
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

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
/** Windows has no such flag, and only administrators can create links there. */
const noFollow = O_NOFOLLOW ?? 0

/**
 * Writes a file of Muster's own completely or not at all, mode 0600 under any umask. Replaces an existing file, or a
 * link without following it. Throws the system's error.
 */
export function writeWhole(file: string, text: string): void {
  const fresh = `${file}.new`
  rmSync(fresh, { force: true })
  writeNew(fresh, text)
  renameSync(fresh, file)
}

/** Writes a new file, mode 0600 under any umask; throws EEXIST where one exists. */
export function writeNew(file: string, text: string): void {
  const handle = openSync(file, O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o600)
  try {
    // An umask only removes permissions; default ACLs of the folder may add some.
    fchmodSync(handle, 0o600)
    writeFileSync(handle, text)
  } finally {
    closeSync(handle)
  }
}

/** Appends to a file, created with mode 0600 under any umask. Throws ELOOP for a link. */
export function appendOwn(file: string, text: string): void {
  const handle = openSync(file, O_WRONLY | O_CREAT | O_APPEND | noFollow, 0o600)
  try {
    writeFileSync(handle, text)
  } finally {
    closeSync(handle)
  }
}

const databases = ['journal.db', 'cache.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`, `${name}-journal`])
const ownNames = [
  ...databases,
  'lock',
  'lock-journal',
  'kind',
  'muster.log',
  'muster.log.1',
  'running.json',
  'sessions.json',
  'settings.json',
  'update.json',
]

/**
 * Throws, in words for a user, where a file of the profile is not a regular file: a link would be followed, and a
 * folder or a pipe cannot be used. Changes nothing.
 */
export function rejectIrregularFiles(profile: string): void {
  for (const name of ownNames) {
    const file = path.join(profile, name)
    const found = statsOf(file)
    if (found === null || found.isFile()) continue
    const what = found.isSymbolicLink()
      ? 'a link, and Muster follows none in its profile'
      : found.isDirectory()
        ? 'a folder, and Muster keeps a file there'
        : 'no ordinary file'
    throw new Error(`${file} is ${what}. Move it away and start again, or choose another profile with --profile DIR.`)
  }
}

/** Sets the mode of the profile's files to 0600, whatever the umask was when they were created. */
export function restrictOwnFiles(profile: string): void {
  for (const name of ownNames)
    if (statsOf(path.join(profile, name))?.isFile() === true) chmodSync(path.join(profile, name), 0o600)
}

/** Returns null where there is none, or it is inaccessible: then the folder itself is reported. */
function statsOf(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    return null
  }
}

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
/** Windows knows no such flag, and lets nobody but administrators make links. */
const noFollow = O_NOFOLLOW ?? 0

/**
 * Writes a file of Muster's own whole or not at all, mode 0600 under any umask. What is there by its name, a link too, is replaced
 * and not followed. Throws what the system says.
 */
export function writeWhole(file: string, text: string): void {
  const fresh = `${file}.new`
  rmSync(fresh, { force: true })
  writeNew(fresh, text)
  renameSync(fresh, file)
}

/** Writes a file that is not there yet, mode 0600 under any umask; throws EEXIST where something is. */
export function writeNew(file: string, text: string): void {
  const handle = openSync(file, O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o600)
  try {
    // An umask only takes away; what is new is narrowed for whoever made the folder's defaults otherwise.
    fchmodSync(handle, 0o600)
    writeFileSync(handle, text)
  } finally {
    closeSync(handle)
  }
}

/** Adds to a file, which is made with mode 0600 under any umask. Throws ELOOP where a link is in its place. */
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
 * Throws, in words for a person, where something else than a file of its own is in the place of a file of the profile: a link would
 * be followed, and a folder or a pipe stands in the way. Touches nothing.
 */
export function refuseStrange(profile: string): void {
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

/** Nobody but their owner reads the files of a profile, whatever the umask was that they were made under. */
export function narrowOwn(profile: string): void {
  for (const name of ownNames)
    if (statsOf(path.join(profile, name))?.isFile() === true) chmodSync(path.join(profile, name), 0o600)
}

/** Null where nothing is, or where it cannot be asked: then the folder itself is said to be out of reach. */
function statsOf(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    return null
  }
}

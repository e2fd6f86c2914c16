import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { FaultError } from '../../src-shared/fault.ts'

export interface PackageInstall {
  kind: 'deb' | 'rpm'
  /** Path of the package. */
  file: string
  /** Nobody has given the password by now. What is being installed by then is waited for. */
  late: AbortSignal
  /** Where the system's own programs lie. */
  folders?: readonly string[] | undefined
}

/** Not by PATH: what is found there runs as root. */
const systemFolders = ['/usr/bin', '/usr/sbin', '/bin', '/sbin']

/** A package whose dependencies are missing is unpacked and not set up; apt fetches them, and takes nothing else away for it. */
const dpkg = 'export DEBIAN_FRONTEND=noninteractive; dpkg -i "$1" || apt-get install -f -y --no-remove'

/**
 * Installs a deb or rpm as root, for which the system's own dialog asks for a password. electron-updater would wait for both
 * with the process standing still: whoever starts Muster meanwhile would get no answer, and by Chromium's rule end the first
 * one after twenty seconds. Rejects with a `FaultError` of kind `update`, or with the signal's reason.
 */
export async function installPackage({ kind, file, late, folders = systemFolders }: PackageInstall): Promise<void> {
  const find = (name: string) => folders.map((folder) => path.join(folder, name)).find((each) => existsSync(each)) ?? null
  const asRoot = find('pkexec')
  if (asRoot === null) throw new FaultError('update', 'pkexec, which asks for the password, is not installed here')
  const command = kind === 'deb' ? debCommand(find, file) : rpmCommand(find, file)
  if (command === null) throw new FaultError('update', `nothing here installs ${kind} packages`)
  late.throwIfAborted()
  const code = await codeOf(asRoot, ['--disable-internal-agent', ...command], late)
  if (code === null) throw late.aborted ? late.reason : new FaultError('update', 'what installs it was ended')
  if (code !== 0) throw new FaultError('update', words(code))
}

type Find = (name: string) => string | null

function debCommand(find: Find, file: string): string[] | null {
  const shell = find('sh')
  return shell === null || find('dpkg') === null ? null : [shell, '-c', dpkg, 'sh', file]
}

/** The first that is there, with the flags by which electron-updater calls it; rpm alone looks at dependencies, too. */
const rpmWays: readonly (readonly [string, ...string[]])[] = [
  ['zypper', '--non-interactive', '--no-refresh', 'install', '--allow-unsigned-rpm', '-f'],
  ['dnf', 'install', '--nogpgcheck', '-y'],
  ['yum', 'install', '--nogpgcheck', '-y'],
  ['rpm', '-U', '--replacepkgs'],
]

function rpmCommand(find: Find, file: string): string[] | null {
  for (const [name, ...flags] of rpmWays) {
    const program = find(name)
    if (program !== null) return [program, ...flags, file]
  }
  return null
}

/** Of pkexec's own: 126 was called off, 127 was not allowed, or nothing can ask. */
function words(code: number): string {
  if (code === 126) return 'the password was not given'
  return code === 127 ? 'the system did not allow it, or has nothing that asks for the password' : `what installs packages here ended with code ${code}`
}

/** Null when it was ended. While it asks, it is this user's own process and can be; what installs is root's. */
function codeOf(program: string, args: readonly string[], late: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore' })
    const end = () => void child.kill()
    late.addEventListener('abort', end)
    // A dialog without a Muster behind it would ask for nothing.
    process.once('exit', end)
    child.once('spawn', () => {
      // That it may not be ended any more is told so, too.
      child.on('error', () => {})
    })
    child.once('error', (error) => child.pid === undefined && reject(error))
    child.once('exit', (code) => {
      late.removeEventListener('abort', end)
      process.off('exit', end)
      resolve(code)
    })
  })
}

/**
 * Puts a new AppImage in the place of `image`, the one that runs, whole or not at all; electron-updater would remove the one
 * before it has the other. A name without a version is its person's own and stays; else the new one brings its own. Answers
 * its path. Rejects with the file system's error.
 */
export async function installImage(file: string, image: string): Promise<string> {
  const place = /\d+\.\d+\.\d+/.test(path.basename(image)) ? path.join(path.dirname(image), path.basename(file)) : image
  const part = `${place}.part`
  try {
    await copyFile(file, part)
    await chmod(part, 0o755)
    await written(part)
    await rename(part, place)
  } catch (thrown) {
    await rm(part, { force: true })
    throw thrown
  }
  // Two that work are better than none.
  if (place !== image) await rm(image, { force: true }).catch(() => {})
  return place
}

/** On the disk itself, and not in memory alone: the former one goes after this. */
async function written(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The image that is not mounted, where the system cannot (`appDir`: what the one that runs has for its folder). */
export const imageFlags = (appDir: string | undefined): string[] => (appDir?.includes('appimage_extracted_') === true ? ['--appimage-extract-and-run'] : [])

/** Starts it, to live on when this process ends. Rejects when it cannot be started. */
export function startImage(image: string, flags: readonly string[]): Promise<void> {
  const child = spawn(image, flags, { detached: true, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

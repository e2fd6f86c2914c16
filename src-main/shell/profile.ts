import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/**
 * The folder of a profile, made with mode 0700 (an existing one is narrowed to it). `given` is a folder of the
 * operator's own choice; without one, profiles lie in the system's place for application data, the demo apart from
 * what is real.
 */
export function openProfile(given: string | null, demo: boolean, env: NodeJS.ProcessEnv = process.env): string {
  const folder = given === null ? path.join(dataHome(process.platform, env), 'muster', demo ? 'demo' : 'default') : path.resolve(given)
  try {
    // What is made in it by others (SQLite's side files) is this user's alone as well.
    process.umask(0o077)
    makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new Error(`The profile folder ${folder} cannot be written to${code}. Choose another with --profile DIR.`, { cause: error })
  }
  return folder
}

/** One step after the other: Node's own recursive way never ends where a system refuses with ENOENT (below /proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Where this system keeps the data of applications, for this user. */
export function dataHome(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir()
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local')
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  // The specification wants relative ones ignored.
  const xdg = env['XDG_DATA_HOME']
  return xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(home, '.local', 'share')
}

import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { textOf } from '../../settings/text-file.ts'
import { narrowOwn, refuseStrange } from './own-file.ts'

/**
 * The folder of a profile, made with mode 0700 (an existing one is narrowed to it). `given` is a folder of the
 * operator's own choice; without one, profiles lie in the system's place for application data, the demo apart from
 * what is real.
 *
 * A profile is the demo's or for real connections, and stays what its first start made it: the demo is never mixed with
 * real connections. A start of the other kind is refused before anything in the folder is touched.
 */
export function openProfile(given: string | null, demo: boolean, env: NodeJS.ProcessEnv = process.env): string {
  const folder =
    given === null
      ? path.join(dataHome(process.platform, env), 'muster', demo ? 'demo' : 'default')
      : path.resolve(given)
  const kind = demo ? 'demo' : 'real'
  refuseStrange(folder)
  refuseOther(folder, kind)
  try {
    makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK)
    narrowOwn(folder)
    mark(folder, kind)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new Error(`The profile folder ${folder} cannot be written to${code}. Choose another with --profile DIR.`, {
      cause: error,
    })
  }
  // Of two first starts at once, only one has made the mark.
  refuseOther(folder, kind)
  return folder
}

type Kind = 'demo' | 'real'

/** A file of its own: it outlives settings that are damaged and put aside. */
const markOf = (folder: string): string => path.join(folder, 'kind')

function refuseOther(folder: string, kind: Kind): void {
  const before = kindOf(folder)
  if (before === null || before === kind) return
  throw new Error(
    kind === 'demo'
      ? `The profile ${folder} is for your own connections, and the demo is never mixed with them. Start with --no-demo to use it, or choose another folder with --profile DIR for the demo.`
      : `The profile ${folder} is the demo’s, and real connections are never mixed with it. Choose another folder with --profile DIR, or leave out --no-demo to see the demo.`,
  )
}

/** Whose profile it is; null when nobody has used it yet. Connections count more than the mark: they are what could be lost. */
function kindOf(folder: string): Kind | null {
  const settings = settingsIn(folder)
  const connections = settings['connections']
  if (Array.isArray(connections) ? connections.length > 0 : connections !== undefined) return 'real'
  const marked = textOf(markOf(folder)).trim()
  if (marked === 'demo' || marked === 'real') return marked
  // From before there were marks: the demo's connection has left its readings.
  return [settings['readings'], settings['schemas']].some(
    (kept) => typeof kept === 'object' && kept !== null && 'demo' in kept,
  )
    ? 'demo'
    : null
}

/** What the settings file of a profile says, for whoever may not open it yet: nothing is made or mended. */
export function settingsIn(folder: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(textOf(path.join(folder, 'settings.json')))
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    // Damaged settings are put aside later, by whoever opens them.
    return {}
  }
}

function mark(folder: string, kind: Kind): void {
  const file = markOf(folder)
  if (textOf(file).trim() === kind) return
  try {
    // One that is there and says something else has been passed over by `kindOf`; one that is new is made by one start only.
    writeFileSync(file, `${kind}\n`, { mode: 0o600, flag: existsSync(file) ? 'w' : 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** One step after the other: Node's own recursive way never ends where a system refuses with ENOENT (below /proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another start made it a moment ago.
    if (!existsSync(folder)) throw error
  }
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

import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { textOf } from '../../settings/text-file.ts'
import { restrictOwnFiles, rejectIrregularFiles } from './own-file.ts'

/**
 * Opens the folder of a profile, created with mode 0700 (an existing one is changed to it). `given` is a folder of the
 * operator's choice; otherwise profiles are in the system's folder for application data, the demo apart from real ones.
 *
 * A profile is the demo's or for real connections, as its first start decided: the demo is never mixed with real
 * connections. A start of the other kind is rejected before anything in the folder is changed.
 */
export function openProfile(given: string | null, demo: boolean, env: NodeJS.ProcessEnv = process.env): string {
  const folder =
    given === null
      ? path.join(dataHome(process.platform, env), 'muster', demo ? 'demo' : 'default')
      : path.resolve(given)
  const kind = demo ? 'demo' : 'real'
  rejectIrregularFiles(folder)
  rejectOtherKind(folder, kind)
  try {
    makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK)
    restrictOwnFiles(folder)
    writeMark(folder, kind)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new Error(`The profile folder ${folder} cannot be written to${code}. Choose another with --profile DIR.`, {
      cause: error,
    })
  }
  // When two first starts compete, only one has written the mark.
  rejectOtherKind(folder, kind)
  return folder
}

type Kind = 'demo' | 'real'

/** Returns the path of the mark, a separate file, so that it outlives damaged settings. */
const markOf = (folder: string): string => path.join(folder, 'kind')

function rejectOtherKind(folder: string, kind: Kind): void {
  const before = kindOf(folder)
  if (before === null || before === kind) return
  throw new Error(
    kind === 'demo'
      ? `The profile ${folder} is for your own connections, and the demo is never mixed with them. Start with --no-demo to use it, or choose another folder with --profile DIR for the demo.`
      : `The profile ${folder} is the demo’s, and real connections are never mixed with it. Choose another folder with --profile DIR, or leave out --no-demo to see the demo.`,
  )
}

/**
 * Returns the kind of a profile; null for an unused one. Connections take precedence over the mark, because they could
 * be lost.
 */
function kindOf(folder: string): Kind | null {
  const settings = settingsIn(folder)
  const connections = settings['connections']
  if (Array.isArray(connections) ? connections.length > 0 : connections !== undefined) return 'real'
  const marked = textOf(markOf(folder)).trim()
  if (marked === 'demo' || marked === 'real') return marked
  // Profiles without a mark: the demo's connection has left its sync times.
  return [settings['readings'], settings['schemas']].some(
    (kept) => typeof kept === 'object' && kept !== null && 'demo' in kept,
  )
    ? 'demo'
    : null
}

/** Returns the settings of a profile without opening it: creates and repairs nothing. */
export function settingsIn(folder: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(textOf(path.join(folder, 'settings.json')))
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    // Damaged settings are set aside later, when they are opened.
    return {}
  }
}

function writeMark(folder: string, kind: Kind): void {
  const file = markOf(folder)
  if (textOf(file).trim() === kind) return
  try {
    // `kindOf` has overruled a different mark; a new one is created by one start only.
    writeFileSync(file, `${kind}\n`, { mode: 0o600, flag: existsSync(file) ? 'w' : 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Creates folders one by one: Node's recursive mode never ends where a system answers ENOENT (below /proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another start created it meanwhile.
    if (!existsSync(folder)) throw error
  }
}

/** Returns this user's folder for application data on this system. */
export function dataHome(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir()
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local')
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  // The specification requires relative ones to be ignored.
  const xdg = env['XDG_DATA_HOME']
  return xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(home, '.local', 'share')
}

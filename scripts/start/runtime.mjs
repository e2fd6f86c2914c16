import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** Longest wait for the release page's answer, and for another byte of a download, ms. */
const probeLimit = 10_000
const stallLimit = 20_000
/** A failed check that took longer than this is cached for a day, ms. */
const quick = 1_000
const day = 24 * 3_600_000

/**
 * Returns why Electron is not looked for, as a clause; '' when the browser was requested; null when it may be used.
 * @param {{ args: string[], env: NodeJS.ProcessEnv, platform: string, uid: number | undefined }} start
 */
export function obstacle({ args, env, platform, uid }) {
  if (args.includes('--web')) return ''
  if (args.some((arg) => arg === '--no-open' || arg.startsWith('--port=')))
    return '--port and --no-open are the browser’s'
  if (uid === 0) return 'the desktop window does not run as root'
  const isUnset = [env.DISPLAY, env.WAYLAND_DISPLAY].every((name) => name === undefined || name === '')
  return platform === 'linux' && isUnset ? 'there is no display here' : null
}

/**
 * Returns the path of the installed Electron, complete and of the required version; null when there is none. Does not
 * call the package itself, which would begin to download.
 * @param {string} folder that of the `electron` package
 */
export function installedRuntime(folder, env = process.env, platform = process.platform) {
  const dist = env.ELECTRON_OVERRIDE_DIST_PATH || path.join(folder, 'dist')
  try {
    const wanted = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version
    if (readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '') !== wanted) return null
    const program = path.join(dist, programName(folder, platform))
    return existsSync(program) ? program : null
  } catch {
    return null
  }
}

function programName(folder, platform) {
  const file = path.join(folder, 'path.txt')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron'
  return platform === 'win32' ? 'electron.exe' : 'electron'
}

/**
 * Finds the runtime, fetched once if that is possible in limited time.
 * @param {{ folder: string, cache: string, node: string, env?: NodeJS.ProcessEnv, platform?: string, now?: () =>
 * number, log?: (line: string) => void }} options
 * `cache`: the file of the last failure; `node`: a Node 24
 * @returns {Promise<{ program: string } | { reason: string }>}
 */
export async function findRuntime({
  folder,
  cache,
  node,
  env = process.env,
  platform = process.platform,
  now = Date.now,
  log = console.error,
}) {
  const program = installedRuntime(folder, env, platform)
  if (program !== null) return { program }
  if (env.ELECTRON_OVERRIDE_DIST_PATH)
    return { reason: 'ELECTRON_OVERRIDE_DIST_PATH holds no Electron of the wanted version' }
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const failure = readFailure(cache, version, now())
  if (failure !== null) return { reason: failure }
  const began = now()
  const reason = await fetchRuntime({ folder, node, env, platform, version, log })
  const fetched = reason === null ? installedRuntime(folder, env, platform) : null
  if (fetched !== null) return { program: fetched }
  const message = reason ?? 'Electron’s download was not complete'
  if (now() - began > quick) writeFailure(cache, { version, until: now() + day, reason: message })
  return { reason: message }
}

function readFailure(cache, version, now) {
  try {
    const failure = JSON.parse(readFileSync(cache, 'utf8'))
    return failure.version === version && now < failure.until && failure.until <= now + day
      ? String(failure.reason)
      : null
  } catch {
    return null
  }
}

function writeFailure(cache, failure) {
  try {
    mkdirSync(path.dirname(cache), { recursive: true })
    writeFileSync(cache, JSON.stringify(failure))
  } catch {
    // Without the record, the next start checks again.
  }
}

/** Fetches the runtime; resolves with null, or with the reason of a failure. */
async function fetchRuntime({ folder, node, env, platform, version, log }) {
  const mirror =
    env.npm_config_electron_mirror || env.ELECTRON_MIRROR || 'https://github.com/electron/electron/releases/download/'
  const url = `${mirror}v${version}/electron-v${version}-${platform}-${process.arch}.zip`
  if (!(await isReachable(node, url, env)))
    return `Electron cannot be fetched from ${URL.parse(url)?.host ?? 'its release page'}`
  log('Fetching Electron (once)')
  return (await download({ folder, node, env, log })) ? null : 'Electron’s download stalled'
}

/** Resolves with whether an address answers within ten seconds. Uses Node 24, which follows HTTPS_PROXY on request. */
export function isReachable(node, url, env) {
  const program = `fetch(process.argv[1], { method: 'HEAD', signal: AbortSignal.timeout(${probeLimit}) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`
  const child = spawn(node, ['-e', program, url], {
    stdio: 'ignore',
    env: { ...env, NODE_USE_ENV_PROXY: '1' },
    timeout: probeLimit + 1_000,
  })
  return succeeded(child)
}

/** Runs the package's own installer, in a runWatched temporary folder: it has no time limit. */
async function download({ folder, node, env, log }) {
  const temporary = mkdtempSync(path.join(tmpdir(), 'muster-electron-'))
  const own = { ...env, TMPDIR: temporary, TEMP: temporary, TMP: temporary, ELECTRON_GET_USE_PROXY: '1' }
  const child = spawn(node, [path.join(folder, 'install.js')], { cwd: folder, stdio: 'ignore', env: own })
  const runWatched = [temporary, path.join(folder, 'dist')]
  let [size, grownAt, reported] = [0, Date.now(), 0]
  const timer = setInterval(() => {
    const now = runWatched.reduce((sum, each) => sum + sizeOf(each), 0)
    if (now !== size) [size, grownAt] = [now, Date.now()]
    if (size - reported > 20_000_000) {
      reported = size
      log(`Fetching Electron: ${Math.round(size / 1_000_000)} MB`)
    }
    if (Date.now() - grownAt > stallLimit) child.kill('SIGKILL')
  }, 500)
  const done = await succeeded(child)
  clearInterval(timer)
  rmSync(temporary, { recursive: true, force: true })
  return done
}

function succeeded(child) {
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** Returns the bytes below a folder; 0 for none. */
export function sizeOf(folder) {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { identity, configFor, targetsOf } from './pack.mjs'
import { answers, findRuntime, sizeOf } from './runtime.mjs'
import { ensureInstalled, giveUp, node24, root } from './setup.mjs'

/** `npm run dist`: makes the packages for this machine in `dist/`, and prints which ones could not be made. */

/** Longest time without output or written bytes of the packager, ms. */
const silenceLimit = 180_000
const output = path.join(root, 'dist')
/** The source of electron-builder's tools for each format. */
const toolsPage = 'https://github.com/electron-userland/electron-builder-binaries'

/**
 * Returns the formats that can be made here, and why the others cannot.
 * @param {{ platform: NodeJS.Platform, hasTools: boolean, onPath: (program: string) => boolean }} machine
 * `hasTools`: electron-builder has its tools, or can fetch them
 * @returns {{ can: string[], cannot: { target: string, why: string }[] }}
 */
export function planFor({ platform, hasTools, onPath }) {
  const obstacle = (target) => {
    if (!hasTools) return 'the tools for it cannot be fetched from github.com'
    return target === 'rpm' && !onPath('rpmbuild') ? 'rpmbuild is not installed here' : null
  }
  const all = targetsOf[platform].map((target) => ({ target, why: obstacle(target) }))
  return {
    can: all.filter(({ why }) => why === null).map(({ target }) => target),
    cannot: all.filter(({ why }) => why !== null),
  }
}

/** Returns the files of `folder` that are packages of these formats, each with its format. */
export function madeOf(folder, targets) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return targets.flatMap((target) =>
    names.filter((name) => name.endsWith(`.${target === 'nsis' ? 'exe' : target}`)).map((name) => ({ target, name })),
  )
}

/** Returns one line about the signature. */
export function signatureLine(platform, env) {
  const { signed, wanted } = identity(platform, env)
  if (!signed) return `Not signed: ${wanted} is not set. The package says so itself, and does not update itself.`
  const notarized = ['APPLE_API_KEY', 'APPLE_ID', 'APPLE_KEYCHAIN_PROFILE'].some((name) => env[name])
  return platform === 'darwin' && !notarized
    ? 'Signed, but not notarized: set APPLE_API_KEY, APPLE_ID or APPLE_KEYCHAIN_PROFILE with what belongs to it.'
    : 'Signed.'
}

/**
 * Returns one line about packages without a feed; null where they have one. electron-builder writes the kind of a
 * package, and its signers, only beside a feed.
 */
export function feedLine(platform, env) {
  if (env.MUSTER_UPDATE_FEED?.trim()) return null
  const ways = {
    linux: ' but of an AppImage, from a feed that its settings name',
    darwin: ' but from a feed that the settings name',
  }
  return `No updates${ways[platform] ?? ''}: MUSTER_UPDATE_FEED is not set.`
}

/**
 * Runs the packager, and ends it after `limit` without output or new bytes in `folders`.
 * @param {{ program: string, args: string[], env: NodeJS.ProcessEnv, folders: string[], limit?: number, say?: (text:
 * string) => void }} options `limit` in ms
 * @returns {Promise<number
 * null>} its code; null when it was ended
 */
export function watched({
  program,
  args,
  env,
  folders,
  limit = silenceLimit,
  say = (text) => process.stderr.write(text),
}) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [heard, size] = [Date.now(), 0]
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      heard = Date.now()
      say(String(text))
    })
  }
  const watch = setInterval(() => {
    const now = folders.reduce((sum, each) => sum + sizeOf(each), 0)
    if (now !== size) [heard, size] = [Date.now(), now]
    if (Date.now() - heard > limit) child.kill('SIGKILL')
  }, limit / 36)
  return new Promise((resolve) => {
    child.once('error', () => resolve(1))
    // Its children may keep its outputs open; its own output is complete.
    child.once('exit', (code) => code === null && resolve(null))
    child.once('close', (code) => resolve(code))
  }).finally(() => clearInterval(watch))
}

function toolsCache() {
  const { ELECTRON_BUILDER_CACHE: own, LOCALAPPDATA: local } = process.env
  if (own) return own
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', 'electron-builder')
  if (process.platform === 'win32') return path.join(local ?? os.homedir(), 'electron-builder', 'Cache')
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'electron-builder')
}

const onPath = (program) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => folder !== '' && existsSync(path.join(folder, program)))

/**
 * Writes a signature (`.asc`) beside each file of `folder`, by a GnuPG key.
 * @returns {string[]} the names without one
 */
export function signBeside(folder, names, key, env = process.env) {
  return names.filter((name) => {
    const file = path.join(folder, name)
    rmSync(`${file}.asc`, { force: true })
    const args = ['--batch', '--yes', '--local-user', key, '--armor', '--detach-sign', file]
    return spawnSync('gpg', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0
  })
}

/** Returns whether GnuPG can sign with this key, tested before anything takes long. */
export function canSign(key, env = process.env) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'muster-signing-'))
  try {
    writeFileSync(path.join(folder, 'probe'), '')
    return signBeside(folder, ['probe'], key, env).length === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Removes packages that should be signed and are not, the feed's entries that would offer them, and the packed folder.
 */
export function dropUnsigned(folder, names) {
  if (names.length === 0) return
  const offers = (entry) => names.some((name) => readFileSync(path.join(folder, entry), 'utf8').includes(name))
  const entries = readdirSync(folder).filter((name) => name.endsWith('.yml') && offers(name))
  const unpacked = readdirSync(folder).filter((name) => name.startsWith('linux-') && name.endsWith('unpacked'))
  for (const file of [...names.flatMap((name) => [name, `${name}.blockmap`]), ...entries, ...unpacked])
    rmSync(path.join(folder, file), { recursive: true, force: true })
}

/** @returns {string} what `npm run dist -- --help` prints */
export function usage(platform = process.platform) {
  return [
    'Usage: npm run dist',
    '',
    `Makes Muster's packages for this machine in dist/: ${targetsOf[platform]?.join(', ') ?? 'none for this system'}. It takes no flags; docs/packaging.md has the variables.`,
    '  --help          this page',
  ].join('\n')
}

/** Returns one line for each format that cannot be made because the runtime is missing. */
export const withoutRuntime = (platform, reason) =>
  targetsOf[platform].map((target) => `Not made: ${target}, because ${reason}`)

async function dist(argv) {
  const { platform, arch, env } = process
  if (argv.some((arg) => arg === '--help' || arg === '-h')) return console.log(usage(platform))
  if (argv.length > 0) giveUp(`npm run dist does not know "${argv[0]}". Try: npm run dist -- --help`)
  if (targetsOf[platform] === undefined) giveUp(`There are no packages for ${platform}.`)
  try {
    // Checked before anything takes long.
    configFor({ platform, env, electronDist: '' })
  } catch (error) {
    giveUp(error.message)
  }
  const key = platform === 'linux' ? env.MUSTER_GPG_KEY?.trim() : undefined
  if (key && !canSign(key)) giveUp('No package was made: GnuPG does not sign with MUSTER_GPG_KEY, and says why above.')
  ensureInstalled()
  const node = node24()
  const [{ build }, { packed, writeNotices }] = await Promise.all([import('./build.mjs'), import('./notices.mjs')])
  await build({ names: packed })
  writeNotices()
  // Without the cache of a failed attempt: a package needs the present state.
  const found = await findRuntime({ folder: path.join(root, 'node_modules', 'electron'), cache: os.devNull, node })
  if ('reason' in found)
    giveUp([...withoutRuntime(platform, found.reason), 'Muster itself is built, in out/.'].join('\n'))
  const hasTools = existsSync(toolsCache()) || (await answers(node, toolsPage, env))
  const { can, cannot } = planFor({ platform, hasTools, onPath })
  rmSync(output, { recursive: true, force: true })
  const electronDist = env.ELECTRON_OVERRIDE_DIST_PATH || path.join(root, 'node_modules', 'electron', 'dist')
  const code = await watched({
    program: node,
    args: [path.join(root, 'scripts', 'pack.mjs'), electronDist, ...(can.length > 0 ? can : ['dir'])],
    // An identity that happens to be in the machine's keychain is not used.
    env: { ...env, ...(identity(platform, env).signed ? {} : { CSC_IDENTITY_AUTO_DISCOVERY: 'false' }) },
    folders: [output, toolsCache()],
  })
  report({ platform, arch, env, can, cannot, code, key })
}

function report({ platform, arch, env, can, cannot, code, key }) {
  const unsigned = key
    ? signBeside(
        output,
        madeOf(output, can).map(({ name }) => name),
        key,
      )
    : []
  dropUnsigned(output, unsigned)
  const made = madeOf(output, can)
  for (const { name } of made) console.log(`Made: ${path.join('dist', name)}`)
  if (can.length === 0 && code === 0)
    console.log(`Made: the folder of the application alone, in dist (${platform}, ${arch})`)
  const missing = can.filter((target) => made.every((each) => each.target !== target))
  const why = (target) => {
    if (unsigned.some((name) => name.endsWith(`.${target}`))) return 'GnuPG did not sign it, and says why above'
    return code === null
      ? `nothing was heard of it for ${silenceLimit / 60_000} minutes`
      : 'electron-builder says why above'
  }
  for (const each of [...cannot, ...missing.map((target) => ({ target, why: why(target) }))])
    console.log(`Not made: ${each.target}, because ${each.why}`)
  if (code !== 0 && can.length === 0) console.log(`Not made: the folder of the application, because ${why('dir')}`)
  console.log(signatureLine(platform, env))
  const noFeed = feedLine(platform, env)
  if (noFeed !== null) console.log(noFeed)
  if (code !== 0 || cannot.length > 0 || missing.length > 0) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await dist(process.argv.slice(2))

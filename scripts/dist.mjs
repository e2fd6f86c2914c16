import { existsSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { configFor, identity, targetsOf } from './packaging/pack.mjs'
import { feedLine, packagesIn, planPackages, signatureLine, usage, missingRuntimeLines } from './packaging/plan.mjs'
import { canSign, dropUnsigned, signBeside } from './packaging/signing.mjs'
import { silenceLimit, runWatched } from './packaging/watched.mjs'
import { ensureInstalled, exitWithError, node24, root } from './setup.mjs'
import { findRuntime, isReachable } from './start/runtime.mjs'

/** `npm run dist`: makes the packages for this machine in `dist/`, and prints which ones could not be made. */

const output = path.join(root, 'dist')
/** The source of electron-builder's tools for each format. */
const toolsPage = 'https://github.com/electron-userland/electron-builder-binaries'

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

async function dist(argv) {
  const { platform, arch, env } = process
  if (argv.some((arg) => arg === '--help' || arg === '-h')) return console.log(usage(platform))
  if (argv.length > 0) exitWithError(`npm run dist does not know "${argv[0]}". Try: npm run dist -- --help`)
  if (targetsOf[platform] === undefined) exitWithError(`There are no packages for ${platform}.`)
  try {
    // Checked before anything takes long.
    configFor({ platform, env, electronDist: '' })
  } catch (error) {
    exitWithError(error.message)
  }
  const key = platform === 'linux' ? env.MUSTER_GPG_KEY?.trim() : undefined
  if (key && !canSign(key))
    exitWithError('No package was made: GnuPG cannot sign with MUSTER_GPG_KEY; its message is above.')
  ensureInstalled()
  const node = node24()
  const [{ build }, { packed, writeNotices }] = await Promise.all([
    import('./build/build.mjs'),
    import('./packaging/notices.mjs'),
  ])
  await build({ names: packed })
  writeNotices()
  // Without the cache of a failed attempt: a package needs the present state.
  const found = await findRuntime({ folder: path.join(root, 'node_modules', 'electron'), cache: os.devNull, node })
  if ('reason' in found)
    exitWithError([...missingRuntimeLines(platform, found.reason), 'Muster itself is built, in out/.'].join('\n'))
  const hasTools = existsSync(toolsCache()) || (await isReachable(node, toolsPage, env))
  const { can, cannot } = planPackages({ platform, hasTools, onPath })
  rmSync(output, { recursive: true, force: true })
  const electronDist = env.ELECTRON_OVERRIDE_DIST_PATH || path.join(root, 'node_modules', 'electron', 'dist')
  const code = await runWatched({
    program: node,
    args: [path.join(root, 'scripts', 'packaging', 'pack.mjs'), electronDist, ...(can.length > 0 ? can : ['dir'])],
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
        packagesIn(output, can).map(({ name }) => name),
        key,
      )
    : []
  dropUnsigned(output, unsigned)
  const made = packagesIn(output, can)
  for (const { name } of made) console.log(`Made: ${path.join('dist', name)}`)
  if (can.length === 0 && code === 0)
    console.log(`Made: the folder of the application alone, in dist (${platform}, ${arch})`)
  const missing = can.filter((target) => made.every((each) => each.target !== target))
  const reasonFor = (target) => {
    if (unsigned.some((name) => name.endsWith(`.${target}`))) return 'GnuPG did not sign it; its message is above'
    return code === null
      ? `electron-builder made no progress for ${silenceLimit / 60_000} minutes`
      : 'electron-builder failed; its message is above'
  }
  for (const each of [...cannot, ...missing.map((target) => ({ target, reason: reasonFor(target) }))])
    console.log(`Not made: ${each.target}, because ${each.reason}`)
  if (code !== 0 && can.length === 0)
    console.log(`Not made: the folder of the application, because ${reasonFor('dir')}`)
  console.log(signatureLine(platform, env))
  const noFeed = feedLine(platform, env)
  if (noFeed !== null) console.log(noFeed)
  if (code !== 0 || cannot.length > 0 || missing.length > 0) process.exitCode = 1
}

await dist(process.argv.slice(2))

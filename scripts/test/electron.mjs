import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { installedRuntime, obstacle } from '../start/runtime.mjs'
import { ensureInstalled, exitWithError, node24, root } from '../setup.mjs'

/** The project of vitest that runs on Electron's own runtime. */
export const runtimeProject = 'e2e-electron-runtime'

/**
 * Returns why the end-to-end tests cannot run on Electron's own runtime here, as a clause; null when they can. Fetches
 * nothing: `npm start` does that.
 */
export function noRuntime({
  folder = path.join(root, 'node_modules', 'electron'),
  env = process.env,
  platform = process.platform,
  uid = process.getuid?.(),
} = {}) {
  if (installedRuntime(folder, env, platform) === null) return 'Electron’s runtime is not here; npm start fetches it'
  return obstacle({ args: [], env, platform, uid })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled()
  const reason = noRuntime()
  if (reason !== null) exitWithError(`The tests on Electron did not run: ${reason}.`)
  const { build } = await import('../build/build.mjs')
  await build()
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(node24(), [vitest, 'run', '--project', runtimeProject, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}

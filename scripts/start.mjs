import path from 'node:path'
import process from 'node:process'
import { readFlags, usage } from './start/flags.mjs'

// Checked before anything is installed: a mistyped flag should not cost a download.
const flags = readFlags(process.argv.slice(2))
if ('error' in flags) {
  console.error(flags.error)
  process.exit(2)
}
if (flags.help) {
  console.log(usage())
  process.exit(0)
}

const { ensureInstalled, node24, root } = await import('./setup.mjs')
ensureInstalled()
const { build } = await import('./build/build.mjs')
const { findRuntime, obstacle } = await import('./start/runtime.mjs')
const { openDesktop, openWeb } = await import('./start/open.mjs')
try {
  await build()
} catch (error) {
  console.error(`Muster could not be built: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
process.exit(await run(node24(), flags.args))

/**
 * Opens the desktop window; where that is not possible, the same console in the browser, and one line with the reason.
 */
async function run(node, args) {
  const reason =
    obstacle({ args, env: process.env, platform: process.platform, uid: process.getuid?.() }) ??
    (await desktop(node, args))
  if (typeof reason === 'number') return reason
  if (reason !== '') console.error(`Muster opens in the browser: ${reason}.`)
  return openWeb(node, path.join(root, 'out', 'main', 'web.js'), args)
}

/** Resolves with its code when it ends, or why it did not open. */
async function desktop(node, args) {
  const modules = path.join(root, 'node_modules')
  const found = await findRuntime({
    folder: path.join(modules, 'electron'),
    cache: path.join(modules, '.cache', 'muster-electron.json'),
    node,
  })
  if ('reason' in found) return found.reason
  const opened = await openDesktop(found.program, root, args)
  return 'code' in opened ? opened.code : opened.reason
}

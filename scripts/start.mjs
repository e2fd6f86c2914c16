import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { readFlags, usage } from './flags.mjs'

// Checked before anything is installed: a typing error should not cost a download.
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
const { build } = await import('./build.mjs')
try {
  await build()
} catch (error) {
  console.error(`Muster could not be built: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
run(node24(), flags.args)

/**
 * Runs the web shell until it ends, and ends with its code. A signal is handed on as a message: that works on Windows
 * too, and the shell also stops when this process dies, because the channel closes.
 */
function run(node, args) {
  const entry = path.join(root, 'out', 'main', 'web.js')
  const options = { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }
  // node:sqlite says that it is experimental; the operator can do nothing with that.
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', '--enable-source-maps', entry, ...args], options)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.connected && child.send('stop'))
  }
  child.on('error', (error) => {
    console.error(`Muster could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code) => process.exit(code ?? 1))
}

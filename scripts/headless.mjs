// npm run headless -- --connections FILE --port N: Muster's core without a window, with health and metrics over HTTP.
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { ensureInstalled, exitWithError, node24, root } from './setup.mjs'

ensureInstalled()
const { build } = await import('./build/build.mjs')
try {
  await build({ names: ['headless', 'thread', 'answers'] })
} catch (error) {
  exitWithError(`Muster could not be built: ${error instanceof Error ? error.message : String(error)}`)
}
const child = spawn(node24(), [path.join(root, 'out', 'main', 'headless.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})

// Ctrl-C reaches the whole process group; a signal to this process alone is passed on. It ends with the child.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(`Muster could not be started: ${error.message}`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => (process.exitCode = signal ? 1 : (code ?? 1)))

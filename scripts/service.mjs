// npm run service -- --port N --devices N --tenants N --seed N --ca-out FILE: the reference service alone (src-service/README.md).
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { ensureInstalled, node24, root } from './setup.mjs'

ensureInstalled()

const child = spawn(node24(), [path.join(root, 'src-service', 'main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})

// Ctrl-C reaches the whole process group; a signal to this process alone is passed on. It ends with the child.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(`The service could not be started: ${error.message}`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => (process.exitCode = signal ? 1 : (code ?? 1)))

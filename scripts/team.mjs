// npm run team: a team of three on one machine, to be tried out: PostgreSQL, the reference service and three consoles.
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { readFlags, usage } from './team/flags.mjs'

// Checked before anything is installed, as npm start does.
const flags = readFlags(process.argv.slice(2))
if ('error' in flags) {
  console.error(flags.error)
  process.exit(2)
}
if (flags.help) {
  console.log(usage())
  process.exit(0)
}

const { ensureInstalled, exitWithError, node24, root } = await import('./setup.mjs')
ensureInstalled()
const { build } = await import('./build/build.mjs')
try {
  await build({ names: ['renderer', 'web', 'thread', 'answers'] })
} catch (error) {
  exitWithError(`Muster could not be built: ${error instanceof Error ? error.message : String(error)}`)
}
const program = [path.join(root, 'scripts', 'team', 'run.mjs'), JSON.stringify(flags)]
const child = spawn(node24(), ['--disable-warning=ExperimentalWarning', ...program], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})

// Ctrl-C reaches the whole process group; a signal to this process alone is passed on. It ends with the child.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(`The team could not be started: ${error.message}`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => (process.exitCode = signal ? 1 : (code ?? 1)))

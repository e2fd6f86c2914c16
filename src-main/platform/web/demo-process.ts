import { spawn } from 'node:child_process'
import type { DemoProcess } from '../shared/demo.ts'

/**
 * Starts the reference service (`entry`: `out/service/main.js`, or its source) as a child of this process.
 * `--with-parent`: it ends when its stdin closes, so that it never outlives a killed console. It has its own process
 * group, otherwise Ctrl-C would end it before the console has closed its connections.
 */
export function launchDemo(entry: string, args: string[]): DemoProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, '--with-parent', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    onExit: (listener) => {
      child.once('exit', listener)
      child.once('error', () => listener(null))
    },
    kill: (force) => void child.kill(force ? 'SIGKILL' : 'SIGTERM'),
  }
}

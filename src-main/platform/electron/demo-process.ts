import type { utilityProcess } from 'electron'
import type { DemoProcess } from '../shared/demo.ts'

/** What of Electron starts a process of its own. */
export type Forks = Pick<typeof utilityProcess, 'fork'>

/**
 * The reference service (`entry`: `out/service/main.js`) as a process of Electron's, which ends with it by itself. It
 * has no input, and no way to be killed harder than it is asked to end: Electron sees to that.
 */
export function forkDemo(forks: Forks, entry: string, args: string[]): DemoProcess {
  const child = forks.fork(entry, args, { stdio: ['ignore', 'pipe', 'pipe'], serviceName: 'Muster demo service' })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The demo service has no output.')
  return {
    stdout,
    stderr,
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill(),
  }
}

import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'

export interface OtherShell {
  /**
   * Starts it, or finds it running. Resolves with its address for a browser, valid for one visit. Rejects with `input`
   * and the reason.
   */
  start(): Promise<string>
  /** Ends the started processes. */
  stop(): void
}

interface Options {
  /** This shell's own entry. */
  entry: string
  /** Flags that start the other kind: one's own connections, or the demo. */
  flags: readonly string[]
  clock: Pick<Clock, 'after'>
  /** Called with each line of its standard error; its address is not among them. */
  onLine: (line: string) => void
}

const startsWithinMs = 30_000

/**
 * Starts a second Muster beside this one, for the same browser. It ends with this one, because nothing else could end
 * it.
 */
export function openOtherShell({ entry, flags, clock, onLine }: Options): OtherShell {
  const running = new Set<() => void>()
  return {
    start: () =>
      new Promise((resolve, reject) => {
        // Closing the channel ends it, also when this process is killed.
        const child = spawn(process.execPath, [...process.execArgv, entry, '--no-open', ...flags], {
          stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
          detached: process.platform !== 'win32',
          windowsHide: true,
        })
        const end = () => child.connected && child.disconnect()
        running.add(end)
        let last = 'It ended at once.'
        const fail = (why: string) => reject(new FaultError('input', `Muster could not be started: ${why}`))
        const late = clock.after(startsWithinMs, () => {
          end()
          fail(`it was not there after ${startsWithinMs / 1000} s.`)
        })
        eachLine(child.stdout, (line) => {
          const url = /^Muster is at (\S+)$/u.exec(line)?.[1]
          if (url === undefined) return onLine(line)
          late()
          resolve(url)
        })
        eachLine(child.stderr, (line) => {
          last = line
          onLine(line)
        })
        child.on('error', (error) => fail('code' in error ? String(error.code) : error.name))
        // Its last output is read first.
        child.on('close', () => {
          late()
          running.delete(end)
          fail(last)
        })
      }),
    stop: () => running.forEach((end) => end()),
  }
}

function eachLine(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream !== null) createInterface(stream).on('line', onLine)
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { clockAt, type Pace } from '../../bench/pacing/accelerated.ts'
import type { CallName } from '../../src-shared/contract/contract.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import { createLeftovers, openConsole, type Console, type Leftovers } from './fleet.ts'

/** A core in a process of its own, for tests that kill it in the middle of its work. */
export interface ConsoleProcess extends Pick<Console, 'call'> {
  pid: number
  /** No goodbye: SIGKILL. Resolves when the process is gone; calls without an answer stay open. */
  kill(): Promise<void>
}

interface Order {
  profile: string
  pace: Pace
}
interface Asked {
  id: number
  name: CallName
  input: unknown
}
type Answered = { id: number; value?: unknown; fault?: Fault }

/**
 * Starts a core on this profile, by a clock that all processes of this pace share; default: the machine's. Secrets go by
 * message alone.
 */
export async function forkConsole(
  leftovers: Leftovers,
  profile: string,
  pace: Pace = { factor: 1, start: Date.now() },
): Promise<ConsoleProcess> {
  const child = fork(fileURLToPath(import.meta.url), ['--console'], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  leftovers.push(kill)
  const waiting = new Map<number, (answered: Answered) => void>()
  let calls = 0
  child.send({ profile, pace } satisfies Order)
  await Promise.race([
    once(child, 'message'),
    gone.then(() => Promise.reject(new Error('the core ended before it was ready'))),
  ])
  child.on('message', (answered: Answered) => {
    waiting.get(answered.id)?.(answered)
    waiting.delete(answered.id)
  })
  return {
    pid: child.pid ?? 0,
    kill,
    call: (name, input) =>
      new Promise((resolve, reject) => {
        calls += 1
        waiting.set(calls, ({ value, fault }) =>
          fault === undefined ? resolve(value as never) : reject(new FaultError(fault.kind, fault.detail)),
        )
        // One that is being killed takes no more calls.
        if (child.connected) child.send({ id: calls, name, input } satisfies Asked, () => {})
      }),
  }
}

async function run({ profile, pace }: Order): Promise<void> {
  const { call } = await openConsole(createLeftovers(), profile, { clock: clockAt(pace) })
  process.on('message', ({ id, name, input }: Asked) => {
    call(name, input as never).then(
      (value: unknown) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, fault: toFault(error) }),
    )
  })
  process.send?.('ready')
}

if (process.argv[2] === '--console') {
  process.once('message', (order) => void run(order as Order))
  process.once('disconnect', () => process.exit(0))
}

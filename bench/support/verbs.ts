import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * The functions of a benchmark's process, by name. Inputs and outputs are messages, so that none is an argument that
 * others can read.
 */
export type Verbs = Record<string, (...args: never[]) => unknown>

/** The calling side: each verb resolves with its result, and rejects with its error. */
export interface Forked<V extends Verbs> {
  ask<N extends keyof V & string>(verb: N, ...args: Parameters<V[N]>): Promise<Awaited<ReturnType<V[N]>>>
  /** Continues a process that has stopped itself. */
  wake(): void
  stop(): Promise<void>
}

interface Asked {
  id: number
  verb: string
  args: never[]
}
interface Answered {
  id: number
  value?: unknown
  error?: string
}

/** Starts the module, which calls `serveVerbs`, in a process of its own with an exposed garbage collector. */
export function forkVerbs<V extends Verbs>(moduleUrl: string): Forked<V> {
  const child = fork(fileURLToPath(moduleUrl), ['--child'], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--expose-gc'],
    serialization: 'advanced',
  })
  const waiting = new Map<number, (answered: Answered) => void>()
  let last = 0
  child.on('message', (answered: Answered) => {
    waiting.get(answered.id)?.(answered)
    waiting.delete(answered.id)
  })
  child.on('exit', (code, signal) => {
    for (const [id, answer] of waiting) answer({ id, error: `the process ended (${code ?? signal})` })
  })
  return {
    ask: (verb, ...args) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, ({ value, error }) =>
          error === undefined ? resolve(value as never) : reject(new Error(`${verb}: ${error}`)),
        )
        child.send({ id: last, verb, args } satisfies Asked)
      }),
    wake: () => void child.kill('SIGCONT'),
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Serves the verbs in the forked process, and ends with its parent. Does nothing elsewhere. */
export function serveVerbs<V extends Verbs>(verbs: V): void {
  if (process.argv[2] !== '--child') return
  process.on('disconnect', () => process.exit(0))
  process.on('message', ({ id, verb, args }: Asked) => {
    Promise.resolve()
      .then(() => verbs[verb]?.(...args))
      .then(
        (value) => process.send?.({ id, value }),
        (thrown: unknown) => process.send?.({ id, error: String(thrown) }),
      )
  })
}

/** Returns the present moment of the machine's monotonic clock, ms: the same in all processes. */
export const moment = (): number => Number(process.hrtime.bigint()) / 1e6

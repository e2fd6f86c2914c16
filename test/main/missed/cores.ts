import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Plays so many seeds over all cores, each in a process of this script with a first seed, an end and a stride. `take` gets their messages; the signal ends them early. */
export async function overCores<Said>(
  script: URL,
  first: number,
  count: number,
  take: (said: Said) => void,
  signal?: AbortSignal,
): Promise<void> {
  const processes = Math.min(availableParallelism(), Math.max(1, count))
  await Promise.all(
    Array.from({ length: processes }, (_, at) => one(script, [first + at, first + count, processes], take, signal)),
  )
}

async function one<Said>(
  script: URL,
  seeds: readonly [first: number, before: number, stride: number],
  take: (said: Said) => void,
  signal?: AbortSignal,
): Promise<void> {
  const child = fork(fileURLToPath(script), seeds.map(String), { execArgv: ['--max-semi-space-size=32'] })
  const end = () => void child.kill()
  signal?.addEventListener('abort', end, { once: true })
  child.on('message', take)
  const [code] = (await once(child, 'exit')) as [number | null]
  signal?.removeEventListener('abort', end)
  if (code !== 0 && signal?.aborted !== true)
    throw new Error(`the process of the seeds from ${seeds[0]} ended with ${code}`)
}

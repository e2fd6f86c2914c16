import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Said } from './many.ts'
import type { Sums } from './story.ts'

export interface Played {
  seeds: number
  sums: Sums
  wrong: { seed: number; wrong: string[]; steps: string[] }[]
}

/** Plays so many seeds over all cores. `onPlayed` hears after each; the signal ends it early, with what was played by then. */
export async function playMany(first: number, count: number, onPlayed: (played: Played) => void = () => {}, signal?: AbortSignal): Promise<Played> {
  const played: Played = { seeds: 0, sums: { changes: 0, entries: 0, live: 0, lives: 0 }, wrong: [] }
  const take = (said: Said) => {
    if ('seed' in said) return void played.wrong.push(said)
    played.seeds += said.played
    for (const name of Object.keys(played.sums) as (keyof Sums)[]) played.sums[name] += said.sums[name]
    onPlayed(played)
  }
  const processes = Math.min(availableParallelism(), Math.max(1, count))
  await Promise.all(Array.from({ length: processes }, (_, at) => one(first + at, first + count, processes, take, signal)))
  played.wrong.sort((a, b) => a.seed - b.seed)
  return played
}

async function one(first: number, before: number, stride: number, take: (said: Said) => void, signal?: AbortSignal): Promise<void> {
  const child = fork(fileURLToPath(new URL('many.ts', import.meta.url)), [first, before, stride].map(String), { execArgv: ['--max-semi-space-size=32'] })
  const end = () => void child.kill()
  signal?.addEventListener('abort', end, { once: true })
  child.on('message', take)
  const [code] = (await once(child, 'exit')) as [number | null]
  signal?.removeEventListener('abort', end)
  if (code !== 0 && signal?.aborted !== true) throw new Error(`the process of the seeds from ${first} ended with ${code}`)
}

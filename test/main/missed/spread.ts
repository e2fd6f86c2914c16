import { overCores } from './cores.ts'
import type { Said } from './many.ts'
import type { Sums } from './story.ts'

export interface Played {
  seeds: number
  sums: Sums
  wrong: { seed: number; wrong: string[]; steps: string[] }[]
}

/** Plays so many seeds over all cores. Calls `onPlayed` after each; the signal ends it early, with the results until then. */
export async function playMany(
  first: number,
  count: number,
  onPlayed: (played: Played) => void = () => {},
  signal?: AbortSignal,
): Promise<Played> {
  const played: Played = { seeds: 0, sums: { changes: 0, entries: 0, live: 0, lives: 0 }, wrong: [] }
  const take = (said: Said) => {
    if ('seed' in said) return void played.wrong.push(said)
    played.seeds += said.played
    for (const name of Object.keys(played.sums) as (keyof Sums)[]) played.sums[name] += said.sums[name]
    onPlayed(played)
  }
  await overCores(new URL('many.ts', import.meta.url), first, count, take, signal)
  played.wrong.sort((a, b) => a.seed - b.seed)
  return played
}

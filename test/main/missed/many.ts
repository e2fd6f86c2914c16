import process from 'node:process'
import { template } from './disk.ts'
import { play, type Sums } from './story.ts'

/** The messages of a process of seeds: at each step, and at each seed that failed. */
export type Said = { played: number; sums: Sums } | { seed: number; wrong: string[]; steps: string[] }

/** Plays seeds in a process of its own, from `first` on, each `stride`-th, up to `before`; reports by message. */
async function many(first: number, before: number, stride: number): Promise<void> {
  const empty = template()
  const say = (said: Said) =>
    new Promise<void>((resolve) => {
      process.send?.(said, () => resolve())
    })
  for (let seed = first; seed < before; seed += stride) {
    const { wrong, steps, sums } = await play(seed, empty.profile).catch((error: unknown) => ({
      wrong: [String(error instanceof Error ? error.stack : error)],
      steps: [],
      sums: null,
    }))
    if (wrong.length > 0) await say({ seed, wrong, steps })
    if (sums !== null) await say({ played: 1, sums })
  }
  empty.remove()
}

const [first = 0, before = 0, stride = 1] = process.argv.slice(2).map(Number)
await many(first, before, stride)
process.disconnect()

import process from 'node:process'
import { template } from '../missed/disk.ts'
import { answersOf } from './drawn.ts'
import { play, type Played } from './play.ts'

/** Runs the services of these seeds in a process of its own, from `first` on, each `stride`-th, up to `before`; reports by message. */
async function many(first: number, before: number, stride: number): Promise<void> {
  const empty = template()
  const say = (played: Played) =>
    new Promise<void>((resolve) => {
      process.send?.(played, () => resolve())
    })
  for (let seed = first; seed < before; seed += stride) {
    await say(
      await play(seed, empty.profile, answersOf(seed)).catch((error: unknown): Played => ({
        seed,
        odd: {},
        wrong: [String(error instanceof Error ? error.stack : error)],
        said: [],
        isWhole: false,
      })),
    )
  }
  empty.remove()
}

const [first = 0, before = 0, stride = 1] = process.argv.slice(2).map(Number)
await many(first, before, stride)
process.exit()

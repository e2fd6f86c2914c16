import { expect, test } from 'vitest'
import { wrongIn } from './oracle.ts'
import { storyOf } from './story.ts'

const seeds = Number(process.env['STATEMENTS_RUNS'] ?? 120)
const first = Number(process.env['STATEMENTS_FIRST'] ?? 0)

test(
  `in ${seeds} stories from ${first} on each statement is true, and each outage is notified`,
  async () => {
    const wrong: { seed: number; wrong: string[] }[] = []
    for (let seed = first; seed < first + seeds; seed += 1) {
      const found = await wrongIn(storyOf(seed))
      if (found.length > 0) wrong.push({ seed, wrong: found.slice(0, 3) })
    }
    expect(wrong).toEqual([])
  },
  60_000 + seeds * 1_000,
)

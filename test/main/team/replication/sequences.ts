import * as fc from 'fast-check'
import { kinds, play, type Step } from './play.ts'

/** Sequences of `npm test`. */
export const usualRuns = 1_000

const step: fc.Arbitrary<Step> = fc.record({
  waitMs: fc.integer({ min: 0, max: 3000 }),
  kind: fc.constantFrom(...kinds),
  member: fc.nat(2),
  ms: fc.integer({ min: 50, max: 9000 }),
})

/** What all sequences together did. */
export interface Sums {
  rows: number
  terms: number
  failovers: number
}

/** Plays random sequences. Rejects with the shortest one that is wrong that was found, and its seed. */
export async function playSequences(runs: number, seed: number): Promise<Sums> {
  const sums: Sums = { rows: 0, terms: 0, failovers: 0 }
  const sequences = fc.asyncProperty(
    fc.integer(),
    fc.array(step, { minLength: 1, maxLength: 16 }),
    async (seed, steps) => {
      const { wrong, rows, terms, lost } = await play(seed, steps)
      sums.rows += rows
      sums.terms += terms
      sums.failovers += lost
      if (wrong.length > 0)
        throw new Error(
          wrong
            .slice(0, 5)
            .map((text) => text.slice(0, 1000))
            .join('\n'),
        )
    },
  )
  await fc.assert(sequences, { numRuns: runs, seed })
  return sums
}

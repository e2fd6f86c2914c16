import { expect, test } from 'vitest'
import { playSequences, usualRuns } from './sequences.ts'

const runs = Number(process.env['TEAM_RUNS'] ?? usualRuns)
const seed = Number(process.env['TEAM_SEED'] ?? 1)

test(
  `in ${runs} sequences of cuts no row is lost, doubled or mixed; seed ${seed}`,
  async () => {
    const { rows, terms, failovers } = await playSequences(runs, seed)
    // Sequences in which nothing happens would go well too.
    expect(rows).toBeGreaterThan(runs * 20)
    expect(terms).toBeGreaterThan(runs * 1.5)
    expect(failovers).toBeGreaterThan(runs * 0.3)
  },
  Math.max(120_000, runs * 60),
)

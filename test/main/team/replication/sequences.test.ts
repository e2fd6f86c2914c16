import { expect, test } from 'vitest'
import { play, type Step } from './play.ts'
import { playSequences, usualRuns } from './sequences.ts'

const runs = Number(process.env['TEAM_RUNS'] ?? usualRuns)
const seed = Number(process.env['TEAM_SEED'] ?? 1)

test(
  `in ${runs} sequences of cuts no row is lost, doubled or mixed; seed ${seed}`,
  async () => {
    const { rows, terms, failovers } = await playSequences(runs, seed)
    // Sequences in which nothing happens would go well too.
    expect(rows).toBeGreaterThan(runs * 20)
    // Of both leases.
    expect(terms).toBeGreaterThan(runs * 3)
    expect(failovers).toBeGreaterThan(runs * 0.3)
  },
  Math.max(120_000, runs * 60),
)

test('a row that is written again at its former number, after a failover, is another row', async () => {
  const steps: Step[] = [
    { waitMs: 791, kind: 'before', member: 2, ms: 50 },
    { waitMs: 186, kind: 'freeze', member: 0, ms: 2744 },
    { waitMs: 2169, kind: 'after', member: 0, ms: 50 },
    { waitMs: 649, kind: 'failover', member: 0, ms: 8241 },
    { waitMs: 0, kind: 'burst', member: 0, ms: 50 },
  ]
  expect((await play(742894465, steps)).wrong).toEqual([])
})

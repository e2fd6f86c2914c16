import { expect, test } from 'vitest'
import { playMany } from './spread.ts'
import { firstBlocked } from './story.ts'

const seeds = Number(process.env['MISSED_RUNS'] ?? 2_000)
const first = Number(process.env['MISSED_FIRST'] ?? 0)

test(`in ${seeds} random runs from socket to journal no change is missed or entered twice`, async () => {
  const { wrong, sums, seeds: played } = await playMany(first, seeds)
  expect(wrong.map(({ seed, wrong: words }) => ({ seed, wrong: words }))).toEqual([])
  expect(played).toBe(seeds)
  // Stories in which nothing happens would go well too.
  expect(sums.lives).toBeGreaterThan(seeds * 1.2)
  expect(sums.live).toBeGreaterThan(seeds * 0.5)
  expect(sums.entries - sums.live).toBeGreaterThan(seeds * 0.5)
}, 600_000)

test(`in ${Math.ceil(seeds / 4)} runs with blocked sockets polling misses no change`, async () => {
  const { wrong, sums, seeds: played } = await playMany(firstBlocked + first, Math.ceil(seeds / 4))
  expect(wrong.map(({ seed, wrong: words }) => ({ seed, wrong: words }))).toEqual([])
  expect(played).toBe(Math.ceil(seeds / 4))
  expect(sums.entries - sums.live).toBeGreaterThan(seeds * 0.25)
}, 600_000)

/**
 * Their defects: a span that began too late after a rejected page or rejected events, an event taken for the repeat of
 * another connection, an end that never came, events of both sockets during a takeover, a reconciliation before the
 * listing, and an event from before a sleep that revealed the sleep. In 23535 and 28884 the oracle was wrong: it took a
 * page for stored that was lost with the console, and one for the first state of a device that no page had listed.
 */
test.for([7079, 9759, 10611, 11384, 12839, 21497, 23535, 28884, 31212, 43511, 100198])(
  'seed %i, in which a change was missed once',
  { timeout: 60_000 },
  async (seed) => {
    expect((await playMany(seed, 1)).wrong).toEqual([])
  },
)

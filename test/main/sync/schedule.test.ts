import { expect, test } from 'vitest'
import { createSchedule } from '../../../src-main/sync/reader/schedule.ts'
import { manualClock } from '../../support/clock.ts'
import { minute } from './bed.ts'

/** A schedule with half an hour between full syncs, what it requests, and the waits (ms) that it sets. */
function scheduled() {
  const clock = manualClock()
  const requested: string[] = []
  const waits: number[] = []
  const schedule = createSchedule({
    clock: {
      monotonic: clock.monotonic,
      after(ms, run) {
        waits.push(ms)
        return clock.after(ms, run)
      },
    },
    random: () => 0.5,
    refreshMs: () => 30 * minute,
    requests: { add: (kind) => void requested.push(kind) },
  })
  return { clock, schedule, requested, waits }
}

test('a full sync that is due earlier is moved forward, and one that is due later moves nothing', async () => {
  const { clock, schedule, requested } = scheduled()
  await clock.advance(20 * minute)
  schedule.planFull(20 * minute)
  schedule.planFullBy(10 * minute)
  schedule.planFullBy(15 * minute)
  await clock.advance(20 * minute - 1)
  expect(requested).toEqual([])
  await clock.advance(1)
  expect(requested).toEqual(['full'])
  await clock.advance(60 * minute)
  expect(requested).toEqual(['full'])
})

test('a full sync is planned for what another connection read, where none was planned', async () => {
  const { clock, schedule, requested } = scheduled()
  schedule.planFullBy(-10 * minute)
  await clock.advance(20 * minute)
  expect(requested).toEqual(['full'])
})

test('the wait for a catch-up grows with each, and begins anew once nothing is behind', () => {
  const { schedule, waits } = scheduled()
  for (let left = 3; left > 0; left -= 1) schedule.planCatchUp(false)
  schedule.caughtUp()
  schedule.planCatchUp(false)
  const [first = 0, second = 0, third = 0, anew] = waits
  expect([second > first, third > second, anew]).toEqual([true, true, first])
})

import { expect, test } from 'vitest'
import { startPruning } from '../../../src-main/incidents/stored/prune.ts'
import { watchClockSkew } from '../../../src-main/sync/health/clock-skew.ts'
import { manualClock } from '../../support/clock.ts'

const day = 24 * 3600_000

/** A journal with so many old rows, that goes as the real one does: 128 at a time. */
function pruned(old: number, rows: number, clockAgrees: () => boolean) {
  const clock = manualClock()
  const log: string[] = []
  const left = { old, rows }
  const data = {
    async prune() {
      const gone = Math.min(128, left.old)
      left.old -= gone
      left.rows -= gone
      return { deleted: gone, rows: left.rows }
    },
  }
  const stop = startPruning({ data, clock, log: (_level, text) => void log.push(text), clockAgrees })
  return { clock, log, left, stop }
}

test("nothing is pruned before a service's time agrees, and that is logged once", async () => {
  let agrees = false
  const { clock, log, left } = pruned(508, 508, () => agrees)
  await clock.advance(2 * day)
  expect(left.old).toBe(508)
  expect(log).toEqual(['the journal is not pruned until a service’s time agrees with this computer’s'])
  agrees = true
  await clock.advance(120_000)
  expect(left.old).toBe(508 - 128)
})

test('a run removes a tenth of the journal at most, and each logs its count', async () => {
  const { clock, log, left } = pruned(5000, 20_000, () => true)
  await clock.advance(60_000)
  expect(left.old).toBe(5000 - 16 * 128)
  expect(log).toEqual([
    '2048 entries older than 400 days were deleted from the journal; this is the daily maximum, the others follow',
  ])
  await clock.advance(3 * day)
  expect(left.old).toBe(0)
  expect(log).toHaveLength(3)
})

test('a run that finds nothing logs nothing', async () => {
  const { clock, log, stop } = pruned(0, 900, () => true)
  await clock.advance(3 * day)
  expect(log).toEqual([])
  stop()
  expect(clock.pending()).toBe(0)
})

test("the clock agrees only with a service's time that was observed after it was set", () => {
  const clock = manualClock()
  const skew = watchClockSkew(clock, () => {})
  expect(skew.agrees()).toBe(false)
  skew.observe(new Date(clock.now()).toUTCString())
  expect(skew.agrees()).toBe(true)
  clock.jump(730 * day)
  expect(skew.agrees()).toBe(false)
  skew.observe(new Date(clock.now() - 730 * day).toUTCString())
  expect(skew.agrees()).toBe(false)
  clock.jump(-730 * day)
  skew.observe(new Date(clock.now()).toUTCString())
  expect(skew.agrees()).toBe(true)
})

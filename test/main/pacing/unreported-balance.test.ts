import { expect, test } from 'vitest'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { createUnreportedBalance } from '../../../src-main/pacing/balance/unreported-balance.ts'
import { devicesOperation } from '../../../src-main/api/operations.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

const nothing = { source: null, cost: null, limit: null, remaining: null, resetIn: null }

/** Reads pages for so long from a service that reports no balance, charges `cost` for each and has 100,000 points in a rate window. Returns the charges and rejections of each rate window. */
async function read({ cost, ms, latency = 100 }: { cost: number; ms: number; latency?: number }) {
  const clock = manualClock()
  const windows: number[] = []
  let rejections = 0
  const pacer = startPacer({
    clock,
    random: () => 0.5,
    policy: () => ({ reservePercent: 10, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  const begun = clock.monotonic()
  const windowNow = () => Math.floor((clock.monotonic() - begun) / 60_000)
  const send = async () => {
    await new Promise<void>((resolve) => {
      clock.after(latency, resolve)
    })
    const used = windows[windowNow()] ?? 0
    if (used + cost > 100_000) {
      rejections += 1
      return { report: nothing, result: { error: new FaultError('exhausted') } }
    }
    windows[windowNow()] = used + cost
    return { report: nothing, result: { value: null } }
  }
  const stopping = new AbortController()
  const reader = async () => {
    while (!stopping.signal.aborted)
      await pacer
        .run({
          name: 'Devices',
          shape: devicesOperation.shape,
          lane: 'background',
          size: 100,
          signal: stopping.signal,
          send,
        })
        .catch(() => null)
  }
  const readers = [reader(), reader(), reader(), reader()]
  for (let past = 0; past < ms; past += latency) {
    await clock.advance(latency)
    await settle()
  }
  stopping.abort()
  await Promise.all(readers)
  pacer.stop()
  return { windows, rejections }
}

test.each([200, 850, 1_900, 9_000])(
  'at least half of the documented points are used within two minutes when a page costs %i',
  async (cost) => {
    const { windows, rejections } = await read({ cost, ms: 120_000 })
    expect(Math.max(...windows)).toBeGreaterThanOrEqual(50_000)
    expect(rejections).toBeLessThan(20)
  },
)

test('a rejection halves the limit once for all open operations, and ends the rate window', () => {
  const silence = createUnreportedBalance()
  expect(silence.remaining(100_000)).toBe(100_000)
  for (let page = 0; page < 10; page += 1) silence.answered(5_000)
  expect(silence.scale(100_000)).toBe(0.5)
  expect(silence.remaining(100_000)).toBe(75_000)
  silence.rejected(10, 20)
  silence.rejected(11, 21)
  expect([silence.scale(100_000), silence.remaining(100_000)]).toEqual([1, 0])
  silence.startWindow()
  expect(silence.remaining(100_000)).toBe(100_000)
})

test('after the first rejection each answer adds a tenth, and one operation goes at a time', () => {
  const silence = createUnreportedBalance()
  for (let page = 0; page < 15; page += 1) silence.answered(1_000)
  expect(silence.parallel()).toBe(4)
  silence.rejected(0, 1)
  expect(silence.parallel()).toBe(1)
  const before = 100_000 / silence.scale(100_000) / 2
  silence.answered(1_000)
  expect(100_000 / silence.scale(100_000) / 2 - before).toBeCloseTo(100)
})

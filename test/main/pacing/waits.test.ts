import { expect, test } from 'vitest'
import { startPacer, type Sent } from '../../../src-main/pacing/pacer.ts'
import { createWaits } from '../../../src-main/pacing/waits.ts'
import { manualClock, settle } from '../../support/clock.ts'

test('waiting times are kept by lane, for the last requests', () => {
  const waits = createWaits()
  expect(waits.metrics()).toEqual([])
  for (const ms of [30, 10, 20]) waits.note('background', ms)
  waits.note('person', 1)
  expect(waits.metrics()).toEqual([
    { lane: 'person', count: 1, p50: 1, max: 1 },
    { lane: 'background', count: 3, p50: 20, max: 30 },
  ])
  for (let startWindow = 0; startWindow < 250; startWindow += 1) waits.note('background', 5)
  expect(waits.metrics()[1]).toEqual({ lane: 'background', count: 200, p50: 5, max: 5 })
})

test('waiting times are listed for waiting requests and for sent ones', async () => {
  const clock = manualClock()
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  const answer = (cost: number, remaining: number, resetIn: number): Sent<string> => ({
    report: { source: 'headers', cost, limit: 100_000, remaining, resetIn },
    result: { value: 'ok' },
  })
  const ask = (sent: Sent<string>) =>
    pacer.run({
      name: 'Devices',
      lane: 'background',
      size: 400,
      signal: new AbortController().signal,
      shape: { key: 'Devices', once: 0, each: 10_000 },
      send: async () => sent,
    })
  await ask(answer(9_000, 5_000, 40_000))
  const waiting = ask(answer(9_000, 91_000, 60_000))
  await settle()
  expect(pacer.waits()).toEqual({ oldest: 0, waited: [{ lane: 'background', count: 1, p50: 0, max: 0 }] })
  await clock.advance(30_000)
  expect(pacer.waits().oldest).toBe(30_000)
  await clock.advance(15_000)
  await waiting
  const { oldest, waited } = pacer.waits()
  expect(oldest).toBeNull()
  expect(waited).toMatchObject([{ lane: 'background', count: 2, p50: 0 }])
  expect(waited[0]?.max).toBeGreaterThan(35_000)
  pacer.stop()
})

import { expect, test } from 'vitest'
import { detectSleep } from '../../../src-main/live/transport/sleep-detection.ts'
import { manualClock } from '../../support/clock.ts'

test('time that passes is not lost, and a busy computer loses none', async () => {
  const clock = manualClock()
  const lost: number[] = []
  const watch = detectSleep(clock, (ms) => lost.push(ms))
  await clock.advance(3_600_000)
  clock.jump(14_000)
  await clock.advance(60_000)
  expect(lost).toEqual([])
  watch.stop()
  expect(clock.pending()).toBe(0)
})

test.each([3_600_000, -3_600_000, 15_000])('a clock that jumps by %i ms is reported once', async (ms) => {
  const clock = manualClock()
  const lost: number[] = []
  detectSleep(clock, (by) => lost.push(by))
  await clock.advance(7_000)
  clock.jump(ms)
  await clock.advance(60_000)
  expect(lost).toEqual([ms])
})

test('where sleep counts for both clocks, a timer that is very late reports it', () => {
  let [time, due] = [0, () => {}]
  const clock = {
    now: () => time,
    monotonic: () => time,
    after: (_ms: number, run: () => void) => ((due = run), () => {}),
  }
  const lost: number[] = []
  detectSleep(clock, (by) => lost.push(by))
  time += 60_000
  due()
  expect(lost).toEqual([])
  time += 3_600_000
  due()
  expect(lost).toEqual([3_595_000])
})

test('a check on an arriving message finds lost time before the timer, once', async () => {
  const clock = manualClock()
  const lost: number[] = []
  const watch = detectSleep(clock, (by) => lost.push(by))
  await clock.advance(2_000)
  expect(watch.check()).toBe(false)
  clock.jump(3_600_000)
  expect(watch.check()).toBe(true)
  expect(watch.check()).toBe(false)
  await clock.advance(60_000)
  expect(lost).toEqual([3_600_000])
})

test('a reported sleep is lost time once, however short; a wake-up only checks', async () => {
  const clock = manualClock()
  const lost: [number, number][] = []
  const watch = detectSleep(clock, (ms, lastGoodAt) => lost.push([ms, lastGoodAt]))
  await clock.advance(7_000)
  watch.wakes()
  expect(lost).toEqual([])
  const before = clock.now()
  watch.sleeps()
  clock.jump(3_000)
  // Timers run before the word comes.
  await clock.advance(6_000)
  watch.wakes()
  watch.wakes()
  await clock.advance(20_000)
  expect(lost).toEqual([[9_000, before]])
  const subscribeAgain = clock.now()
  watch.sleeps()
  clock.jump(600_000)
  // A timer found it out before the system said a word.
  await clock.advance(5_000)
  watch.wakes()
  expect(lost.slice(1)).toEqual([[600_000, subscribeAgain]])
  clock.jump(60_000)
  watch.wakes()
  expect(lost.slice(2)).toEqual([[60_000, expect.any(Number)]])
  watch.stop()
  expect(clock.pending()).toBe(0)
})

import { expect, test } from 'vitest'
import type { NewRow } from '../../../../src-main/query/subscriptions/event-log.ts'
import { createIntake } from '../../../../src-main/query/subscriptions/intake.ts'
import { createRate } from '../../../../src-main/query/subscriptions/rate.ts'
import { manualClock, settle } from '../../../support/clock.ts'

const event = (text: string): NewRow => ({ at: 0, gapSince: null, text, hasErrors: false })

test('one batch is on its way at a time, and what waits meanwhile is bounded', async () => {
  const clock = manualClock()
  const batches: string[][] = []
  const added: { last: number; dropped: number }[] = []
  let release = () => {}
  const intake = createIntake({
    clock,
    limits: { rows: 3, characters: 1_000 },
    add: (rows) => {
      batches.push(rows.map(({ text }) => text))
      return new Promise((resolve) => {
        release = () => resolve({ last: 9, dropped: 0 })
      })
    },
    onAdded: (each) => added.push(each),
  })
  intake.take(event('1'))
  intake.take(event('2'))
  await clock.advance(50)
  await settle()
  for (const text of ['3', '4', '5', '6', '7']) intake.take(event(text))
  await clock.advance(1_000)
  await settle()
  expect(batches).toEqual([['1', '2']])
  release()
  await settle()
  await clock.advance(50)
  await settle()
  expect(batches).toEqual([
    ['1', '2'],
    ['5', '6', '7'],
  ])
  release()
  await intake.settled()
  expect(added).toEqual([
    { last: 9, dropped: 0 },
    { last: 9, dropped: 2 },
  ])
})

test('events that cannot be kept are counted, and later ones come', async () => {
  const clock = manualClock()
  const added: { last: number; dropped: number }[] = []
  const intake = createIntake({
    clock,
    add: () => Promise.reject(new Error('gone')),
    onAdded: (each) => added.push(each),
  })
  intake.take(event('1'))
  await clock.advance(50)
  await intake.settled()
  expect(added).toEqual([{ last: 0, dropped: 1 }])
})

test('the rate is that of the last five seconds, and told until it is none', async () => {
  const clock = manualClock()
  let changes = 0
  const rate = createRate(clock, () => (changes += 1))
  for (let count = 0; count < 10; count += 1) rate.count()
  expect(rate.perSecond()).toBe(2)
  for (let second = 0; second < 10; second += 1) await clock.advance(1_000)
  expect([rate.perSecond(), changes]).toEqual([0, 5])
  rate.stop()
})

import { expect, test } from 'vitest'
import {
  byNeed,
  firstMinute,
  hourText,
  minuteMs,
  type SetHour,
  stackOf,
  topOf,
  usedByMinute,
} from '../../../src-renderer/overview/points/hour.ts'

const none = { person: 0, reconcile: 0, visible: 0, background: 0 }
const until = 100 * minuteMs + 5_000

const minuteAt = (index: number, more: Partial<SetHour['minutes'][number]> = {}) => ({
  at: index * minuteMs,
  burned: none,
  others: 0,
  rejected: 0,
  lowest: null,
  ...more,
})

const hourOf = (minutes: SetHour['minutes'], more: Partial<SetHour> = {}): SetHour => ({
  name: 'EU',
  connections: ['a'],
  limit: 100_000,
  from: 41 * minuteMs,
  until,
  minutes,
  activities: [],
  ...more,
})

test('a column is stacked by lanes, and other clients on top', () => {
  const minute = minuteAt(100, { burned: { ...none, background: 30, person: 10 }, others: 5 })
  expect(stackOf(minute)).toEqual([
    { party: 'person', from: 0, points: 10 },
    { party: 'background', from: 10, points: 30 },
    { party: 'others', from: 40, points: 5 },
  ])
})

test('the hour has sixty minutes that end with this one, and none before the record begins', () => {
  const hour = hourOf([minuteAt(100, { burned: { ...none, visible: 7 } })], { from: 98 * minuteMs + 1 })
  expect(firstMinute(hour)).toBe(41 * minuteMs)
  const used = usedByMinute(hour)
  expect(used).toHaveLength(60)
  expect(used.slice(-4)).toEqual([null, 0, 0, 7])
})

test('the scale shows little as little, and reaches above the limit where more was used', () => {
  const used = (points: number) => topOf(hourOf([minuteAt(100, { others: points })]))
  expect([used(0), used(10_000), used(10_001), used(60_000), used(130_000)]).toEqual([
    10_000, 10_000, 25_000, 100_000, 130_000,
  ])
})

test('the sum says the busiest minute, and what was rejected', () => {
  const quiet = minuteAt(70, { rejected: 2 })
  expect(hourText(hourOf([]), 'utc')).toBe('Nothing was used.')
  expect(hourText(hourOf([quiet]), 'utc')).toBe('Nothing was used; 2 queries were rejected.')
  const busy = [minuteAt(90, { burned: { ...none, background: 1_200 } }), minuteAt(91, { others: 300, rejected: 1 })]
  expect(hourText(hourOf(busy), 'utc')).toBe(
    '1,500 points used, at most 1,200 of 100,000 in one minute (01:30); 1 query was rejected.',
  )
})

test('the set with rejections comes first, then the one that came closest to its limit', () => {
  const sets = [
    hourOf([minuteAt(90, { others: 50_000 })], { name: 'half' }),
    hourOf([minuteAt(90, { others: 900 })], { name: 'most of little', limit: 1_000 }),
    hourOf([minuteAt(90, { rejected: 1 })], { name: 'rejected' }),
    hourOf([], { name: 'none', limit: 0 }),
  ]
  expect(byNeed(sets).map(({ name }) => name)).toEqual(['rejected', 'most of little', 'half', 'none'])
})

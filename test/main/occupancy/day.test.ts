import { expect, test } from 'vitest'
import { openOccupancyDay } from '../../../src-main/occupancy/day.ts'

const minute = 60_000
const quarter = 15 * minute
const begin = 1000 * 96 * quarter

test('a time that nobody looked at counts for nothing', () => {
  const day = openOccupancyDay()
  day.look(begin, { known: 4, inUse: 4 })
  day.look(begin + minute, { known: 4, inUse: 0 })
  // The computer slept for ten minutes.
  day.look(begin + 11 * minute, { known: 4, inUse: 2 })
  day.look(begin + 12 * minute, { known: 4, inUse: 2 })
  expect(day.read(begin + quarter - 1).inUse.at(-1)).toBe(3)
})

test('a time without a known room has no value, and a clock that is set back begins anew', () => {
  const day = openOccupancyDay()
  day.look(begin, { known: 0, inUse: 0 })
  day.look(begin + minute, { known: 0, inUse: 0 })
  expect(day.read(begin + minute).inUse.every((value) => value === null)).toBe(true)
  day.look(begin - quarter, { known: 1, inUse: 1 })
  day.look(begin - quarter + minute, { known: 1, inUse: 1 })
  expect(day.read(begin).inUse.slice(-2)).toEqual([1, null])
})

test('parts older than 24 hours are gone', () => {
  const day = openOccupancyDay()
  day.look(begin, { known: 1, inUse: 1 })
  day.look(begin + minute, { known: 1, inUse: 1 })
  const last = begin + 95 * quarter
  day.look(last, { known: 1, inUse: 0 })
  expect(day.read(last).inUse[0]).toBe(1)
  day.look(last + quarter, { known: 1, inUse: 0 })
  expect(day.read(last).inUse[0]).toBeNull()
})

import { expect, test } from 'vitest'
import { forecast, type Budget } from '../../../src-main/pacing/balance/forecast.ts'

const now = 1_790_000_000_000
const budget: Budget = { early: 70_000, late: 80_000, perWindow: 100_000, reserve: 10_000, resetAt: now + 40_000 }

test.each<[string, number, Partial<Budget>, { windows: number; in: number }]>([
  ['what is left will do', 60_000, {}, { windows: 0, in: 3_000 }],
  ['with the reserve, which comes free at the end', 75_000, {}, { windows: 0, in: 35_000 }],
  ['one more window', 100_000, {}, { windows: 1, in: 43_000 }],
  ['one more, all of it', 175_000, {}, { windows: 1, in: 40_000 + 55_000 }],
  ['several', 80_000 + 250_000, {}, { windows: 3, in: 40_000 + 120_000 + 3_000 }],
  [
    'nothing more in this one',
    50_000,
    { early: 0, late: 0, perWindow: 30_000 },
    { windows: 2, in: 40_000 + 60_000 + 3_000 },
  ],
  ['a reset that nobody has named', 175_000, { resetAt: null }, { windows: 1, in: 60_000 + 55_000 }],
  ['a reset that should have been', 100_000, { resetAt: now - 500 }, { windows: 1, in: 3_000 }],
])('%s', (_name, points, more, wanted) => {
  expect(forecast({ points, ms: 3_000 }, { ...budget, ...more }, now)).toEqual({
    points,
    windows: wanted.windows,
    doneAt: now + wanted.in,
  })
})

import { describe, expect, test } from 'vitest'
import {
  afterRejection,
  afterReport,
  readCostReport,
  afterReset,
  afterOperation,
  unknownBalance,
  windowMs,
  type Balance,
  type CostReport,
  type TimedCostReport,
} from '../../../src-main/pacing/balance/ledger.ts'

const wall = 1_790_000_000_000

/** An answer at `at`, 20 ms after it was asked for. */
function heard(
  at: number,
  remaining: number | null,
  resetSeconds: number | null,
  more: Partial<TimedCostReport> = {},
): TimedCostReport {
  return {
    source: 'headers',
    cost: 10,
    limit: 100_000,
    remaining,
    resetIn: resetSeconds === null ? null : resetSeconds * 1000,
    sentAt: at - 20,
    at,
    ...more,
  }
}

function after(...answers: TimedCostReport[]): Balance {
  return answers.reduce(afterReport, unknownBalance)
}

describe('the four headers', () => {
  const read = (headers: Record<string, string>): CostReport => readCostReport(new Headers(headers), wall)

  test('are read', () => {
    const headers = {
      'graphql-ratelimit-querycost': '19',
      'ratelimit-limit': '100000',
      'ratelimit-remaining': '99981',
      'ratelimit-reset': '42',
    }
    expect(read(headers)).toEqual({ source: 'headers', cost: 19, limit: 100_000, remaining: 99_981, resetIn: 42_000 })
  })

  test.each(['', 'soon', '-1', 'NaN'])('that are no number (%j) are ignored', (text) => {
    expect(read({ 'ratelimit-remaining': text }).remaining).toBeNull()
  })

  test('of a rate window of zero give no limit', () => {
    expect(read({ 'ratelimit-limit': '0', 'ratelimit-remaining': '0' })).toMatchObject({ limit: null, remaining: 0 })
  })

  test.each<[string, string, number | null]>([
    ['seconds', '30', 30_000],
    ['an epoch in seconds', String(wall / 1000 + 60), 60_000],
    ['an epoch in milliseconds', String(wall + 60_000), 60_000],
    ['an epoch of a clock that is behind ours', String(wall / 1000 - 3_600), null],
    ['an epoch of a clock that is ahead of ours', String(wall / 1000 + 3_600), null],
    ['seconds that no window has', '86400', null],
  ])('with a reset in %s', (_name, text, resetIn) => {
    expect(read({ 'ratelimit-reset': text }).resetIn).toBe(resetIn)
  })

  test('an epoch is compared with the clock of the service, however far that is from ours', () => {
    const theirs = wall + 7_200_000
    expect(read({ 'ratelimit-reset': String(theirs / 1000 + 25), date: new Date(theirs).toUTCString() }).resetIn).toBe(
      25_000,
    )
  })
})

describe('within a rate window', () => {
  test('the lowest remaining counts, however the answers arrive', () => {
    expect(
      after(heard(1_000, 90_000, 50), heard(1_500, 70_000, 50), heard(1_600, 80_000, 50, { sentAt: 900 })).remaining,
    ).toBe(70_000)
  })

  test('each answer makes the moment of the reset more exact, and none less', () => {
    const first = after(heard(1_000, 90_000, 50))
    expect(first.resetSpan).toEqual({ from: 980 + 48_000, until: 1_000 + 51_000 })
    const second = afterReport(first, heard(1_700, 89_000, 49))
    expect(second.resetSpan).toEqual({ from: 980 + 48_000, until: 1_700 + 50_000 })
  })

  test('a late answer does not delay the reset', () => {
    const balance = after(heard(1_000, 90_000, 20))
    const late = afterReport(balance, heard(12_000, 85_000, 20, { sentAt: 1_100 }))
    expect(late.resetSpan?.until).toBe(1_000 + 21_000)
    expect(late.remaining).toBe(85_000)
  })

  test('without a reset header the rate window is 60 s from the first answer', () => {
    expect(after(heard(1_000, 90_000, null)).resetSpan?.until).toBe(1_000 + windowMs)
  })
})

describe('a rate window that resets', () => {
  const before = after(heard(1_000, 500, 30))

  test('does so by itself at the latest possible moment, also several times', () => {
    expect(afterReset(before, 31_999).remaining).toBe(500)
    expect(afterReset(before, 32_000)).toMatchObject({
      remaining: 100_000,
      reportedAt: null,
      resetSpan: { until: 32_000 + windowMs },
    })
    expect(afterReset(before, 32_000 + 5 * windowMs).resetSpan?.until).toBe(32_000 + 6 * windowMs)
  })

  test('is recognised by a later reset', () => {
    expect(afterReport(before, heard(31_000, 99_000, 60))).toMatchObject({
      remaining: 99_000,
      known: true,
      resetSpan: { until: 31_000 + 61_000 },
    })
  })

  test('is recognised by points that have come back, where the reset is missing or absurd', () => {
    const unnamed = after(heard(1_000, 500, null))
    expect(afterReport(unnamed, heard(9_000, 99_000, null))).toMatchObject({
      remaining: 99_000,
      resetSpan: { until: 9_000 + windowMs },
    })
  })

  test('is not recognised by an answer that overtook another one', () => {
    const answer = heard(1_010, 800, 30, { sentAt: 995 })
    expect(afterReport(before, answer).remaining).toBe(500)
  })

  test('ignores answers of the previous one', () => {
    const fresh = afterReport(before, heard(33_000, 99_000, 58))
    expect(afterReport(fresh, heard(33_100, 480, 1, { sentAt: 30_000 }))).toEqual(fresh)
    expect(afterReport(fresh, heard(40_000, 480, 2, { sentAt: 29_000 }))).toEqual(fresh)
  })

  test('also where the reset is only assumed', () => {
    const reckoned = afterReset(before, 32_000)
    expect(afterReport(reckoned, heard(32_100, 480, 2, { sentAt: 29_500 })).remaining).toBe(100_000)
  })

  test('has not reset when a later answer says so: the service overrules', () => {
    const reckoned = afterReset(before, 32_000)
    expect(afterReport(reckoned, heard(32_500, 480, 5))).toMatchObject({
      remaining: 480,
      resetSpan: { until: 32_500 + 6_000 },
    })
  })
})

describe('without cost headers', () => {
  test('the cost alone is deducted', () => {
    expect(after(heard(1_000, null, null, { cost: 40 }))).toMatchObject({
      remaining: 99_960,
      known: false,
      resetSpan: { until: 1_000 + windowMs },
    })
  })

  test('an operation of unknown cost is deducted as expected', () => {
    expect(afterOperation(unknownBalance, { sentAt: 0, at: 10 }, 200)).toMatchObject({
      remaining: 99_800,
      known: false,
    })
  })
})

describe('a rejection for lack of points', () => {
  const balance = after(heard(1_000, 5_000, 30))

  test('empties the balance until the time that the service names', () => {
    expect(afterRejection(balance, heard(1_100, null, null, { cost: null }), null)).toMatchObject({
      remaining: 0,
      resetSpan: { until: 32_000 },
    })
    expect(afterRejection(balance, heard(1_100, null, null, { cost: null }), 12_000)).toMatchObject({
      remaining: 0,
      resetSpan: { until: 1_100 + 13_000 },
    })
    expect(afterRejection(balance, heard(1_100, 3, 30, { cost: 40 }), 1_000)).toMatchObject({
      remaining: 3,
      resetSpan: { until: 32_000 },
    })
    expect(afterRejection(balance, heard(1_100, null, null, { cost: null }), 1e12).resetSpan?.until).toBeLessThan(
      700_000,
    )
    expect(afterRejection(unknownBalance, heard(1_100, null, null, { cost: null }), null)).toMatchObject({
      remaining: 0,
      known: false,
      resetSpan: { until: 1_100 + windowMs },
    })
  })

  test('keeps the balance that the service reports, where that explains it', () => {
    expect(afterRejection(balance, heard(1_100, 700, 30, { cost: 900 }), null).remaining).toBe(700)
    expect(afterRejection(balance, heard(1_100, 90_000, 30, { cost: 900 }), null).remaining).toBe(0)
  })

  test('of the previous rate window changes nothing', () => {
    const fresh = afterReport(balance, heard(33_000, 99_000, 58))
    expect(afterRejection(fresh, heard(33_100, 0, 1, { sentAt: 30_000 }), null)).toEqual(fresh)
  })
})

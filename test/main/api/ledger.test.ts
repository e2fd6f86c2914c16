import { expect, test } from 'vitest'
import { exhausted, noted, readFigures, rolled, unknownBalance, windowMs, type Figures } from '../../../src-main/api/ledger.ts'

const now = 1_790_000_000_000
const figures = (remaining: number, reset: number, cost = 10): Figures => ({ cost, limit: 100_000, remaining, resetIn: reset * 1000 })

test('reads the four headers', () => {
  const headers = new Headers({ 'graphql-ratelimit-querycost': '19', 'ratelimit-limit': '100000', 'ratelimit-remaining': '99981', 'ratelimit-reset': '42' })
  expect(readFigures(headers, now)).toEqual({ cost: 19, limit: 100_000, remaining: 99_981, resetIn: 42_000 })
})

test.each(['', 'soon', '-1', 'NaN'])('a header that is no figure (%j) is no figure', (text) => {
  expect(readFigures(new Headers({ 'ratelimit-remaining': text }), now).remaining).toBeNull()
})

test.each<[string, string, number | null]>([
  ['seconds', '30', 30_000],
  ['an epoch in seconds', String(now / 1000 + 60), 60_000],
  ['an epoch in milliseconds', String(now + 60_000), 60_000],
  ['an epoch of a clock that is behind ours', String(now / 1000 - 3_600), null],
  ['an epoch of a clock that is ahead of ours', String(now / 1000 + 3_600), null],
  ['seconds that no window has', '86400', null],
])('a reset in %s', (_name, text, resetIn) => {
  expect(readFigures(new Headers({ 'ratelimit-reset': text }), now).resetIn).toBe(resetIn)
})

test('within a window the lowest remaining counts, however the answers arrive', () => {
  const late = noted(noted(noted(unknownBalance, figures(90_000, 50), now), figures(70_000, 49), now), figures(80_000, 49), now)
  expect(late.remaining).toBe(70_000)
})

test('a later reset is a new window', () => {
  const before = noted(unknownBalance, figures(500, 1), now)
  const after = noted(before, figures(99_000, 59), now + 2_000)
  expect(after).toMatchObject({ remaining: 99_000, resetAt: now + 61_000, known: true })
})

test('an answer of the window before does not overrule the new one', () => {
  const fresh = noted(unknownBalance, figures(99_000, 59), now)
  expect(noted(fresh, figures(10, 0), now)).toEqual(fresh)
})

test('the window turns over by itself, also after several', () => {
  const balance = noted(unknownBalance, figures(10, 30), now)
  expect(rolled(balance, now + 29_999).remaining).toBe(10)
  expect(rolled(balance, now + 30_000)).toMatchObject({ remaining: 100_000, resetAt: now + 30_000 + windowMs })
  expect(rolled(balance, now + 30_000 + 5 * windowMs).resetAt).toBe(now + 30_000 + 6 * windowMs)
})

test('without headers the cost alone is taken off', () => {
  const balance = noted(unknownBalance, { cost: 40, limit: null, remaining: null, resetIn: null }, now)
  expect(balance).toMatchObject({ remaining: 99_960, known: false })
})

test('a refusal empties the balance until the time that the service names', () => {
  const balance = noted(unknownBalance, figures(5_000, 30), now)
  expect(exhausted(balance, now, null)).toMatchObject({ remaining: 0, resetAt: now + 30_000 })
  expect(exhausted(balance, now, 12_000)).toMatchObject({ remaining: 0, resetAt: now + 12_000 })
  expect(exhausted(unknownBalance, now, null)).toMatchObject({ remaining: 0, resetAt: now + windowMs })
})

import { expect, test } from 'vitest'
import { retryDelay } from '../../../src-main/live/transport/backoff.ts'

test('grows by doubling up to half a minute, with full jitter', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 1_000].map((attempt) => Math.round(retryDelay(attempt, 0.999_999)))
  expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect([1, 5, 1_000].map((attempt) => retryDelay(attempt, 0))).toEqual([250, 250, 250])
})

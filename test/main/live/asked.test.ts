import { expect, test } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { settle } from '../../support/clock.ts'
import { start } from './started.ts'

/** Its upgrade is rejected by a service that asks to be left alone for so long. */
async function asked(retryAfter: number) {
  const started = await start(new FaultError('unavailable', 'HTTP 503', { retryAfter }))
  started.far.fail()
  await settle()
  return started
}

test.each([
  [0, 1_000],
  [90_000, 90_000],
  [86_400_000, 300_000],
])('a service that asks to wait %i ms is not dialled again for %i ms, and then soon', async (retryAfter, ms) => {
  const { clock, fars, faults } = await asked(retryAfter)
  expect(faults).toEqual([{ kind: 'unavailable', detail: 'HTTP 503' }])
  await clock.advance(ms)
  expect(fars).toHaveLength(1)
  await clock.advance(4_000)
  expect(fars).toHaveLength(2)
})

test('another token changes nothing about that', async () => {
  const { live, fars } = await asked(90_000)
  live.newToken()
  await settle()
  expect(fars).toHaveLength(1)
})

test('a manual retry dials at once', async () => {
  const { live, fars } = await asked(90_000)
  live.retry()
  await settle()
  expect(fars).toHaveLength(2)
})

import { expect, test } from 'vitest'
import { openAccount } from '../../../src-main/api/account.ts'
import { manualClock } from '../../support/clock.ts'

const entry = { name: 'Devices', lane: 'background' as const, size: 1 }

test('the gauge keeps what the service said last apart from what was reckoned since', async () => {
  const clock = manualClock()
  const account = openAccount(clock)
  expect(account.gauge().said).toBeUndefined()
  account.enter(entry, { cost: 10, limit: 100_000, remaining: 22_639, resetIn: 20_000 })
  const said = { remaining: 22_639, at: clock.now(), resetAt: clock.now() + 20_000 }
  expect(account.gauge()).toMatchObject({ remaining: 22_639, said })
  await clock.advance(10_000)
  account.enter(entry, { cost: 100, limit: null, remaining: null, resetIn: null })
  await clock.advance(30_000)
  expect(account.gauge()).toMatchObject({ remaining: 100_000, said })
  account.empty(5_000)
  expect(account.gauge()).toMatchObject({ remaining: 0, said: { remaining: 0, at: clock.now(), resetAt: clock.now() + 5_000 } })
})

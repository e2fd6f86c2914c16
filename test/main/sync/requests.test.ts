import { expect, test } from 'vitest'
import { createRequests } from '../../../src-main/sync/reader/requests.ts'
import { manualClock } from '../../support/clock.ts'

test('a reconciliation is due since its first request, however often it is requested', async () => {
  const clock = manualClock()
  const requests = createRequests(clock, false)
  const first = clock.now()
  requests.add('reconciliation')
  await clock.advance(1_000)
  requests.add('reconciliation')
  expect(requests.reconciliationDueSince()).toBe(first)
  requests.reconciled()
  expect(requests.reconciliationDueSince()).toBeNull()
  requests.add('reconciliation')
  expect(requests.reconciliationDueSince()).toBe(first + 1_000)
})

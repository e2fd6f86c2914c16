import { expect, test } from 'vitest'
import { createFaults, statesKey, tenantKey } from '../../../src-main/sync/faults.ts'
import { manualClock } from '../../support/clock.ts'

test('faults of tenants that are listed no longer are removed, and no other ones', () => {
  let changes = 0
  const faults = createFaults(manualClock(), () => (changes += 1))
  const fault = { kind: 'forbidden', detail: '' } as const
  for (const key of [tenantKey('a'), tenantKey('b'), statesKey('b'), 'service']) faults.note(key, key, fault)
  faults.retainTenants(new Set(['a']))
  expect([faults.state().map(({ where }) => where), changes]).toEqual([[tenantKey('a'), 'service'], 6])
})

import { expect, test } from 'vitest'
import { maxTenants } from '../../../src-shared/model/bounds.ts'
import { createDoubts, listedBefore, withdrawnFault, type KnownTenant } from '../../../src-main/sync/health/doubts.ts'
import { manualClock } from '../../support/clock.ts'

const tenant = (key: string, name = key, devices = 1): KnownTenant => ({ key, name, devices })
const keysOf = (tenants: readonly KnownTenant[]) => tenants.map(({ key }) => key)
const nothing: ReadonlySet<string> = new Set()

test.each([
  [[], undefined],
  [[tenant('a', 'Acme')], '1 tenant (1 device): Acme'],
  [[tenant('a', ' ', 0), tenant('b', 'Berg', 2)], '2 tenants (2 devices): no name, Berg'],
  [['a', 'b', 'c', 'd', 'e'].map((key) => tenant(key)), '5 tenants (5 devices): a, b, c, d, e'],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => tenant(key)), '7 tenants (7 devices): a, b, c, d, e and 2 more'],
])('the fault of tenants that are no longer listed (%#)', (gone, detail) => {
  expect(withdrawnFault(gone)?.detail).toBe(detail)
})

test('the devices listed before are counted', () => {
  expect([listedBefore(1, 'device'), listedBefore(2, 'tenant', ' with 3 devices')]).toEqual([
    '1 device was listed before',
    '2 tenants with 3 devices were listed before',
  ])
})

test('above the limit of tenants those that left last are named', () => {
  const all = Array.from({ length: maxTenants + 1 }, (_, at) => tenant(`t${at}`))
  const gone = createDoubts(manualClock()).withdrawn(all.slice(0, 2), all.slice(2), nothing, false)
  expect([gone.length, gone[0]?.key, gone.at(-1)?.key]).toEqual([maxTenants, 't1', `t${maxTenants}`])
})

test('a tenant that disappears again is a fault for a minute before a refresh clears it', async () => {
  const clock = manualClock()
  const doubts = createDoubts(clock)
  const acme = tenant('a')
  expect(keysOf(doubts.withdrawn([], [acme], nothing, false))).toEqual(['a'])
  await clock.advance(61_000)
  // It was listed in between, and nobody looked then.
  expect(keysOf(doubts.withdrawn([acme], [acme], nothing, true))).toEqual(['a'])
  expect(keysOf(doubts.withdrawn([acme], [], nothing, true))).toEqual(['a'])
  await clock.advance(61_000)
  expect(keysOf(doubts.withdrawn([acme], [], nothing, true))).toEqual([])
})

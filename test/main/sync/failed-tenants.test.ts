import type { Reply } from '../../../src-main/api/client.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { type Answer, type SentRequest, type Bed, count, faultsOf, minute, openWorld, page, tenants } from './bed.ts'
import { afterEach, describe, expect, test } from 'vitest'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** The only connection there is. */
const open = (answer?: Answer, before?: (request: SentRequest) => Promise<void>): Promise<Bed> =>
  openWorld(leftovers).connect('c1', answer, before)

const forbidden = new FaultError('forbidden')

test('a forbidden tenant is reported alone, costs little, and delays no other tenant', async () => {
  const bed = await open(({ name, tenant }) => (name === 'Devices' && tenant === 'b' ? forbidden : null))
  await bed.clock.advance(120 * minute)
  expect(faultsOf(bed)).toEqual([['Berg', 'forbidden']])
  expect(count(bed, 'Devices', 'a')).toBe(5)
  expect(count(bed, 'Devices', 'b')).toBeLessThan(40)
  expect(bed.statusOf('a1')).toBe('connected')
})

test('paging that never ends is a fault and not a storm', async () => {
  const bed = await open(({ name, tenant, token }) =>
    name === 'Devices' && tenant === 'b' ? page([`b${token === null ? 1 : 2}`], 'same') : null,
  )
  await bed.clock.advance(60 * minute)
  expect(faultsOf(bed)).toEqual([['Berg', 'paging']])
  expect(count(bed, 'Devices', 'b')).toBeLessThan(60)
})

test('when paging no longer ends, the known devices stay as the socket reports them', async () => {
  let broken = false
  const bed = await open(({ name, tenant, token }) =>
    broken && name === 'Devices' && tenant === 'b' ? page([token === null ? 'b1' : 'b3'], 'same') : null,
  )
  await bed.clock.advance(minute)
  broken = true
  bed.sync.refresh(null)
  await bed.clock.advance(60 * minute)
  bed.send('b2', false)
  await bed.clock.advance(1_000)
  expect([['b1', 'b2'].map((id) => bed.statusOf(id)), faultsOf(bed)]).toEqual([
    ['connected', 'disconnected'],
    [['Berg', 'paging']],
  ])
  expect(count(bed, 'Devices', 'b')).toBeLessThan(60)
})

describe('a list of tenants that failed in part', () => {
  const [acme, berg, cora] = [
    ['a', 'Acme'],
    ['b', 'Berg'],
    ['c', 'Cora'],
  ] as const
  const partly = (...list: Parameters<typeof tenants>): Reply => ({
    ...tenants(...list),
    errors: [{ message: 'EU-1 is down', code: null, path: null }],
  })
  const listing =
    (service: { list: Reply }): Answer =>
    ({ name }) =>
      name === 'Tenants' ? service.list : null

  test('removes no tenant: those it does not name are subscribed to and read as before', async () => {
    const service = { list: tenants([...acme], [...berg]) }
    const bed = await open(listing(service))
    await bed.clock.advance(1_000)
    service.list = partly([...acme])
    const before = count(bed, 'Devices', 'b')
    bed.sync.refresh(null)
    await bed.clock.advance(1_000)
    expect(faultsOf(bed)).toEqual([['the list of tenants', 'partial']])
    expect(bed.subscribed()).toEqual(expect.arrayContaining(['a1', 'b1']))
    expect(count(bed, 'Devices', 'b')).toBe(before + 1)
    expect(bed.statusOf('b1')).toBe('connected')
    bed.link('waiting')
    await bed.clock.advance(1_000)
    expect(['a1', 'b1'].map(bed.statusOf)).toEqual(['unknown', 'unknown'])
  })

  test('over 16 MB removes no tenant either, and is reported', async () => {
    const service = { list: tenants([...acme], [...berg]) }
    const bed = await open(listing(service))
    await bed.clock.advance(1_000)
    service.list = { ...tenants([...acme]), isCut: true }
    bed.sync.refresh(null)
    await bed.clock.advance(1_000)
    expect(bed.sync.state().faults.map(({ where, fault }) => [where, fault.detail])).toEqual([
      [
        'the list of tenants',
        'the list of tenants: it is longer than Muster reads, and what comes after that is not read',
      ],
    ])
    expect(['a1', 'b1'].map(bed.statusOf)).toEqual(['connected', 'connected'])
  })

  test('is requested again soon, and tenants it names then are read alone', async () => {
    const service = { list: partly([...acme]) }
    const bed = await open(listing(service))
    await bed.clock.advance(1_000)
    expect(bed.statusOf('b1')).toBeUndefined()
    expect(bed.sync.state().lastReadingAt).toBeNull()
    service.list = tenants([...acme], [...berg], [...cora])
    await bed.clock.advance(5 * minute)
    expect(['a1', 'b1', 'c1'].map(bed.statusOf)).toEqual(['connected', 'connected', 'connected'])
    expect(count(bed, 'Devices', 'a')).toBe(1)
    expect(faultsOf(bed)).toEqual([])
    expect(bed.sync.state().lastReadingAt).not.toBeNull()
  })

  test('a lasting failure is not retried without end, and a gone tenant goes with the next list', async () => {
    const service = { list: tenants([...acme], [...berg]) }
    const bed = await open(listing(service))
    await bed.clock.advance(1_000)
    service.list = partly([...acme])
    bed.sync.refresh(null)
    await bed.clock.advance(60 * minute)
    expect(count(bed, 'Tenants')).toBeLessThan(40)
    expect(count(bed, 'Devices', 'a')).toBeLessThan(5)
    service.list = tenants([...acme])
    await bed.clock.advance(10 * minute)
    expect([bed.statusOf('a1'), bed.statusOf('b1')]).toEqual(['connected', undefined])
    expect(bed.subscribed()).not.toContain('b1')
  })
})

test('a page without devices but with errors removes no device', async () => {
  let broken = false
  const bed = await open(({ name, tenant }) =>
    broken && name === 'Devices' && tenant === 'b'
      ? page([], null, [{ message: 'EU-1 is down', code: null, path: null }])
      : null,
  )
  await bed.clock.advance(1_000)
  broken = true
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect(bed.calls.ids({ service: 's', tenant: 'b' })).toHaveLength(2)
  expect(faultsOf(bed)).toEqual([['Berg', 'partial']])
})

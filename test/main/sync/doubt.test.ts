import { afterEach, describe, expect, test } from 'vitest'
import type { Reply } from '../../../src-main/api/client.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { count, faultsOf, openWorld, page, type Answer } from './bed.ts'

export const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
export const open = (answer?: Answer) => openWorld(leftovers).connect('one', answer)

export const error = (message: string, path: (string | number)[] | null) => ({ message, code: null, path })
/** Device a1 in its site, with the test's fields. */
const pageWithSite = (more: Record<string, unknown>, errors: Reply['errors'] = []): Reply => {
  const node = {
    id: 'a1',
    name: 'a1',
    hardwareModel: 'X',
    connected: true,
    lastDetected: null,
    lastConfigRequestDate: null,
    site: { id: 's1', name: 'Berlin' },
    room: null,
    ...more,
  }
  return {
    errors,
    data: {
      tenant: {
        inventory: {
          deviceSearch: { edges: [{ node }], pageInfo: { totalCount: 1, nextToken: null, hasNextPage: false } },
        },
      },
    },
  }
}
export const rowOf = (bed: Awaited<ReturnType<typeof open>>, id: string) =>
  bed.calls.device({ key: `s/${id[0]}/${id}` }).device?.row

test("an error beside an empty page leaves the devices unknown, with the service's message", async () => {
  let broken = false
  const bed = await open(({ name, tenant }) =>
    broken && name === 'Devices' && tenant === 'b' ? page([], null, [error('EU-1 is down', null)], 0) : null,
  )
  await bed.clock.advance(1_000)
  broken = true
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect([bed.statusOf('b1'), rowOf(bed, 'b1')?.connected, bed.statusOf('a1')]).toEqual(['unknown', true, 'connected'])
  expect(bed.sync.state().faults).toMatchObject([{ where: 'Berg', fault: { kind: 'partial', detail: 'EU-1 is down' } }])
  expect(bed.calls.locations({ keys: [], paused: [] }).tenants.map(({ devices }) => devices)).toEqual([2, 2])
})

test('an unresolved site stays as it was with its age, and the sync is complete', async () => {
  let broken = false
  const path = ['tenant', 'inventory', 'deviceSearch', 'edges', 0, 'node', 'site']
  const bed = await open(({ name, tenant }) =>
    name !== 'Devices' || tenant !== 'a'
      ? null
      : broken
        ? pageWithSite({ site: null }, [error('no sites', path)])
        : pageWithSite({}),
  )
  await bed.clock.advance(1_000)
  const seenAt = rowOf(bed, 'a1')?.seenAt
  broken = true
  await bed.clock.advance(10_000)
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect(rowOf(bed, 'a1')).toMatchObject({
    site: { name: 'Berlin' },
    room: null,
    staleFields: { site: seenAt },
    status: 'connected',
  })
  expect(bed.sync.state().faults).toMatchObject([
    { where: 'Acme', fault: { kind: 'partial', detail: 'site of 1 device: no sites' } },
  ])
  broken = false
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect(rowOf(bed, 'a1')?.staleFields).toBeUndefined()
  expect(faultsOf(bed)).toEqual([])
})

test('a reconciliation does not clear the fault of an incomplete listing', async () => {
  let broken = true
  const path = ['tenant', 'inventory', 'deviceSearch', 'edges', 0, 'node', 'site']
  const bed = await open(({ name, tenant }) =>
    tenant !== 'a'
      ? null
      : name === 'States'
        ? page(['a1'], null)
        : broken
          ? pageWithSite({ site: null }, [error('no sites', path)])
          : pageWithSite({}),
  )
  await bed.clock.advance(1_000)
  const listingFaults = [{ where: 'Acme', fault: { kind: 'partial', detail: 'site of 1 device: no sites' } }]
  expect(bed.sync.state().faults).toMatchObject(listingFaults)
  const before = count(bed, 'States', 'a')
  bed.link('waiting')
  bed.link('live')
  await bed.clock.advance(1_000)
  expect(count(bed, 'States', 'a')).toBe(before + 1)
  expect(bed.sync.state().faults).toMatchObject(listingFaults)
  broken = false
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect(faultsOf(bed)).toEqual([])
})

test('a failed reconciliation is a fault beside the listing’s, until one succeeds', async () => {
  let failing = false
  const path = ['tenant', 'inventory', 'deviceSearch', 'edges', 0, 'node', 'site']
  const bed = await open(({ name, tenant }) =>
    tenant !== 'a'
      ? null
      : name === 'States' && failing
        ? new FaultError('forbidden')
        : name === 'Devices'
          ? pageWithSite({ site: null }, [error('no sites', path)])
          : null,
  )
  await bed.clock.advance(1_000)
  failing = true
  bed.link('waiting')
  bed.link('live')
  await bed.clock.advance(1_000)
  expect(faultsOf(bed)).toEqual([
    ['Acme', 'partial'],
    ['Acme', 'forbidden'],
  ])
  failing = false
  bed.link('waiting')
  bed.link('live')
  await bed.clock.advance(1_000)
  expect(faultsOf(bed)).toEqual([['Acme', 'partial']])
})

test('an unresolved status keeps its age, and a null without an error is unknown', async () => {
  let now: Reply = pageWithSite({})
  const path = ['tenant', 'inventory', 'deviceSearch', 'edges', 0, 'node', 'connected']
  const bed = await open(({ name, tenant }) => (name === 'Devices' && tenant === 'a' ? now : null))
  await bed.clock.advance(1_000)
  const seenAt = rowOf(bed, 'a1')?.seenAt
  now = pageWithSite({ connected: null }, [error('no status', path)])
  await bed.clock.advance(10_000)
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect(rowOf(bed, 'a1')).toMatchObject({ connected: true, seenAt })
  now = pageWithSite({ connected: null })
  bed.sync.refresh(null)
  await bed.clock.advance(1_000)
  expect(rowOf(bed, 'a1')).toMatchObject({ connected: null, status: 'unknown' })
})

test('a page token that is rejected midway restarts the sync at once, once', async () => {
  let begun = 0
  const text = 'The nextToken has expired'
  const bed = await open(({ name, tenant, token }) => {
    if (name !== 'Devices' || tenant !== 'a') return null
    if (token === null) begun += 1
    if (token === null) return page(['a1'], `t${begun}`)
    return token === 't1' ? new FaultError('query', text, { status: 400, answerText: text }) : page(['a2'], null)
  })
  await bed.clock.advance(1_000)
  expect([begun, bed.statusOf('a1'), bed.statusOf('a2'), faultsOf(bed)]).toEqual([2, 'connected', 'connected', []])
})

test('a clock that differs is reported with the difference, last of all', async () => {
  const bed = await openWorld(leftovers).connect(
    'one',
    ({ name, tenant }) => (name === 'Devices' && tenant === 'b' ? new FaultError('forbidden') : null),
    undefined,
    { ms: -10 * 60_000, since: 5 },
  )
  await bed.clock.advance(1_000)
  expect(bed.sync.state().faults.map(({ fault }) => [fault.kind, fault.detail])).toEqual([
    ['forbidden', ''],
    ['clock', 'This computer’s clock is 10 minutes behind the service’s.'],
  ])
})

describe('where the order changes between two pages', () => {
  /** Tenant b has three devices on two pages; b2 moves to the front while they are read: b1 comes twice, and b2 never. */
  async function opened(totalCount: number | null) {
    let moving = 0
    const bed = await open(({ name, tenant, token }) => {
      if (name !== 'Devices' || tenant !== 'b') return null
      if (token === null) return page(['b3', 'b1'], 'next', [], totalCount)
      return page([moving > 0 ? ((moving -= 1), 'b1') : 'b2'], null, [], totalCount)
    })
    await bed.clock.advance(1_000)
    return {
      bed,
      move: (times: number) => {
        moving = times
      },
    }
  }

  test.each([3, null])('the tenant is read again at once, and no device is removed (total %s)', async (totalCount) => {
    const { bed, move } = await opened(totalCount)
    const before = count(bed, 'Devices', 'b')
    move(1)
    bed.sync.refresh(null)
    await bed.clock.advance(5_000)
    expect([bed.statusOf('b2'), faultsOf(bed), count(bed, 'Devices', 'b') - before]).toEqual(['connected', [], 4])
  })

  test.each([
    [3, '1 device of 3 did not come, 1 device came twice'],
    [null, '1 device came twice, and others may be missing'],
  ])('repeatedly, the missing device stays, unknown, with a fault (total %s)', async (totalCount, detail) => {
    const { bed, move } = await opened(totalCount)
    move(2)
    bed.sync.refresh(null)
    await bed.clock.advance(5_000)
    expect(['b1', 'b2', 'b3'].map((id) => bed.statusOf(id))).toEqual(['connected', 'unknown', 'connected'])
    expect(bed.sync.state().faults).toMatchObject([{ where: 'Berg', fault: { kind: 'partial', detail } }])
    bed.sync.refresh(null)
    await bed.clock.advance(5_000)
    expect([bed.statusOf('b2'), faultsOf(bed)]).toEqual(['connected', []])
  })
})

test.each([
  [1, 'connected', []],
  [2, 'unknown', [['Berg', 'partial']]],
])(
  'a reconciliation that misses a device is repeated once, then reported (%i in a row)',
  async (times, status, faults) => {
    let missing = 0
    const bed = await open(({ name, tenant, token }) =>
      tenant !== 'b' || name !== 'States'
        ? null
        : token === null
          ? page(['b1'], 'next')
          : page([missing > 0 ? ((missing -= 1), 'b1') : 'b2'], null),
    )
    await bed.clock.advance(5_000)
    missing = times
    bed.link('waiting')
    bed.link('live')
    await bed.clock.advance(5_000)
    expect([bed.statusOf('b1'), bed.statusOf('b2'), faultsOf(bed)]).toEqual(['connected', status, faults])
  },
)

test.each(['forward', 'backward'])(
  'overlapping pages are complete without a total, and missing devices are removed (%s)',
  async (direction) => {
    let ids = ['b1', 'b2', 'b3', 'b4', 'b5']
    const bed = await open(({ name, tenant, token }) => {
      if (name !== 'Devices' || tenant !== 'b') return null
      const from = Number(token ?? 0)
      const pageIds = ids.slice(from, from + 3)
      return page(
        direction === 'forward' ? pageIds : pageIds.toReversed(),
        from + 3 < ids.length ? String(from + 2) : null,
      )
    })
    await bed.clock.advance(5_000)
    expect([ids.map((id) => bed.statusOf(id)), faultsOf(bed)]).toEqual([ids.map(() => 'connected'), []])
    ids = ['b1', 'b2', 'b4', 'b5']
    bed.sync.refresh(null)
    await bed.clock.advance(5_000)
    expect([rowOf(bed, 'b3'), ids.map((id) => bed.statusOf(id)), faultsOf(bed)]).toEqual([
      undefined,
      ids.map(() => 'connected'),
      [],
    ])
  },
)

test('fewer devices than the total remove none, and a duplicate beside all of them is ignored', async () => {
  let ids = ['b1', 'b2']
  let totalCount = 2
  const bed = await open(({ name, tenant, token }) =>
    name === 'Devices' && tenant === 'b'
      ? page(token === null ? ids : ['b1'], token === null && ids.length > 1 ? 'next' : null, [], totalCount)
      : null,
  )
  await bed.clock.advance(1_000)
  expect(faultsOf(bed)).toEqual([])
  ids = ['b1']
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  expect([bed.statusOf('b1'), bed.statusOf('b2'), faultsOf(bed)]).toEqual([
    'connected',
    'unknown',
    [['Berg', 'partial']],
  ])
  totalCount = 1
  bed.sync.refresh(null)
  await bed.clock.advance(5_000)
  expect([rowOf(bed, 'b2'), faultsOf(bed)]).toEqual([undefined, []])
})

import { afterEach, describe, expect, test } from 'vitest'
import { openMemory } from '../../src-main/secrets/memory.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const totalsOf = async (muster: Console) => (await muster.call('inventory.counts', { scope: 'all' })).counts

describe.each(['full', 'minimal'] as const)('a service with the %s profile', (profile) => {
  test('is read completely, tenant by tenant, and counted right', async () => {
    const reference = await service(leftovers, { profile })
    const muster = await openConsole(leftovers, temporaryProfile(leftovers))
    await muster.call('connections.save', connectionTo(reference))
    await whenRead(muster)
    const { online, offline, staged } = reference.world.totals()
    expect(await totalsOf(muster)).toEqual({ connected: online, disconnected: offline, unknown: staged })
    const { total, rows } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })
    expect(total).toBe(reference.world.devices().length)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(reference.world.devices().map(({ id }) => id))
    const searches = reference.operations().filter(({ query }) => query.includes('deviceSearch'))
    expect(
      searches.every(
        ({ query, variables }) => /tenant\(id: \$tenant\)/.test(query) && typeof variables['tenant'] === 'string',
      ),
    ).toBe(true)
  })

  test('shows new, moved and removed devices after the next sync', async () => {
    const reference = await service(leftovers, { profile, devices: 60 })
    const muster = await openConsole(leftovers, temporaryProfile(leftovers))
    await muster.call('connections.save', connectionTo(reference))
    await whenRead(muster)
    const [first, second] = reference.world.devices()
    if (first === undefined || second === undefined) throw new Error('the world is empty')
    reference.world.removeDevice(first.id)
    reference.world.moveDevice(second.id, null, null)
    const added = reference.world.addDevice({ name: 'Brand new', connected: true })
    await muster.call('sync.start', { scope: 'all' })
    const read = (text: string) =>
      muster.call('inventory.rows', { query: { ...allByName, filter: text }, offset: 0, limit: 10 })
    await until(async () => {
      expect((await read(first.id)).total).toBe(0)
      expect((await read(added.id)).rows[0]).toMatchObject({ name: 'Brand new', status: 'connected' })
      expect((await read(second.id)).rows[0]).toMatchObject({ site: null, room: null })
    })
  })
})

test('the minimal service gets no page size, the full one pages that fit under the limit', async () => {
  const pagesOf = async (profile: 'full' | 'minimal') => {
    const reference = await service(leftovers, { profile, devices: 900, tenants: 1 })
    const muster = await openConsole(leftovers, temporaryProfile(leftovers))
    await muster.call('connections.save', connectionTo(reference))
    await whenRead(muster)
    return reference
      .operations()
      .filter(({ operationName }) => operationName === 'Devices')
      .map(({ variables, cost, status }) => ({
        size: (variables['params'] as { pageSize?: number }).pageSize,
        cost,
        status,
      }))
  }
  expect((await pagesOf('minimal')).every(({ size }) => size === undefined)).toBe(true)
  const full = await pagesOf('full')
  // Two cheap looks at the price, then pages of one size, none of which is a large part of a window: seven for 900 devices instead of ninety.
  expect(full.map(({ size }) => size)).toEqual([1, 2, ...Array.from({ length: 7 }, () => 130)])
  expect(full.every(({ cost, status }) => cost < 10_000 && status === 200)).toBe(true)
})

test('waits for the reset instead of being rejected', async () => {
  const clock = acceleratedClock(20)
  const reference = await service(leftovers, { devices: 1_000, tenants: 2, balance: 12_000, now: clock.now })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  await muster.call('connections.save', connectionTo(reference))
  const holding = await whenConnection(muster, ({ sync }) => sync.state === 'holding')
  expect(holding.sync).toMatchObject({ expected: 1_000 })
  await whenRead(muster)
  expect(await totalsOf(muster)).toMatchObject({ connected: reference.world.totals().online })
  expect(reference.operations().filter(({ status }) => status !== 200)).toEqual([])
})

test('a balance that no large page fits in is used for small pages', async () => {
  const clock = acceleratedClock(20)
  const reference = await service(leftovers, { devices: 60, tenants: 1, balance: 2_000, now: clock.now })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  expect(await totalsOf(muster)).toMatchObject({ connected: reference.world.totals().online })
  expect(reference.rejections()).toEqual({ tooExpensive: 0, exhausted: 0 })
})

test('costs are known after a restart, and are not asked for again', async () => {
  const reference = await service(leftovers, { devices: 60, tenants: 1 })
  const profile = temporaryProfile(leftovers)
  const first = await openConsole(leftovers, profile)
  await first.call('connections.save', connectionTo(reference))
  await whenRead(first)
  const {
    connections: [connection],
  } = await first.call('app.state', {})
  const estimate = {
    connection: connection?.id ?? '',
    document: 'query { tenants { id name region { id } } }',
    variables: {},
  }
  expect(await first.call('cost.estimate', estimate)).toMatchObject({
    certainty: 'learned',
    likely: 5,
    exceedsLimit: false,
  })
  await first.stop()
  const again = await openConsole(leftovers, profile)
  expect(await again.call('cost.estimate', estimate)).toMatchObject({ certainty: 'learned', likely: 5 })
  await expect(again.call('cost.estimate', { ...estimate, document: '{ tenants' })).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
})

test('the first sync of a connection runs as interactive, one after a restart as background', async () => {
  const reference = await service(leftovers)
  const [profile, secrets] = [temporaryProfile(leftovers), openMemory('a test')]
  const inventoryLane = async (muster: Console) => {
    await whenRead(muster)
    // Not the last operations: many others may have followed.
    return (await muster.call('points.hour', {})).sets[0]?.activities
      .filter(({ name }) => name === 'Devices')
      .map(({ lane }) => lane)
  }
  const first = await openConsole(leftovers, profile, { secrets })
  await first.call('connections.save', connectionTo(reference))
  expect(new Set(await inventoryLane(first))).toEqual(new Set(['person']))
  await first.stop()
  const second = await openConsole(leftovers, profile, { secrets })
  await until(async () => expect(await inventoryLane(second)).toContain('background'))
})

test("the gauge shows the service's own balance", async () => {
  const reference = await service(leftovers)
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  // The last that is asked after the sync.
  await whenConnection(muster, ({ access }) => access !== undefined)
  // The answer to the last operation may be under way.
  await until(async () => {
    const [gauge] = (await muster.call('app.state', {})).gauges
    const spent = reference.operations().reduce((sum, { cost }) => sum + cost, 0)
    expect(gauge).toMatchObject({ name: 'Acme', limit: 100_000, remaining: 100_000 - spent, known: true })
    expect(gauge?.recent[0]?.cost).toBe(reference.operations().at(-1)?.cost)
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const first = { clientId: 'first', clientSecret: 'one', name: 'First' }
const second = { clientId: 'second', clientSecret: 'two', name: 'Second' }

/** Both connections have read what they have to, and are live. */
const whenBothRead = (muster: Console) =>
  whenStates(
    muster,
    (states) =>
      states.length === 2 &&
      states.every(
        ({ link, lastReadingAt, sync }) => link.state === 'live' && lastReadingAt !== null && sync.state === 'idle',
      ),
  )

async function whenStates(muster: Console, holds: (states: ConnectionState[]) => boolean): Promise<ConnectionState[]> {
  return until(async () => {
    const { connections } = await muster.call('app.state', {})
    if (!holds(connections))
      throw new Error(
        JSON.stringify(
          connections.map(({ name, link, sync, lastReadingAt, faults }) => ({
            name,
            link,
            sync,
            lastReadingAt,
            faults,
          })),
        ),
      )
    return connections
  })
}

async function twoConnections(reference: Service, sets = [first, second]): Promise<{ muster: Console; ids: string[] }> {
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const ids: string[] = []
  for (const { clientId, clientSecret, name } of sets) {
    ids.push((await muster.call('connections.save', connectionTo(reference, { name, clientId, clientSecret }))).id)
  }
  await whenBothRead(muster)
  return { muster, ids }
}

const pagesOf = (reference: Service, clientId?: string) =>
  reference
    .operations()
    .filter(
      (operation) =>
        operation.operationName === 'Devices' && (clientId === undefined || operation.clientId === clientId),
    )
    .filter(({ variables }) => ![1, 2].includes((variables['params'] as { pageSize?: number }).pageSize ?? 0))
const costOf = (reference: Service, clientId: string) =>
  reference
    .operations()
    .filter((operation) => operation.clientId === clientId)
    .reduce((sum, { cost }) => sum + cost, 0)
const totalOf = async (muster: Console) =>
  (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total

/** How often a status was unknown from now on, by looking at each patch and at the totals. */
const unknownsIn = (muster: Console, from: number) =>
  Math.max(0, ...muster.patches.slice(from).map(({ totals }) => totals.unknown))

describe.each(['full', 'minimal'] as const)(
  'two connections that see the same, at a service with the %s profile',
  (profile) => {
    test('read each tenant once; the second connection only lists, compares and listens', async () => {
      const reference = await service(leftovers, {
        profile,
        devices: 120,
        tenants: 2,
        credentials: () => [first, second],
      })
      const { muster } = await twoConnections(reference)
      expect(await totalOf(muster)).toBe(120)
      const readers = new Set(
        pagesOf(reference).map(({ clientId, variables }) => `${clientId} ${String(variables['tenant'])}`),
      )
      expect(readers.size).toBe(2)
      expect(pagesOf(reference)).toHaveLength(profile === 'minimal' ? 13 : 2)
      const other = new Set(pagesOf(reference).map(({ clientId }) => clientId)).has('first') ? 'second' : 'first'
      expect(costOf(reference, other)).toBeLessThan(
        costOf(reference, other === 'first' ? 'second' : 'first') * (profile === 'minimal' ? 0.4 : 1),
      )
      const { device } = await muster.call('inventory.device', {
        key: (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).rows[0]?.key ?? '',
      })
      expect(device?.connections).toHaveLength(2)
    })

    test('pausing the reading connection reads no page again and makes no device unknown', async () => {
      const reference = await service(leftovers, {
        profile,
        devices: 60,
        tenants: 1,
        credentials: () => [first, second],
      })
      const { muster, ids } = await twoConnections(reference)
      const staged = reference.world.totals().staged
      await until(() => expect(reference.openSockets()).toBe(2))
      const [pages, patches] = [pagesOf(reference).length, muster.patches.length]
      await muster.call('connections.pause', { id: ids[0] ?? '', paused: true })
      const online = reference.world.find(({ connected }) => connected === true)
      reference.world.setConnected(online.id, false)
      await until(async () => {
        const { rows } = await muster.call('inventory.rows', {
          query: { ...allByName, filter: online.id },
          offset: 0,
          limit: 1,
        })
        expect(rows[0]?.status).toBe('disconnected')
      })
      expect(unknownsIn(muster, patches)).toBeLessThanOrEqual(staged)
      expect(pagesOf(reference)).toHaveLength(pages)
    })

    test('removing one connection keeps the rows and their history with the other', async () => {
      const reference = await service(leftovers, {
        profile,
        devices: 60,
        tenants: 1,
        credentials: () => [first, second],
      })
      const { muster, ids } = await twoConnections(reference)
      const online = reference.world.find(({ connected }) => connected === true)
      reference.world.setConnected(online.id, false)
      const key = await until(async () => {
        const { rows } = await muster.call('inventory.rows', {
          query: { ...allByName, filter: online.id },
          offset: 0,
          limit: 1,
        })
        expect(rows[0]?.status).toBe('disconnected')
        return rows[0]?.key ?? ''
      })
      await muster.call('connections.remove', { id: ids[0] ?? '' })
      expect(await totalOf(muster)).toBe(60)
      // Both told of it, and it counts once.
      expect((await muster.call('inventory.device', { key })).device?.transitions).toHaveLength(1)
      reference.world.removeDevice(online.id)
      const added = reference.world.addDevice({ name: 'Brand new', connected: true })
      await muster.call('sync.start', { scope: 'all' })
      await until(async () => {
        const found = async (filter: string) =>
          (await muster.call('inventory.rows', { query: { ...allByName, filter }, offset: 0, limit: 1 })).total
        expect([await found(online.id), await found(added.id)]).toEqual([0, 1])
      })
    })
  },
)

test('a removed device is removed from both connections', async () => {
  const reference = await service(leftovers, { devices: 60, tenants: 1, credentials: () => [first, second] })
  const { muster } = await twoConnections(reference)
  const [gone] = reference.world.devices()
  reference.world.removeDevice(gone?.id ?? '')
  const before = pagesOf(reference).length
  await muster.call('sync.start', { scope: 'all' })
  await until(async () => expect(await totalOf(muster)).toBe(59))
  await whenBothRead(muster)
  expect(pagesOf(reference)).toHaveLength(before + 1)
})

test('when the credentials of the reading connection are disabled, the other one reads on', async () => {
  const reference = await service(leftovers, { devices: 60, tenants: 1, credentials: () => [first, second] })
  const { muster } = await twoConnections(reference)
  const reader = pagesOf(reference)[0]?.clientId ?? ''
  const other = reader === 'first' ? 'second' : 'first'
  const patches = muster.patches.length
  reference.credentials.setActive(reader, false)
  await whenStates(muster, (states) => states.some(({ clientId, faults }) => clientId === reader && faults.length > 0))
  const added = reference.world.addDevice({ name: 'Brand new', connected: true })
  const scope =
    (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).rows[0]?.tenant.key ?? ''
  expect(scope).not.toBe('')
  await muster.call('sync.start', { scope: 'all' })
  await until(async () =>
    expect(
      (await muster.call('inventory.rows', { query: { ...allByName, filter: added.id }, offset: 0, limit: 1 })).total,
    ).toBe(1),
  )
  expect(pagesOf(reference, other).length).toBeGreaterThan(0)
  expect(unknownsIn(muster, patches)).toBeLessThanOrEqual(reference.world.totals().staged)
})

test('connections with the same credential set do not compare', async () => {
  const reference = await service(leftovers, { devices: 60, tenants: 1, credentials: () => [first, second] })
  const { muster } = await twoConnections(reference, [first, { ...first, name: 'Again' }])
  expect(await totalOf(muster)).toBe(60)
  expect(reference.operations().filter(({ operationName }) => operationName === 'Fingerprint')).toEqual([])
  expect(pagesOf(reference)).toHaveLength(1)
})

test.each(['full', 'minimal'] as const)(
  'connections that see different parts of a tenant both read, each its own (%s)',
  async (profile) => {
    const reference = await service(leftovers, {
      profile,
      devices: 400,
      tenants: 1,
      credentials: (world) => {
        const sites = world.sites(world.tenants()[0]?.id ?? '').map(({ id }) => id)
        return [
          { ...first, sites: sites.slice(0, 2) },
          { ...second, sites: sites.slice(1) },
        ]
      },
    })
    const { muster } = await twoConnections(reference)
    const seen = reference.world.devices().filter(({ site }) => site !== null).length
    expect(await totalOf(muster)).toBe(seen)
    expect([...new Set(pagesOf(reference).map(({ clientId }) => clientId))].toSorted()).toEqual(['first', 'second'])
    await muster.call('sync.start', { scope: 'all' })
    await whenBothRead(muster)
    expect(await totalOf(muster)).toBe(seen)
  },
)

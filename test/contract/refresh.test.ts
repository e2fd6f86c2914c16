import { afterEach, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function opened(): Promise<{ reference: Service; muster: Console }> {
  const reference = await service(leftovers, { devices: 600, tenants: 3 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  // The comparison after the subscription is over as well.
  await until(async () => {
    const [connection] = (await muster.call('app.state', {})).connections
    expect([connection?.sync.state, connection?.link.state]).toEqual(['idle', 'live'])
    expect(reference.operations().some(({ operationName }) => operationName === 'States')).toBe(true)
  })
  return { reference, muster }
}

/** The nodes of a device's room, site, tenant and region. */
async function placesOf(muster: Console): Promise<Record<'room' | 'site' | 'tenant' | 'region', string>> {
  const {
    rows: [row],
  } = await muster.call('inventory.rows', { query: { ...allByName, filter: 'room:* site:*' }, offset: 0, limit: 1 })
  const {
    places: [room],
  } = await muster.call('inventory.places', { asked: { device: row?.key ?? '' }, limit: 1 })
  const all = room === undefined ? [] : [room, ...room.above]
  return Object.fromEntries(all.map(({ kind, id }) => [kind, id])) as Record<'room', string> &
    Record<'site' | 'tenant' | 'region', string>
}

/** The requests of a refresh, without the reconciliation after a subscription and the subscription itself. */
const sent = (reference: Service) =>
  reference
    .operations()
    .filter(({ operationName }) => ['Tenants', 'Devices', 'StatesByIds'].includes(operationName ?? ''))
const since = (reference: Service, before: number) => sent(reference).slice(before)
const points = (asked: readonly { cost: number }[]) => asked.reduce((sum, { cost }) => sum + cost, 0)

test('the cost estimate of a refresh sends nothing; a tenant costs less than all of them', async () => {
  const { reference, muster } = await opened()
  const { tenant, region } = await placesOf(muster)
  const before = sent(reference).length
  const one = await muster.call('sync.cost', { scope: tenant })
  const all = await muster.call('sync.cost', { scope: 'all' })
  const some = await muster.call('sync.cost', { scope: region })
  expect(sent(reference)).toHaveLength(before)
  expect(one).toMatchObject({ full: { tenants: 1, known: true }, status: null })
  expect(all.full).toMatchObject({ tenants: 3, devices: 600 })
  expect(some.full.tenants).toBeLessThanOrEqual(3)
  expect(one.full.points).toBeLessThan(all.full.points / 2)
})

test('a tenant is read alone, within the cost estimate', async () => {
  const { reference, muster } = await opened()
  const { tenant } = await placesOf(muster)
  const { full } = await muster.call('sync.cost', { scope: tenant })
  const before = sent(reference).length
  await muster.call('sync.start', { scope: tenant })
  await until(() => expect(since(reference, before).length).toBeGreaterThan(0))
  await whenRead(muster)
  const asked = since(reference, before)
  expect(new Set(asked.map(({ operationName }) => operationName))).toEqual(new Set(['Devices']))
  expect(new Set(asked.map(({ variables }) => (variables as { tenant: string }).tenant)).size).toBe(1)
  expect(points(asked)).toBeLessThanOrEqual(full.points)
  expect(points(asked)).toBeGreaterThan(full.points * 0.7)
})

test('a status refresh of a room or a site reads its known devices alone', async () => {
  const { reference, muster } = await opened()
  const { room, site, tenant } = await placesOf(muster)
  const { full } = await muster.call('sync.cost', { scope: tenant })
  for (const scope of [room, site]) {
    const { counts } = await muster.call('inventory.counts', { scope })
    const { status } = await muster.call('sync.cost', { scope })
    const before = sent(reference).length
    await muster.call('sync.start', { scope, status: true })
    const asked = since(reference, before)
    expect(new Set(asked.map(({ operationName }) => operationName))).toEqual(new Set(['StatesByIds']))
    const devices = asked.reduce((sum, { variables }) => sum + Object.keys(variables as object).length, 0)
    expect(devices).toBe(status?.devices)
    expect(devices).toBe((counts?.connected ?? 0) + (counts?.disconnected ?? 0) + (counts?.unknown ?? 0))
    expect(points(asked)).toBeLessThan(full.points)
  }
})

test('a status refresh is rejected where devices cannot be read by their ids', async () => {
  const { muster } = await opened()
  const { tenant } = await placesOf(muster)
  await expect(muster.call('sync.start', { scope: tenant, status: true })).rejects.toThrow(/^input: scope/u)
  await expect(muster.call('sync.start', { scope: 'nowhere', status: true })).rejects.toThrow(/^input: scope/u)
})

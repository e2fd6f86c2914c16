import { expect, test } from 'vitest'
import { abroad, codes, idsIn, ready } from '../access/accounts-service.ts'
import { dig, digAll } from '../client.ts'

/** A room with several devices, and their ids in order. */
function fullRoom(devices: readonly { id: string; tenantId: string; room: { id: string } | null }[], tenantId: string) {
  const rooms = Map.groupBy(
    devices.filter((device) => device.tenantId === tenantId && device.room !== null),
    ({ room }) => room?.id ?? '',
  )
  const [roomId, inside] = [...rooms].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? ['', []]
  return { roomId, ids: inside.map(({ id }) => id) }
}

const walk = `query ($id: ID!, $sites: Int, $rooms: Int, $devices: Int) { tenant(id: $id) { accounts { id sites(params: { pageSize: $sites }) {
  edges { node { id rooms(params: { pageSize: $rooms }) { edges { node { id devices(params: { pageSize: $devices }) {
    edges { node { id } } pageInfo { totalCount countOnPage hasNextPage } } } } } } } } } } }`

test('one query walks from the tenant through account, site and room to the device', async () => {
  const { service, tenant, ask } = await ready(undefined, { devices: 60, tenants: 1 })
  const reply = await ask(walk, { id: tenant.id, sites: 2, rooms: 40, devices: 9 })
  expect(reply.at('errors')).toBeUndefined()
  const seen = digAll(reply.json, 'data', 'tenant', 'accounts').flatMap((account) =>
    digAll(account, 'sites', 'edges').flatMap((site) =>
      digAll(site, 'node', 'rooms', 'edges').flatMap((room) => {
        const devices = digAll(room, 'node', 'devices', 'edges').map((edge) => dig(edge, 'node', 'id'))
        expect(dig(room, 'node', 'devices', 'pageInfo')).toEqual({
          totalCount: devices.length,
          countOnPage: devices.length,
          hasNextPage: false,
        })
        return devices
      }),
    ),
  )
  const wanted = service.world.devices().filter(({ room }) => room !== null)
  expect(seen.toSorted()).toEqual(wanted.map(({ id }) => id))
})

test('the walk costs the product of its page sizes', async () => {
  const { tenant, ask } = await ready(undefined, { devices: 60, tenants: 1 })
  const reply = await ask(walk, { id: tenant.id, sites: 3, rooms: 10, devices: 5 })
  const room = 4 + 1 + 5 + (5 + 5 * (6 + 1)) + (5 + 3)
  const site = 3 + 1 + 3 + (4 + 10 * room)
  const account = 1 + 1 + 2 + (2 + 3 * site)
  expect(reply.headers['graphql-ratelimit-querycost']).toBe(String(1 + account))
})

const page = `query ($id: String!, $rooms: Int, $params: DeviceFindArgs) { site(id: $id) { rooms(params: { pageSize: $rooms }) { edges { node {
  id devices(params: $params) { edges { node { id name } } pageInfo { totalCount nextToken } } } } } } }`

test('the devices of a room are paged, sorted and filtered as those of a tenant', async () => {
  const { service, tenant, ask } = await ready()
  const { roomId, ids } = fullRoom(service.world.devices(), tenant.id)
  expect(ids.length).toBeGreaterThan(2)
  const siteId = service.world.room(roomId)?.siteId
  const read = async (params: object) => {
    const reply = await ask(page, { id: siteId, rooms: 90, params })
    const edges = digAll(reply.json, 'data', 'site', 'rooms', 'edges')
    return {
      reply,
      room: dig(
        edges.find((edge) => dig(edge, 'node', 'id') === roomId),
        'node',
        'devices',
      ),
    }
  }
  const idsOf = (room: unknown) => digAll(room, 'edges').map((edge) => dig(edge, 'node', 'id'))
  const turned = { sort: { fields: [{ name: 'id', direction: 'DESC' }] } }
  expect(idsOf((await read(turned)).room)).toEqual(ids.toReversed())
  const byName = service.world
    .devices()
    .filter(({ id }) => ids.includes(id))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  expect(idsOf((await read({ sort: { fields: [{ name: 'name' }] } })).room)).toEqual(byName.map(({ id }) => id))
  const one = (await read({ filter: { field: 'id', contains: ids[1] } })).room
  expect([idsOf(one), dig(one, 'pageInfo', 'totalCount')]).toEqual([[ids[1]], 1])
  expect(codes((await read({ filter: { field: 'floor', eq: '1' } })).reply)).toContain('BAD_USER_INPUT')
})

const pageOfDevice = `query ($id: String!, $params: DeviceFindArgs) { device(id: $id) { room { devices(params: $params) {
  edges { node { id } } pageInfo { nextToken } } } } }`

test('pages of a room hold each of its devices once, and their token fits no other room', async () => {
  const { service, tenant, ask } = await ready()
  const { ids } = fullRoom(service.world.devices(), tenant.id)
  const read = (id: string | undefined, nextToken: unknown) =>
    ask(pageOfDevice, { id, params: { pageSize: 1, nextToken } })
  const seen: unknown[] = []
  let next: unknown = null
  const tokens: unknown[] = []
  do {
    const reply = await read(ids[0], next)
    seen.push(...idsIn(reply, 'device', 'room', 'devices'))
    next = reply.at('data', 'device', 'room', 'devices', 'pageInfo', 'nextToken')
    tokens.push(next)
  } while (next !== null)
  expect(seen).toEqual(ids)
  const elsewhere = service.world.find(({ room, id }) => room !== null && !ids.includes(id))
  expect(codes(await read(elsewhere.id, tokens[0]))).toEqual(['BAD_USER_INPUT'])
})

test('a set of one account sees the devices in the rooms of its sites', async () => {
  const { service, ask } = await ready((world) => ({ accounts: [abroad(world).account.id] }))
  const { tenant, account } = abroad(service.world)
  const { roomId, ids } = fullRoom(
    service.world.devices().filter(({ site }) => site?.accountId === account.id),
    tenant.id,
  )
  expect(idsIn(await ask(pageOfDevice, { id: ids[0], params: {} }), 'device', 'room', 'devices')).toEqual(ids)
  expect(service.world.room(roomId)).toBeDefined()
})

test('the role device_user reads no devices through a room', async () => {
  const { service, tenant, ask } = await ready(() => ({ role: 'device_user' }))
  const query = `query ($id: ID!) { tenant(id: $id) { inventory { deviceSearch { edges { node { room { devices { edges { node { id } } } } } } } } } }`
  const rooms = service.world
    .devices(tenant.id)
    .slice(0, 10)
    .filter(({ room }) => room !== null).length
  expect(codes(await ask(query, { id: tenant.id }))).toEqual(Array.from({ length: rooms }, () => 'FORBIDDEN'))
})

import { expect, test } from 'vitest'
import { roles } from '../../../src-service/access/roles.ts'
import type { Role } from '../../../src-service/access/roles.ts'
import type { ServiceOptions } from '../../../src-service/service.ts'
import { dig, digAll, eightFields, open, plainClient, streamClient, until } from '../client.ts'

/** One set for each role, and a client of each. */
async function ready(options: ServiceOptions = {}) {
  const service = await open({ credentials: () => roles.map((role) => ({ name: role, role })), ...options })
  const as = async (role: Role) => {
    const set = service.credentials.list().find((one) => one.role === role)
    if (!set) throw new Error(`no set of role ${role}`)
    const client = plainClient(service, { h2: true, set })
    const token = await client.token()
    return { set, token, ask: (query: string, variables: unknown = {}) => client.ask(token, query, variables) }
  }
  return { service, as }
}

const codes = (reply: { json: unknown }) =>
  digAll(reply.json, 'errors').map((error) => dig(error, 'extensions', 'code'))

test.each(roles)('%s reads the fields of the specification', async (role) => {
  const { service, as } = await ready()
  const { ask } = await as(role)
  const reply = await ask(
    `{ tenants { id name region { id } } deviceSearch(params: { pageSize: 200, filter: { OR: [{ field: "site", exists: true }, { field: "name", contains: "" }] }, sort: { fields: [{ name: "name" }] } }) { edges { node { ${eightFields} } } } calculateQueryCost { queryCost } }`,
  )
  expect(reply.at('errors')).toBeUndefined()
  expect(digAll(reply.json, 'data', 'deviceSearch', 'edges')).toHaveLength(service.world.devices().length)
})

test('device_user: any further field is null with FORBIDDEN at any depth, the rest intact', async () => {
  const { service, as } = await ready()
  const { ask } = await as('device_user')
  const device = service.world.find(({ room }) => room !== null)
  const query = `query ($name: String!) { deviceSearch(params: { filter: { field: "name", eq: $name } }) { edges { node { id name serialNumber room { name capacity } } } } tenants { id inventory { deviceCount } } device(id: "x") { id } }`
  const reply = await ask(query, { name: device.name })
  expect(reply.status).toBe(200)
  expect(reply.at('data', 'deviceSearch', 'edges', 0, 'node')).toEqual({
    id: device.id,
    name: device.name,
    serialNumber: null,
    room: { name: device.room?.name, capacity: null },
  })
  expect(reply.at('data', 'tenants')).toEqual(
    service.world.tenants().map(({ id }) => ({ id, inventory: { deviceCount: null } })),
  )
  expect(reply.at('data', 'device')).toBeNull()
  expect(new Set(codes(reply))).toEqual(new Set(['FORBIDDEN']))
  const refusal = digAll(reply.json, 'errors').find((error) => dig(error, 'path', 4) === 'serialNumber')
  expect(refusal).toMatchObject({
    message: 'Authorization failed',
    extensions: { code: 'FORBIDDEN', permissions: ['device:details'], resource: { id: device.id, type: 'device' } },
  })
})

test('device_user: filters and sorts do not reveal forbidden fields', async () => {
  const { ask } = await (await ready()).as('device_user')
  const search = (params: string) => ask(`{ deviceSearch(params: ${params}) { pageInfo { totalCount } } }`)
  const refused = await Promise.all([
    search('{ filter: { field: "serialNumber", contains: "8" } }'),
    search('{ filter: { NOT: [{ AND: [{ field: "macAddress", exists: true }] }] } }'),
    search('{ sort: { fields: [{ name: "serialNumber" }] } }'),
  ])
  expect(refused.map(codes)).toEqual([['FORBIDDEN'], ['FORBIDDEN'], ['FORBIDDEN']])
  expect(
    (await search('{ filter: { field: "room", exists: true } }')).at('data', 'deviceSearch', 'pageInfo', 'totalCount'),
  ).toBeGreaterThan(0)
})

test.each([
  ['admin', true],
  ['it-admin', true],
  ['user', false],
  ['device_user', false],
] as const)('%s writes: %s; each aliased field of a mutation by itself', async (role, allowed) => {
  const { service, as } = await ready()
  const { ask } = await as(role)
  const [tenant] = service.world.tenants()
  const device = service.world.find(
    ({ connected, tenantId, site }) => connected === true && site !== null && tenantId === tenant?.id,
  )
  const query = `mutation ($id: String!, $site: String!, $place: ID!, $tenant: ID!) {
    calculateQueryCost { queryCost }
    a: updateDevice(id: $id, fields: { name: "Renamed" }) { id name }
    b: rebootDevice(deviceId: $id) { success }
    c: rebootDevicesBySiteId(siteId: $site) { success }
    d: upsertSite(fields: { tenantId: $tenant, name: "New site" }) { name }
    e: upsertRoom(fields: { tenantId: $tenant, siteId: $place, name: "New room" }) { name }
    f: rebootDevice(deviceId: "nobody") { success }
  }`
  const reply = await ask(query, { id: device.id, site: device.site?.id, place: device.site?.id, tenant: tenant?.id })
  expect(reply.status).toBe(200)
  expect(reply.at('data', 'calculateQueryCost', 'queryCost')).toBe(15)
  expect(codes(reply)).toEqual(allowed ? ['NOT_FOUND'] : Array.from({ length: 6 }, () => 'FORBIDDEN'))
  expect(['a', 'b', 'd', 'e', 'f'].map((key) => reply.at('data', key))).toEqual(
    allowed
      ? [{ id: device.id, name: 'Renamed' }, { success: true }, { name: 'New site' }, { name: 'New room' }, null]
      : [null, null, null, null, null],
  )
  expect(service.world.device(device.id)).toMatchObject(
    allowed ? { name: 'Renamed', connected: false } : { name: device.name, connected: true },
  )
  expect(reply.headers['ratelimit-remaining']).toBe(String(100_000 - 15))
})

test('without a token each field of a mutation asks to log in', async () => {
  const { service } = await ready()
  const reply = await plainClient(service).ask(
    null,
    'mutation { a: rebootDevice(deviceId: "x") { success } b: upsertSite(fields: { tenantId: "t", name: "n" }) { id } }',
  )
  expect(codes(reply)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED'])
})

test('a device out of reach is NOT_FOUND to a mutation, and none moves out of the own sites', async () => {
  const { service, as } = await ready({
    credentials: (world) => {
      const [tenant] = world.tenants()
      const [site] = world.sites(tenant?.id ?? '')
      if (!tenant || !site) throw new Error('no site')
      return [{ role: 'it-admin', tenants: [tenant.id], sites: [site.id] }]
    },
    devices: 300,
  })
  const { set, ask } = await as('it-admin')
  const siteId = set.reach?.sites?.[0] ?? ''
  const inside = service.world.find(({ site }) => site?.id === siteId)
  const outside = service.world.find(
    ({ site, tenantId }) => site !== null && site.id !== siteId && tenantId === inside.tenantId,
  )
  const query = `mutation ($in: String!, $out: String!, $place: String!, $site: ID!, $room: ID, $tenant: ID!) {
    a: rebootDevice(deviceId: $out) { success }
    b: updateDevice(id: $out, fields: { name: "x" }) { id }
    c: rebootDevicesBySiteId(siteId: $place) { success }
    d: updateDevice(id: $in, fields: { siteId: $site }) { id }
    e: updateDevice(id: $in, fields: { roomId: $room }) { id }
    f: upsertRoom(fields: { tenantId: $tenant, id: $room, name: "x" }) { id }
    g: updateDevice(id: $in, fields: { siteId: null }) { id }
    h: upsertSite(fields: { tenantId: $tenant, name: "x" }) { id }
    i: updateDevice(id: $in, fields: { name: "Mine" }) { name }
  }`
  const room = service.world.find((device) => device.room !== null && device.site?.id === outside.site?.id).room
  const reply = await ask(query, {
    in: inside.id,
    out: outside.id,
    place: outside.site?.id,
    site: outside.site?.id,
    room: room?.id,
    tenant: inside.tenantId,
  })
  expect(codes(reply)).toEqual([...Array.from({ length: 6 }, () => 'NOT_FOUND'), 'FORBIDDEN', 'FORBIDDEN'])
  expect(reply.at('data', 'i')).toEqual({ name: 'Mine' })
  expect(service.world.device(outside.id)).toEqual(outside)
})

test('streams accept a user and reject a device_user; another role takes effect at once', async () => {
  const { service, as } = await ready()
  const device = service.world.find(({ connected }) => connected === true)
  const watch = (token: string) => {
    const seen: unknown[] = []
    streamClient(service, token).subscribe(
      {
        query: 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { id name } }',
        variables: { ids: [device.id] },
      },
      { next: (result) => void seen.push(result), error: (error) => void seen.push(error), complete: () => undefined },
    )
    return seen
  }
  const refused = watch((await as('device_user')).token)
  await until(() => refused.length > 0)
  expect(dig(refused[0], 'errors', 0, 'extensions', 'code') ?? dig(refused[0], 0, 'extensions', 'code')).toBe(
    'FORBIDDEN',
  )
  const user = await as('user')
  const seen = watch(user.token)
  await until(() => service.subscribedIds().includes(device.id))
  service.world.setConnected(device.id, false)
  await until(() => seen.length > 0)
  expect(seen).toEqual([{ data: { deviceStream: { id: device.id, name: device.name } } }])
  const rename = 'mutation ($id: String!) { updateDevice(id: $id, fields: { name: "N" }) { name } }'
  expect(codes(await user.ask(rename, { id: device.id }))).toEqual(['FORBIDDEN'])
  service.credentials.setRole(user.set.clientId, 'admin')
  expect((await user.ask(rename, { id: device.id })).at('data', 'updateDevice', 'name')).toBe('N')
  await until(() => seen.length === 2)
  service.credentials.setRole(user.set.clientId, 'device_user')
  service.world.setConnected(device.id, true)
  service.credentials.setRole(user.set.clientId, 'user')
  service.world.renameDevice(device.id, 'Last')
  await until(() => seen.length > 2)
  expect(seen.map((result) => dig(result, 'data', 'deviceStream', 'name'))).toEqual([device.name, 'N', 'Last'])
})

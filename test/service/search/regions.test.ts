import { expect, onTestFinished, test } from 'vitest'
import { openPlanes } from '../../../src-service/faults/misfortune/regions.ts'
import type { ServiceOptions } from '../../../src-service/service.ts'
import { createWorld } from '../../../src-service/world/world.ts'
import { dig, digAll, open, plainClient, streamClient, until } from '../client.ts'

/** Two tenants, one in each region, with a device each, and a caller who sees all. */
async function ready(options: ServiceOptions = {}) {
  const service = await open(options)
  const [us, eu] = service.world.tenants()
  if (us?.region !== 'US-1' || eu?.region !== 'EU-1') throw new Error('the regions have changed')
  const [inUs, inEu] = [us, eu].map(({ id }) =>
    service.world.find(({ tenantId, connected, site }) => tenantId === id && connected === true && site !== null),
  )
  if (!inUs || !inEu) throw new Error('no devices')
  const client = plainClient(service)
  const token = await client.token()
  return {
    service,
    us,
    eu,
    inUs,
    inEu,
    token,
    ask: (query: string, variables: unknown = {}) => client.ask(token, query, variables),
  }
}

const errorsOf = (reply: { json: unknown }) =>
  digAll(reply.json, 'errors').map((error) => [
    dig(error, 'extensions', 'code'),
    dig(error, 'extensions', 'resource', 'id'),
    digAll(error, 'path').join('.'),
  ])
const pageOf =
  'deviceSearch(params: { pageSize: 200 }) { edges { node { id tenantId } } pageInfo { totalCount countOnPage hasNextPage } }'

test.each(['full', 'minimal'] as const)(
  '%s: with a region gone all tenants are listed, and only its data is null',
  async (profile) => {
    const { service, us, eu, ask } = await ready({ profile, devices: 12 })
    service.misfortune.region('EU-1', 'gone')
    expect((await ask('{ tenants { id name region { id } } }')).json).toEqual({
      data: { tenants: [us, eu].map(({ id, name, region }) => ({ id, name, region: { id: region } })) },
    })
    const reply = await ask(
      'query ($us: ID!, $eu: ID!) { us: tenant(id: $us) { id inventory { deviceSearch { edges { node { id } } } } } eu: tenant(id: $eu) { id region { id } inventory { deviceSearch { edges { node { id } } } } } calculateQueryCost { queryCost } }',
      { us: us.id, eu: eu.id },
    )
    expect(reply.status).toBe(200)
    expect(digAll(reply.json, 'data', 'us', 'inventory', 'deviceSearch', 'edges')).toHaveLength(
      service.world.devices(us.id).length,
    )
    expect(reply.at('data', 'eu')).toEqual({ id: eu.id, region: { id: 'EU-1' }, inventory: { deviceSearch: null } })
    expect(reply.at('data', 'calculateQueryCost', 'queryCost')).toBeGreaterThan(0)
    expect(errorsOf(reply)).toEqual([['REGION_UNAVAILABLE', 'EU-1', 'eu.inventory.deviceSearch']])
    service.misfortune.region('EU-1', 'up')
    expect(
      (
        await ask('query ($id: ID!) { tenant(id: $id) { inventory { deviceSearch { edges { node { id } } } } } }', {
          id: eu.id,
        })
      ).at('errors'),
    ).toBeUndefined()
  },
)

test('a search over all regions returns the reachable devices and an error beside them', async () => {
  const { service, us, eu, ask } = await ready()
  const [usual, ofUs, ofEu] = [undefined, us.id, eu.id].map((tenant) =>
    service.world.devices(tenant).map(({ id }) => id),
  )
  service.misfortune.region('US-1', 'gone')
  const reply = await ask(`{ all: ${pageOf} again: deviceSearch { pageInfo { totalCount } } tenants { id } }`)
  expect(digAll(reply.json, 'data', 'all', 'edges').map((edge) => dig(edge, 'node', 'id'))).toEqual(ofEu)
  expect(reply.at('data', 'all', 'pageInfo')).toEqual({
    totalCount: ofEu?.length,
    countOnPage: ofEu?.length,
    hasNextPage: false,
  })
  expect(reply.at('data', 'tenants')).toHaveLength(2)
  expect(errorsOf(reply)).toEqual([
    ['REGION_UNAVAILABLE', 'US-1', 'all'],
    ['REGION_UNAVAILABLE', 'US-1', 'again'],
  ])
  service.misfortune.region('EU-1', 'gone')
  const nothing = await ask(`{ all: ${pageOf} tenants { id } }`)
  expect([nothing.at('data', 'all'), nothing.at('data', 'tenants'), errorsOf(nothing).length]).toEqual([
    null,
    reply.at('data', 'tenants'),
    1,
  ])
  service.misfortune.region('US-1', 'up')
  expect(
    digAll((await ask(`{ all: ${pageOf} }`)).json, 'data', 'all', 'edges').map((edge) => dig(edge, 'node', 'id')),
  ).toEqual(ofUs)
  service.misfortune.region('EU-1', 'up')
  const whole = await ask(`{ all: ${pageOf} }`)
  expect([
    digAll(whole.json, 'data', 'all', 'edges').map((edge) => dig(edge, 'node', 'id')),
    whole.at('errors'),
  ]).toEqual([usual, undefined])
})

test('a caller with one region does not notice that the other one is gone', async () => {
  const { service, us, inEu } = await ready()
  const set = service.credentials.add({ tenants: [us.id] })
  service.misfortune.region('EU-1', 'gone')
  const client = plainClient(service, { h2: true, set })
  const reply = await client.ask(await client.token(), `query ($id: String!) { ${pageOf} device(id: $id) { id } }`, {
    id: inEu.id,
  })
  expect(reply.at('data', 'deviceSearch', 'pageInfo', 'totalCount')).toBe(service.world.devices(us.id).length)
  expect(digAll(reply.json, 'errors').map((error) => dig(error, 'extensions', 'code'))).toEqual(['NOT_FOUND'])
})

test('with a region gone a device found elsewhere is returned, an unknown one is an error', async () => {
  const { service, inUs, inEu, eu, ask } = await ready()
  const query =
    'query ($us: String!, $eu: String!) { us: device(id: $us) { id room { site { id } } } eu: device(id: $eu) { id } no: device(id: "nobody") { id } tenants { inventory { deviceCount } } }'
  const before = await ask(query, { us: inUs.id, eu: inEu.id })
  expect([
    before.at('data', 'us', 'id'),
    before.at('data', 'eu'),
    digAll(before.json, 'errors').map((error) => dig(error, 'extensions', 'code')),
  ]).toEqual([inUs.id, { id: inEu.id }, ['NOT_FOUND']])
  service.misfortune.region('EU-1', 'gone')
  const after = await ask(query, { us: inUs.id, eu: inEu.id })
  expect(after.at('data', 'us')).toEqual(before.at('data', 'us'))
  expect(after.at('data', 'tenants')).toEqual([
    { inventory: { deviceCount: service.world.devices().filter(({ tenantId }) => tenantId !== eu.id).length } },
    { inventory: { deviceCount: null } },
  ])
  expect(errorsOf(after).sort()).toEqual([
    ['REGION_UNAVAILABLE', 'EU-1', 'eu'],
    ['REGION_UNAVAILABLE', 'EU-1', 'no'],
    ['REGION_UNAVAILABLE', 'EU-1', 'tenants.1.inventory.deviceCount'],
  ])
})

test('a mutation in a region that is gone fails and changes nothing', async () => {
  const { service, us, eu, inUs, inEu, ask } = await ready()
  const before = service.world.devices(eu.id)
  const sites = service.world.sites(eu.id)
  service.misfortune.region('EU-1', 'gone')
  const mutation = `mutation ($us: String!, $eu: String!, $tenant: ID!, $other: ID!, $site: String!, $place: ID!) {
    a: updateDevice(id: $eu, fields: { name: "x" }) { id }
    b: rebootDevice(deviceId: $eu) { success }
    c: rebootDevicesBySiteId(siteId: $site) { success }
    d: upsertSite(fields: { tenantId: $tenant, name: "x" }) { id }
    e: upsertRoom(fields: { tenantId: $tenant, siteId: $place, name: "x" }) { id }
    f: updateDevice(id: $us, fields: { name: "Renamed" }) { name }
    g: upsertSite(fields: { tenantId: $other, name: "Annex" }) { name }
    h: rebootDevice(deviceId: $us) { success }
  }`
  const reply = await ask(mutation, {
    us: inUs.id,
    eu: inEu.id,
    tenant: eu.id,
    other: us.id,
    site: inEu.site?.id,
    place: inEu.site?.id,
  })
  expect(errorsOf(reply)).toEqual(['a', 'b', 'c', 'd', 'e'].map((path) => ['REGION_UNAVAILABLE', 'EU-1', path]))
  expect(reply.at('data')).toEqual({
    a: null,
    b: null,
    c: null,
    d: null,
    e: null,
    f: { name: 'Renamed' },
    g: { name: 'Annex' },
    h: { success: true },
  })
  expect([service.world.devices(eu.id), service.world.sites(eu.id)]).toEqual([before, sites])
})

test('streams send nothing of a region that is gone, and go on when it is back', async () => {
  const { service, inUs, inEu, token } = await ready()
  const seen: unknown[] = []
  const push = (result: unknown) => void seen.push(dig(result, 'data', 'deviceStream'))
  streamClient(service, token).subscribe(
    {
      query: 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { id name } }',
      variables: { ids: [inUs.id, inEu.id] },
    },
    { next: push, error: push, complete: () => undefined },
  )
  await until(() => service.subscribedIds().length === 2)
  service.misfortune.region('EU-1', 'gone')
  service.world.renameDevice(inEu.id, 'Unheard')
  service.world.renameDevice(inUs.id, 'Heard')
  await until(() => seen.length > 0)
  service.misfortune.region('EU-1', 'up')
  service.world.renameDevice(inEu.id, 'Heard again')
  await until(() => seen.length > 1)
  expect(seen).toEqual([
    { id: inUs.id, name: 'Heard' },
    { id: inEu.id, name: 'Heard again' },
  ])
})

const hour = 3_600_000

test('a slow region delays only the requests that need it', async () => {
  const { service, us, eu, inUs, inEu, ask } = await ready()
  service.misfortune.region('EU-1', 'slow', hour)
  const done: string[] = []
  const asked = (name: string, query: string, variables: unknown) =>
    ask(query, variables).finally(() => done.push(name))
  const inventory =
    'query ($id: ID!) { tenant(id: $id) { inventory { deviceCount deviceSearch { pageInfo { totalCount } } } } }'
  const device = 'query ($id: String!) { device(id: $id) { id } }'
  const waiting = [
    asked('tenant', inventory, { id: eu.id }),
    asked('all', `{ ${pageOf} }`, {}),
    asked('device', device, { id: inEu.id }),
    asked('write', 'mutation ($id: String!) { updateDevice(id: $id, fields: { name: "Late" }) { name } }', {
      id: inEu.id,
    }),
  ]
  expect((await ask(inventory, { id: us.id })).at('errors')).toBeUndefined()
  expect((await ask(device, { id: inUs.id })).at('data', 'device')).toEqual({ id: inUs.id })
  expect((await ask('{ tenants { id region { id } } }')).at('data', 'tenants')).toHaveLength(2)
  expect([done, service.world.device(inEu.id)?.name]).toEqual([[], inEu.name])
  service.misfortune.region('EU-1', 'up')
  const answers = await Promise.all(waiting)
  expect(answers.map((answer) => answer.at('errors'))).toEqual([undefined, undefined, undefined, undefined])
  expect(service.world.device(inEu.id)?.name).toBe('Late')
})

test('a request to a slow region fails with the region, or is answered after the latency', async () => {
  const { service, eu, us, ask } = await ready()
  const count = 'query ($id: ID!) { tenant(id: $id) { inventory { deviceCount } } }'
  service.misfortune.region('EU-1', 'slow', hour)
  const [own, all] = [ask(count, { id: eu.id }), ask(`{ ${pageOf} }`)]
  await until(() => service.requests() === 2)
  await ask('{ tenants { id } }')
  service.misfortune.region('EU-1', 'gone')
  expect(errorsOf(await own)).toEqual([['REGION_UNAVAILABLE', 'EU-1', 'tenant.inventory.deviceCount']])
  expect([errorsOf(await all), (await all).at('data', 'deviceSearch', 'pageInfo', 'totalCount')]).toEqual([
    [['REGION_UNAVAILABLE', 'EU-1', 'deviceSearch']],
    service.world.devices(us.id).length,
  ])
  service.misfortune.region('EU-1', 'slow', 1)
  expect((await ask(count, { id: eu.id })).at('data', 'tenant', 'inventory', 'deviceCount')).toBe(
    service.world.devices(eu.id).length,
  )
})

test('the service stops while a request waits for a slow region', async () => {
  const { service, eu, ask } = await ready()
  service.misfortune.region('EU-1', 'slow', hour)
  const cut = ask('query ($id: ID!) { tenant(id: $id) { inventory { deviceCount } } }', { id: eu.id }).then(
    () => 'answered',
    () => 'cut',
  )
  await until(() => service.requests() === 1)
  await service.stop()
  expect(await cut).toBe('cut')
})

test('a data plane has no data of the other region', async () => {
  const world = createWorld({ devices: 120, tenants: 2, now: Date.now })
  const planes = openPlanes(world)
  onTestFinished(() => {
    planes.stop()
    world.close()
  })
  const [us, eu] = world.tenants()
  const device = world.find(({ tenantId, room }) => tenantId === eu?.id && room !== null)
  if (!us || !eu || !device.site || !device.room) throw new Error('no such device')
  const { site, room } = device
  const look = (region: 'US-1' | 'EU-1') =>
    planes
      .of(region)
      .use((data) => [
        data.device(device.id)?.id,
        data.site(site.id)?.id,
        data.room(room.id)?.id,
        data.sites(eu.id).length,
        data.rooms(site.id).length,
      ])
  expect(look('US-1')).toEqual([undefined, undefined, undefined, 0, 0])
  expect(look('EU-1')).toEqual([device.id, site.id, room.id, world.sites(eu.id).length, world.rooms(site.id).length])
  const all = { tenantId: eu.id, filter: null, sort: [], pageSize: 10, after: null }
  const page = { pageSize: 10, after: null, ids: null }
  expect(() => planes.of('US-1').use((data) => data.search(all))).toThrow('Region US-1 has no tenant')
  expect(() => planes.of('US-1').use((data) => data.count({ ...all, tenantId: null }))).toThrow(
    'Region US-1 has no tenant',
  )
  expect(() => planes.of('US-1').use((data) => data.sitesOf(site.accountId, page))).toThrow('Region US-1 has no tenant')
  expect(() => planes.of('US-1').use((data) => data.roomsOf(site.id, page))).toThrow('Region US-1 has no tenant')
  expect(await planes.ofTenant(eu.id).use((data) => data.count(all))).toBe(world.devices(eu.id).length)
})

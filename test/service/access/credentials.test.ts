import { expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { dig, digAll, open, plainClient, streamClient, until, type Pair } from '../client.ts'

const searchAll = '{ deviceSearch(params: { pageSize: 200 }) { edges { node { id } } pageInfo { totalCount } } }'
const stream = 'subscription Live($ids: [String!]!) { deviceStream(deviceIds: $ids) { id connected } }'

async function logIn(service: Service, set: Pair) {
  const client = plainClient(service, { h2: true, set })
  const token = await client.token()
  return { ...client, token, ask: (query: string, variables: unknown = {}) => client.ask(token, query, variables) }
}

/** Three tenants; a set for the first, one for the first two, one for a single site of the second. */
async function overlapping(options: ServiceOptions = {}) {
  const service = await open({
    devices: 180,
    tenants: 3,
    credentials: (world) => {
      const [first, second] = world.tenants().map(({ id }) => id)
      if (first === undefined || second === undefined) throw new Error('too few tenants')
      return [
        { name: 'One', tenants: [first] },
        { name: 'Two', tenants: [first, second] },
        {
          name: 'A site',
          tenants: [second],
          sites: world
            .sites(second)
            .slice(0, 1)
            .map(({ id }) => id),
        },
      ]
    },
    ...options,
  })
  const [one, two, site] = service.credentials.list()
  if (!one || !two || !site) throw new Error('a set is missing')
  return { service, one, two, site }
}

const idsOf = async (service: Service, set: Pair) =>
  digAll((await (await logIn(service, set)).ask(searchAll)).json, 'data', 'deviceSearch', 'edges').map((edge) =>
    dig(edge, 'node', 'id'),
  )

/** Subscribes, and collects the codes with which its socket closes. */
function closeCodes(service: Service, token: string): unknown[] {
  const codes: unknown[] = []
  const client = streamClient(service, token)
  client.on('closed', (event) => void codes.push(dig(event, 'code')))
  client.subscribe(
    { query: stream, variables: { ids: ['nobody'] } },
    { next: () => undefined, error: () => undefined, complete: () => undefined },
  )
  return codes
}

test('a set sees its own tenants and nothing else, in every query', async () => {
  const { service, one, two } = await overlapping()
  const [first, second, third] = service.world.tenants()
  const asOne = await logIn(service, one)
  expect((await asOne.ask('{ tenants { id } }')).at('data', 'tenants')).toEqual([{ id: first?.id }])
  expect((await (await logIn(service, two)).ask('{ tenants { id } }')).at('data', 'tenants')).toEqual([
    { id: first?.id },
    { id: second?.id },
  ])
  const foreign = await asOne.ask('query ($id: ID!) { tenant(id: $id) { id inventory { deviceCount } } }', {
    id: third?.id,
  })
  expect(foreign.at('errors', 0, 'extensions', 'code')).toBe('NOT_FOUND')
  const device = service.world.devices(third?.id)[0]
  expect(
    (await asOne.ask('query ($id: String!) { device(id: $id) { id } }', { id: device?.id })).at('data', 'device'),
  ).toBeNull()
  expect(await idsOf(service, one)).toEqual(service.world.devices(first?.id).map(({ id }) => id))
  expect(await idsOf(service, two)).toHaveLength(
    service.world.devices(first?.id).length + service.world.devices(second?.id).length,
  )
})

test('a scope of sites shows their devices alone, in pages, counts and filters', async () => {
  const { service, site } = await overlapping()
  const wanted = service.world.devices().filter((device) => device.site?.id === site.reach?.sites?.[0])
  expect(wanted.length).toBeGreaterThan(2)
  const asSite = await logIn(service, site)
  expect(await idsOf(service, site)).toEqual(wanted.map(({ id }) => id))
  const pages =
    'query ($id: ID!, $token: String) { tenant(id: $id) { inventory { deviceCount deviceSearch(params: { pageSize: 2, nextToken: $token }) { edges { node { id } } pageInfo { totalCount nextToken } } } } }'
  const tenant = wanted[0]?.tenantId
  const first = await asSite.ask(pages, { id: tenant })
  const inventory = ['data', 'tenant', 'inventory']
  expect([
    first.at(...inventory, 'deviceCount'),
    first.at(...inventory, 'deviceSearch', 'pageInfo', 'totalCount'),
  ]).toEqual([wanted.length, wanted.length])
  const next = await asSite.ask(pages, {
    id: tenant,
    token: first.at(...inventory, 'deviceSearch', 'pageInfo', 'nextToken'),
  })
  expect(next.at(...inventory, 'deviceSearch', 'edges', 0, 'node', 'id')).toBe(wanted[2]?.id)
})

test('a stream carries nothing that lies out of reach, also after a move', async () => {
  const { service, site } = await overlapping()
  const [inside, moving] = service.world.devices().filter((device) => device.site?.id === site.reach?.sites?.[0])
  const outside = service.world.find(
    (device) => device.tenantId === site.reach?.tenants?.[0] && device.site?.id !== site.reach.sites?.[0],
  )
  if (!inside || !moving) throw new Error('no such devices')
  const { token } = await logIn(service, site)
  const seen: unknown[] = []
  streamClient(service, token).subscribe(
    { query: stream, variables: { ids: [inside.id, moving.id, outside.id] } },
    { next: ({ data }) => void seen.push(data?.['deviceStream']), error: () => undefined, complete: () => undefined },
  )
  await until(() => service.subscribedIds().length === 3)
  service.world.setConnected(outside.id, outside.connected !== true)
  service.world.moveDevice(moving.id, null, null)
  service.world.setConnected(inside.id, inside.connected !== true)
  await until(() => seen.length > 0)
  expect(seen).toEqual([{ id: inside.id, connected: inside.connected !== true }])
})

test('each set has a balance of its own, and operations and rejections count by set', async () => {
  const { service, one, two } = await overlapping({ balance: 2_000 })
  const [asOne, asTwo] = [await logIn(service, one), await logIn(service, two)]
  const before = Number((await asTwo.ask('{ tenants { id } }')).headers['ratelimit-remaining'])
  const first = await asOne.ask(searchAll)
  expect(first.status).toBe(200)
  expect((await asOne.ask(searchAll)).status).toBe(200)
  const refused = await asOne.ask('{ deviceSearch(params: { pageSize: 2000 }) { edges { node { id } } } }')
  expect(refused.status).toBe(429)
  const after = await asTwo.ask('{ tenants { id } }')
  expect(before - Number(after.headers['ratelimit-remaining'])).toBe(
    Number(after.headers['graphql-ratelimit-querycost']),
  )
  expect(service.operations().map(({ clientId }) => clientId)).toEqual(
    [two, one, one, one, two].map(({ clientId }) => clientId),
  )
  expect([service.rejections(), service.rejections(one.clientId), service.rejections(two.clientId)]).toEqual([
    { tooExpensive: 0, exhausted: 1 },
    { tooExpensive: 0, exhausted: 1 },
    { tooExpensive: 0, exhausted: 0 },
  ])
})

test.each(['setActive', 'remove'] as const)(
  '%s: the secret, tokens and sockets of that set fail, and those of no other',
  async (verb) => {
    const { service, one, two } = await overlapping()
    const [asOne, asTwo] = [await logIn(service, one), await logIn(service, two)]
    const [closedOne, closedTwo] = [closeCodes(service, asOne.token), closeCodes(service, asTwo.token)]
    await until(() => service.openSockets() === 2 && service.subscribedIds().length === 1)
    if (verb === 'remove') service.credentials.remove(one.clientId)
    else service.credentials.setActive(one.clientId, false)
    await until(() => closedOne.length === 1)
    expect([closedOne, closedTwo]).toEqual([[4403], []])
    expect((await asOne.askToken()).status).toBe(401)
    expect((await asOne.ask('{ tenants { id } }')).at('errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
    expect((await asTwo.ask('{ tenants { id } }')).at('errors')).toBeUndefined()
    const again = closeCodes(service, asOne.token)
    await until(() => again.length === 1)
    expect(again).toEqual([4403])
  },
)

test('a set that is switched on again works with the same secret, and its reach can change', async () => {
  const { service, one } = await overlapping()
  const third = service.world.tenants()[2]
  service.credentials.setActive(one.clientId, false)
  service.credentials.setActive(one.clientId, true)
  service.credentials.setReach(one.clientId, { tenants: [third?.id ?? ''] })
  expect(await idsOf(service, one)).toEqual(service.world.devices(third?.id).map(({ id }) => id))
  expect(() => service.credentials.add({ clientId: one.clientId })).toThrow('already')
  expect(() => service.credentials.setActive('nobody', true)).toThrow('nobody')
  const added = service.credentials.add({ name: 'Late' })
  expect(await idsOf(service, added)).toHaveLength(180)
})

test('per-tenant: one set for each tenant, and together they see each device once', async () => {
  const service = await open({ devices: 90, tenants: 5, credentials: 'per-tenant' })
  const sets = service.credentials.list()
  expect(sets.map(({ name }) => name)).toEqual(service.world.tenants().map(({ name }) => name))
  const seen = (await Promise.all(sets.map((set) => idsOf(service, set)))).flat()
  expect(seen.sort()).toEqual(service.world.devices().map(({ id }) => id))
})

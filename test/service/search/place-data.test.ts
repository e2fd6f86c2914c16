import { expect, test } from 'vitest'
import { abroad, codes, moment, ready } from '../access/accounts-service.ts'
import { dig, digAll } from '../client.ts'
import { contrary } from '../contrary/contrary.ts'

const rooms = `query ($id: ID!, $params: RoomConnectionParams) { tenant(id: $id) { roomData(params: $params) {
  total pageInfo { hasNextPage endCursor } edges { node { id name capacity size floor site { id name } } } } } }`
const sites = `query ($id: String!, $params: SiteConnectionParams) { siteData(tenantId: $id, params: $params) {
  total pageInfo { hasNextPage endCursor } edges { node { id name } } } }`

type Opened = Awaited<ReturnType<typeof ready>>

/** All pages of a list; each but the last says that there are more. */
async function readAll({ ask }: Pick<Opened, 'ask'>, query: string, id: string, params: object) {
  const nodes: unknown[] = []
  for (let cursor: unknown = null; ;) {
    const reply = await ask(query, { id, params: { ...params, cursor, paging: 'NEXT_PAGE' } })
    const list = query === sites ? reply.at('data', 'siteData') : reply.at('data', 'tenant', 'roomData')
    nodes.push(...digAll(list, 'edges').map((edge) => dig(edge, 'node')))
    if (dig(list, 'pageInfo', 'hasNextPage') !== true) return { nodes, total: dig(list, 'total') }
    cursor = dig(list, 'pageInfo', 'endCursor')
  }
}

const idsIn = (nodes: readonly unknown[]) => nodes.map((node) => dig(node, 'id'))

test('roomData has every room of the tenant, those without devices too, with what they are', async () => {
  const opened = await ready()
  const { service, tenant } = opened
  const wanted = service.world.sites(tenant.id).flatMap((site) =>
    service.world.rooms(site.id).map(({ id, name, capacity, size, floor }) => ({
      id,
      name,
      capacity,
      size,
      floor,
      site: { id: site.id, name: site.name },
    })),
  )
  const { nodes, total } = await readAll(opened, rooms, tenant.id, { limit: 50 })
  expect(nodes).toEqual(wanted)
  expect(total).toBe(wanted.length)
  const taken = new Set(service.world.devices().map(({ room }) => room?.id))
  expect(wanted.some(({ id }) => !taken.has(id))).toBe(true)
})

test.each(['ASC', 'DESC'] as const)('rooms come by name in both directions, also in pages (%s)', async (direction) => {
  const opened = await ready()
  const { service, tenant } = opened
  const names = service.world.sites(tenant.id).flatMap(({ id }) => service.world.rooms(id).map(({ name }) => name))
  const sort = [{ field: 'ROOM_NAME', direction }]
  const { nodes } = await readAll(opened, rooms, tenant.id, { limit: 70, sort })
  const encoder = new TextEncoder()
  const sorted = names.toSorted((one, other) => Buffer.compare(encoder.encode(one), encoder.encode(other)))
  expect(nodes.map((node) => dig(node, 'name'))).toEqual(direction === 'ASC' ? sorted : sorted.toReversed())
  expect(new Set(idsIn(nodes)).size).toBe(names.length)
})

test('siteData has every site of the tenant, and finds one by its whole name', async () => {
  const opened = await ready(undefined, { emptyPlaces: true })
  const { service, tenant } = opened
  const wanted = service.world.sites(tenant.id).map(({ id, name }) => ({ id, name }))
  expect(await readAll(opened, sites, tenant.id, { limit: 3 })).toEqual({ nodes: wanted, total: wanted.length })
  const [, second] = wanted
  const filter = [{ field: 'NAME', comparisonOperator: 'EQUALS', value: second?.name }]
  expect(await readAll(opened, sites, tenant.id, { filter })).toEqual({ nodes: [second], total: 1 })
})

test('a set of one account lists the places of that account', async () => {
  const opened = await ready((world) => ({ accounts: [abroad(world).account.id] }))
  const { tenant, sites: held } = abroad(opened.service.world)
  expect(idsIn((await readAll(opened, sites, tenant.id, {})).nodes)).toEqual(held.map(({ id }) => id))
  expect(idsIn((await readAll(opened, rooms, tenant.id, {})).nodes)).toEqual(
    held.flatMap(({ id }) => opened.service.world.rooms(id).map((room) => room.id)),
  )
})

test('wrong limits, orders, filters and cursors are refused at their field', async () => {
  const { service, tenant, ask } = await ready(undefined, { points: false })
  const other = service.world.tenants()[1]?.id ?? ''
  const first = await ask(rooms, { id: tenant.id, params: { limit: 1 } })
  const cursor = first.at('data', 'tenant', 'roomData', 'pageInfo', 'endCursor')
  for (const params of [
    { limit: 0 },
    { limit: 5001 },
    { sort: [{ field: 'SIZE' }] },
    { cursor: 'x' },
    { cursor, sort: [{ field: 'ROOM_NAME' }] },
  ])
    expect(codes(await ask(rooms, { id: tenant.id, params }))).toEqual(['BAD_USER_INPUT'])
  expect(codes(await ask(rooms, { id: other, params: { cursor } }))).toEqual(['BAD_USER_INPUT'])
  for (const test of [{ field: 'ID' }, { comparisonOperator: 'LIKE' }]) {
    const filter = [{ field: 'NAME', comparisonOperator: 'EQUALS', value: 'x', ...test }]
    expect(codes(await ask(sites, { id: tenant.id, params: { filter } }))).toEqual(['BAD_USER_INPUT'])
  }
  expect(codes(await ask(sites, { id: 'no' }))).toEqual(['NOT_FOUND'])
})

test('the lists cost by their limit', async () => {
  const { tenant, ask } = await ready()
  const cost = async (query: string, params: object) =>
    Number((await ask(query, { id: tenant.id, params })).headers['graphql-ratelimit-querycost'])
  expect(await cost(sites, { limit: 40 })).toBe(1 + 1 + (1 + 2) + (1 + 40 * (2 + 2)))
  expect(await cost(sites, {})).toBe(1 + 1 + (1 + 2) + (1 + 10 * (2 + 2)))
  expect(await cost(rooms, { limit: 20 })).toBe(1 + 1 + 1 + (2 + 2) + (2 + 20 * (2 + 5 + (3 + 2))))
})

test('the demo world has sites and rooms without devices, and an account without sites', async () => {
  const { service, tenant } = await ready(undefined, { emptyPlaces: true, now: () => moment })
  const plain = await ready(undefined, { now: () => moment })
  expect(service.world.devices()).toEqual(plain.service.world.devices())
  const inhabited = new Set(service.world.siteSizes().map(({ siteId }) => siteId))
  for (const { id } of service.world.tenants()) {
    const empty = service.world.sites(id).filter((site) => !inhabited.has(site.id))
    const added = empty.filter(({ name }) => /\((opening soon|under construction)\)$/.test(name))
    expect(added.map((site) => service.world.rooms(site.id).length)).toEqual([2, 0])
    expect(added.map(({ accountId }) => accountId)).toEqual(added.map(() => service.world.accounts(id)[0]?.id))
  }
  const used = new Set(service.world.sites(tenant.id).map(({ accountId }) => accountId))
  expect(service.world.accounts(tenant.id).filter(({ id }) => !used.has(id))).toMatchObject([{ name: 'Events' }])
})

test.each([
  ['own', true, false],
  ['twin', false, true],
  ['none', false, false],
] as const)(
  'a schema lists places in its own way, in the twin’s or not at all (%s)',
  async (placeFields, own, twin) => {
    const { ask, id } = await contrary({ placeFields })
    const offers = async (query: string) => (await ask(query, { id })).at('errors') === undefined
    expect(await offers(rooms)).toBe(twin)
    expect(await offers(sites)).toBe(twin)
    expect(await offers('query ($id: ID!) { tenant(id: $id) { accounts { sites { edges { node { id } } } } } }')).toBe(
      own,
    )
  },
)

import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createWorld, type World } from '../../../src-service/world/world.ts'
import { dig, digAll, open, plainClient } from '../client.ts'
import { freshFolder, managedFolder } from '../storage/folder.ts'
import { ready, abroad, codes, size, moment } from '../access/accounts-service.ts'

test('every site belongs to one account of its tenant, and all but the home account have sites', async () => {
  const { service } = await ready()
  for (const { id } of service.world.tenants()) {
    const accounts = service.world.accounts(id)
    const used = new Set(service.world.sites(id).map(({ accountId }) => accountId))
    expect(accounts.length).toBeGreaterThan(0)
    expect(new Set(accounts.map((account) => account.name)).size).toBe(accounts.length)
    expect([...used].every((account) => accounts.some((one) => one.id === account && one.tenantId === id))).toBe(true)
    expect(accounts.slice(1).every((account) => used.has(account.id))).toBe(true)
  }
  expect(
    service.world
      .accounts(service.world.tenants()[0]?.id ?? '')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Americas', 'Asia Pacific', 'Europe'])
})

test('from the tenant down to the rooms in one query, and up again from a device', async () => {
  const { service, tenant, ask } = await ready()
  const query = `query ($id: ID!) { tenant(id: $id) { accounts { id name sites(params: { pageSize: 30 }) { edges { node { id name account { id } rooms(params: { pageSize: 9 }) { edges { node { id name site { id } } } pageInfo { totalCount hasNextPage } } } } pageInfo { totalCount countOnPage hasNextPage nextToken } } } } }`
  const accounts = digAll((await ask(query, { id: tenant.id })).json, 'data', 'tenant', 'accounts')
  expect(accounts.map((account) => [dig(account, 'id'), dig(account, 'name')])).toEqual(
    service.world.accounts(tenant.id).map(({ id, name }) => [id, name]),
  )
  for (const account of accounts) {
    const wanted = service.world.sites(tenant.id).filter(({ accountId }) => accountId === dig(account, 'id'))
    expect(dig(account, 'sites', 'pageInfo')).toEqual({
      totalCount: wanted.length,
      countOnPage: wanted.length,
      hasNextPage: false,
      nextToken: null,
    })
    expect(
      digAll(account, 'sites', 'edges').map((edge) => [
        dig(edge, 'node', 'id'),
        dig(edge, 'node', 'name'),
        dig(edge, 'node', 'account', 'id'),
      ]),
    ).toEqual(wanted.map(({ id, name, accountId }) => [id, name, accountId]))
    for (const edge of digAll(account, 'sites', 'edges')) {
      const rooms = service.world.rooms(String(dig(edge, 'node', 'id')))
      expect(dig(edge, 'node', 'rooms', 'pageInfo', 'totalCount')).toBe(rooms.length)
      expect(
        digAll(edge, 'node', 'rooms', 'edges').map((room) => [
          dig(room, 'node', 'id'),
          dig(room, 'node', 'site', 'id'),
        ]),
      ).toEqual(rooms.slice(0, 9).map(({ id }) => [id, dig(edge, 'node', 'id')]))
    }
  }
  const page = await ask(
    '{ deviceSearch(params: { pageSize: 300 }) { edges { node { id site { account { id name } } } } } }',
  )
  expect(page.at('errors')).toBeUndefined()
  for (const edge of digAll(page.json, 'data', 'deviceSearch', 'edges')) {
    const place = service.world.device(String(dig(edge, 'node', 'id')))?.site
    const account = service.world.account(place?.accountId ?? '')
    expect(dig(edge, 'node', 'site')).toEqual(place ? { account: { id: account?.id, name: account?.name } } : null)
  }
})

test('pages of sites hold each site once, also while one is added, and a token fits its own list', async () => {
  const { service, ask } = await ready()
  const { tenant, account, sites } = abroad(service.world)
  const query =
    'query ($id: ID!, $params: PlaceFindArgs) { tenant(id: $id) { accounts { id sites(params: $params) { edges { node { id } } pageInfo { totalCount nextToken hasNextPage } } } } }'
  const page = async (nextToken: unknown) => {
    const reply = await ask(query, { id: tenant.id, params: { pageSize: 1, nextToken } })
    const at = digAll(reply.json, 'data', 'tenant', 'accounts').findIndex((one) => dig(one, 'id') === account.id)
    return { reply, list: reply.at('data', 'tenant', 'accounts', at, 'sites') }
  }
  const seen: unknown[] = []
  let next: unknown = null
  do {
    const { list } = await page(next)
    seen.push(...digAll(list, 'edges').map((edge) => dig(edge, 'node', 'id')))
    if (seen.length === 1) sites.push(service.world.addSite(tenant.id, 'Late', account.id))
    next = dig(list, 'pageInfo', 'nextToken')
    expect(dig(list, 'pageInfo', 'hasNextPage')).toBe(next !== null)
  } while (next !== null)
  expect(seen).toEqual(sites.map(({ id }) => id))
  const token = dig((await page(null)).list, 'pageInfo', 'nextToken')
  // The same token for the other accounts of the tenant is refused, as is a page of no size.
  expect(codes((await page(token)).reply)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT'])
  const none = await ask(query, { id: tenant.id, params: { pageSize: 0 } })
  expect(codes(none)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'BAD_USER_INPUT'])
})

test('accounts cost by the formula: a list counts once, edges by the page', async () => {
  const { ask } = await ready(({ tenants }) => ({ tenants: [tenants()[0]?.id ?? ''] }))
  const cost = async (query: string) =>
    (await ask(`{ ${query} calculateQueryCost { queryCost } }`)).at('data', 'calculateQueryCost', 'queryCost')
  const [bare, base] = [await cost(''), await cost('tenants { id }')]
  expect(bare).toBe(2)
  // tenants 1 + id 1.
  expect(base).toBe(2 + 2)
  // accounts at depth 2 costs 1, and is no edges.
  expect(await cost('tenants { accounts { id name } }')).toBe(2 + 1 + 1 + 2)
  // sites 2, edges 2, 7 times (node 3, id 1).
  expect(await cost('tenants { accounts { sites(params: { pageSize: 7 }) { edges { node { id } } } } }')).toBe(
    2 + 1 + 1 + 2 + 2 + 7 * 4,
  )
  expect(await cost('deviceSearch(params: { pageSize: 5 }) { edges { node { site { account { id } } } } }')).toBe(
    2 + 1 + 1 + 5 * (2 + 2 + 3 + 1),
  )
})

test('while a region is gone its accounts are still listed, but not their contents', async () => {
  const { service, ask } = await ready()
  const { tenant } = abroad(service.world)
  service.misfortune.region(tenant.region, 'gone')
  const reply = await ask('query ($id: ID!) { tenant(id: $id) { accounts { id sites { edges { node { id } } } } } }', {
    id: tenant.id,
  })
  expect(reply.at('data', 'tenant', 'accounts')).toEqual(
    service.world.accounts(tenant.id).map(({ id }) => ({ id, sites: null })),
  )
  expect(new Set(codes(reply))).toEqual(new Set(['REGION_UNAVAILABLE']))
})

test('the minimal profile has no accounts, but a scope of them holds', async () => {
  const { service, ask } = await ready((world) => ({ accounts: [abroad(world).account.id] }), { profile: 'minimal' })
  const { tenant, account } = abroad(service.world)
  expect((await ask('{ tenants { accounts { id } } }')).at('errors', 0, 'extensions', 'code')).toBe(
    'GRAPHQL_VALIDATION_FAILED',
  )
  expect(
    (await ask('{ deviceSearch { edges { node { site { account { id } } } } } }')).at(
      'errors',
      0,
      'extensions',
      'code',
    ),
  ).toBe('GRAPHQL_VALIDATION_FAILED')
  expect((await ask('{ tenants { id } deviceSearch { pageInfo { totalCount } } }')).at('data')).toEqual({
    tenants: [{ id: tenant.id }],
    deviceSearch: {
      pageInfo: { totalCount: service.world.devices().filter(({ site }) => site?.accountId === account.id).length },
    },
  })
})

test('a device_user is rejected at the accounts and at nothing else', async () => {
  const { service, tenant, ask } = await ready(() => ({ role: 'device_user' }))
  const reply = await ask(
    'query ($id: ID!) { tenant(id: $id) { id accounts { id } inventory { deviceSearch(params: { filter: { field: "site", exists: true }, pageSize: 1 }) { edges { node { site { name account { id } } } } } } } }',
    { id: tenant.id },
  )
  const site = service.world.devices(tenant.id).find((device) => device.site !== null)?.site
  expect(reply.at('data', 'tenant')).toEqual({
    id: tenant.id,
    accounts: null,
    inventory: { deviceSearch: { edges: [{ node: { site: { name: site?.name, account: null } } }] } },
  })
  expect(codes(reply)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
})

test('commands restrict a set to accounts of the world and remove the restriction', async () => {
  const { data, asAnn, makeSet } = managedFolder()
  const service = await open({ data, ...size })
  const { tenant, account } = abroad(service.world)
  const set = makeSet('--accounts', account.id)
  expect(() => makeSet('--accounts', 'nowhere')).toThrow('has no account nowhere')
  expect(dig(asAnn('credentials', 'list'), 'credentials', 0)).toMatchObject({
    tenants: 'all',
    accounts: [account.id],
    sites: 'all',
  })
  const client = plainClient(service, { h2: true, set })
  const token = await client.token()
  const seen = async () => (await client.ask(token, '{ tenants { id accounts { id } } }')).at('data', 'tenants')
  expect(await seen()).toEqual([{ id: tenant.id, accounts: [{ id: account.id }] }])
  expect(asAnn('credentials', 'edit', set.clientId, '--accounts', 'all')).toMatchObject({
    tenants: 'all',
    accounts: 'all',
    sites: 'all',
  })
  expect(await seen()).toHaveLength(2)
})

test('a set that was stored before there were accounts keeps its reach', async () => {
  const { data, asAnn, makeSet } = managedFolder()
  const set = makeSet('--tenants', 'a,b')
  const database = new DatabaseSync(path.join(data, 'access.sqlite'))
  database.exec(`UPDATE sets SET reach = '{"tenants":["a","b"],"sites":null}'; PRAGMA user_version = 2`)
  database.close()
  expect(dig(asAnn('credentials', 'list'), 'credentials', 0)).toMatchObject({
    client_id: set.clientId,
    tenants: ['a', 'b'],
    accounts: 'all',
    sites: 'all',
  })
  expect(dig(asAnn('credentials', 'edit', set.clientId, '--sites', 's'))).toMatchObject({
    tenants: ['a', 'b'],
    accounts: 'all',
    sites: ['s'],
  })
})

/** Makes of the world in this file what the first version wrote, which knew no accounts. */
function forgetAccounts(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(
    'DROP INDEX sites_by_account; DROP TABLE accounts; ALTER TABLE sites DROP COLUMN accountId; PRAGMA user_version = 1',
  )
  database.close()
}

test('a world stored without accounts gets those that a new world has, and nothing else changes', () => {
  const file = path.join(path.dirname(freshFolder()), 'world.sqlite')
  const everything = (world: World): unknown => [
    world
      .tenants()
      .map((tenant) => [
        tenant,
        world.accounts(tenant.id),
        world.sites(tenant.id).map((site) => [site, world.rooms(site.id)]),
      ]),
    world.devices(),
  ]
  const read = (options: object): unknown => {
    const world = createWorld({ ...options, now: () => moment })
    const all = everything(world)
    world.close()
    return all
  }
  const made = read({ ...size, file })
  forgetAccounts(file)
  expect(read({ file })).toEqual(made)
  expect(read({ file })).toEqual(read(size))
})

test('a folder without accounts opens: an added site joins the home account', async () => {
  const { data, makeSet } = managedFolder()
  const first = await open({ data, ...size, now: () => moment })
  const { tenant } = abroad(first.world)
  const added = first.world.addSite(tenant.id, 'Zoo')
  await first.stop()
  forgetAccounts(path.join(data, 'world.sqlite'))
  const second = await open({ data, devices: size.devices, now: () => moment })
  const home = second.world.accounts(tenant.id)[0]
  expect(second.world.site(added.id)).toEqual({ ...added, accountId: home?.id })
  const client = plainClient(second, { h2: true, set: makeSet('--accounts', String(home?.id)) })
  const reply = await client.ask(await client.token(), '{ deviceSearch { pageInfo { totalCount } } }')
  expect(reply.at('data', 'deviceSearch', 'pageInfo', 'totalCount')).toBe(
    second.world.devices().filter(({ site }) => site?.accountId === home?.id).length,
  )
})

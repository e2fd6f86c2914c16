import type { NewCredentialSet } from '../../../src-service/access/credentials.ts'
import { abroad, codes, idsIn, ready } from './accounts-service.ts'
import { dig, plainClient, streamClient, until } from '../client.ts'
import { expect, test } from 'vitest'

test('a scope of one account hides everything else', async () => {
  const { service, ask } = await ready((world) => ({ accounts: [abroad(world).account.id] }))
  const { tenant, account, sites } = abroad(service.world)
  const mine = service.world.devices().filter(({ site }) => site?.accountId === account.id)
  const [inside, outside] = [
    mine[0],
    service.world.devices(tenant.id).find(({ site }) => site !== null && site.accountId !== account.id),
  ]
  const nowhere = service.world.devices(tenant.id).find(({ site }) => site === null)
  if (!inside || !outside?.site || !nowhere) throw new Error('no such devices')
  expect(mine.length).toBeGreaterThan(10)
  const tree = await ask(
    '{ tenants { id accounts { id sites(params: { pageSize: 100 }) { edges { node { id } } } } inventory { deviceCount } } }',
  )
  expect(tree.at('data', 'tenants')).toEqual([
    {
      id: tenant.id,
      accounts: [{ id: account.id, sites: { edges: sites.map(({ id }) => ({ node: { id } })) } }],
      inventory: { deviceCount: mine.length },
    },
  ])
  expect(
    idsIn(await ask('{ deviceSearch(params: { pageSize: 400 }) { edges { node { id } } } }'), 'deviceSearch'),
  ).toEqual(mine.map(({ id }) => id))
  const other = service.world.tenants()[1]?.id
  const refused = await ask(
    'query ($a: String!, $b: String!, $t: ID!) { a: device(id: $a) { id } b: device(id: $b) { id } t: tenant(id: $t) { id } }',
    { a: outside.id, b: nowhere.id, t: other },
  )
  expect(codes(refused)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
  const mutation = `mutation ($in: String!, $out: String!, $site: String!, $place: ID!, $tenant: ID!, $home: ID!) {
    a: updateDevice(id: $out, fields: { name: "x" }) { id }
    b: rebootDevicesBySiteId(siteId: $site) { success }
    c: updateDevice(id: $in, fields: { siteId: $place }) { id }
    d: updateDevice(id: $in, fields: { siteId: null }) { id }
    e: upsertSite(fields: { tenantId: $tenant, accountId: $home, name: "x" }) { id }
    f: upsertSite(fields: { tenantId: $tenant, name: "Ours" }) { name account { id } }
  }`
  const home = service.world.accounts(tenant.id)[0]
  const written = await ask(mutation, {
    in: inside.id,
    out: outside.id,
    site: outside.site.id,
    place: outside.site.id,
    tenant: tenant.id,
    home: home?.id,
  })
  expect(codes(written)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND'])
  expect(written.at('data', 'f')).toEqual({ name: 'Ours', account: { id: account.id } })
})

test('a scope of several accounts shows exactly these, and a scope of sites their account', async () => {
  const { service } = await ready()
  const [first, second] = service.world.tenants().map(({ id }) => ({ id, accounts: service.world.accounts(id) }))
  if (!first || !second) throw new Error('no tenants')
  const ask = async (set: NewCredentialSet, query: string) => {
    const client = plainClient(service, { h2: true, set: service.credentials.add(set) })
    return client.ask(await client.token(), query)
  }
  const [a, b, c] = [first.accounts[0]?.id ?? '', first.accounts[1]?.id ?? '', second.accounts[0]?.id ?? '']
  const tree = '{ tenants { id accounts { id } } }'
  expect((await ask({ accounts: [a, b] }, tree)).at('data', 'tenants')).toEqual([
    { id: first.id, accounts: [{ id: a }, { id: b }] },
  ])
  expect((await ask({ accounts: [b, c] }, tree)).at('data', 'tenants')).toEqual([
    { id: first.id, accounts: [{ id: b }] },
    { id: second.id, accounts: [{ id: c }] },
  ])
  expect((await ask({ tenants: [second.id], accounts: [b, c] }, tree)).at('data', 'tenants')).toEqual([
    { id: second.id, accounts: [{ id: c }] },
  ])
  const site = service.world.sites(first.id).find(({ accountId }) => accountId === b)
  expect(
    (
      await ask(
        { sites: [site?.id ?? ''] },
        '{ tenants { id accounts { id sites { edges { node { id } } pageInfo { totalCount } } } } }',
      )
    ).at('data', 'tenants'),
  ).toEqual([
    {
      id: first.id,
      accounts: [{ id: b, sites: { edges: [{ node: { id: site?.id } }], pageInfo: { totalCount: 1 } } }],
    },
  ])
})

test('a stream carries a device when it enters the scope, and no more once it has left', async () => {
  const { service, token } = await ready((world) => ({ accounts: [abroad(world).account.id] }))
  const { tenant, account, sites } = abroad(service.world)
  const device = service.world.find(
    ({ tenantId, site }) => tenantId === tenant.id && site !== null && site.accountId !== account.id,
  )
  const seen: unknown[] = []
  const push = (result: unknown) => void seen.push(dig(result, 'data', 'deviceStream', 'name'))
  streamClient(service, token).subscribe(
    {
      query: 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { name } }',
      variables: { ids: [device.id] },
    },
    { next: push, error: push, complete: () => undefined },
  )
  await until(() => service.subscribedIds().length === 1)
  service.world.renameDevice(device.id, 'Outside')
  service.world.changeDevice(device.id, { name: 'Inside', siteId: sites[0]?.id ?? '', roomId: null })
  service.world.changeDevice(device.id, { name: 'Outside again', siteId: device.site?.id ?? '' })
  service.world.changeDevice(device.id, { name: 'Back', siteId: sites[0]?.id ?? '' })
  await until(() => seen.length >= 2)
  expect(seen).toEqual(['Inside', 'Back'])
})

test('people are counted in the rooms of the scope alone', async () => {
  const { service, token } = await ready((world) => ({ accounts: [abroad(world).account.id] }))
  const { tenant, account, sites } = abroad(service.world)
  const other = service.world.sites(tenant.id).find(({ accountId }) => accountId !== account.id)
  const [mine, foreign] = [sites[0], other].map((site) => service.world.rooms(site?.id ?? '')[0]?.id ?? '')
  if (!mine || !foreign) throw new Error('no rooms')
  const seen: unknown[] = []
  const push = (result: unknown) => void seen.push(dig(result, 'data', 'peopleCountStream'))
  const client = streamClient(service, token)
  client.subscribe(
    {
      query: 'subscription ($t: ID!, $ids: [ID!]!) { peopleCountStream(tenantId: $t, roomIds: $ids) { roomId count } }',
      variables: { t: tenant.id, ids: [foreign, mine] },
    },
    { next: push, error: push, complete: () => undefined },
  )
  await until(() => service.subscribedRooms().length === 2)
  service.world.setPeople(foreign, 3)
  service.world.setPeople(mine, 2)
  await until(() => seen.length > 0)
  expect(seen).toEqual([{ roomId: mine, count: 2 }])
})

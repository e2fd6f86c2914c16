import { expect, test } from 'vitest'
import type { NewCredentialSet } from '../../../src-service/access/credentials.ts'
import type { Service } from '../../../src-service/service.ts'
import { dig, digAll, open, plainClient } from '../client.ts'

type Places = Pick<Service['world'], 'tenants' | 'accounts' | 'sites'>

async function ready(set: (world: Places) => NewCredentialSet = () => ({})) {
  const service = await open({ tenants: 3, credentials: (world) => [set(world), { name: 'Other', role: 'user' }] })
  const client = plainClient(service)
  const token = await client.token()
  const [us, eu] = ['US-1', 'EU-1'].map((id) => service.world.tenants().find(({ region }) => region === id))
  if (!us || !eu) throw new Error('a region has no tenant')
  return { service, us, eu, ask: (query: string, variables: unknown = {}) => client.ask(token, query, variables) }
}

const codesIn = ({ json }: { json: unknown }) =>
  digAll(json, 'errors').map((error) => [dig(error, 'extensions', 'code'), dig(error, 'path', 0)])
const counts = '{ tenantCount countDevices tenants { id deviceCount } }'

test('counts equal those of the world', async () => {
  const { service, ask } = await ready()
  const count = (id?: string) => service.world.devices(id).length
  const tenants = service.world.tenants().map(({ id }) => ({ id, deviceCount: count(id) }))
  expect((await ask(counts)).json).toEqual({ data: { tenantCount: 3, countDevices: count(), tenants } })
  service.world.addDevice()
  expect((await ask('{ countDevices }')).at('data', 'countDevices')).toBe(count())
})

test('counts cover what the caller sees', async () => {
  const { service, ask } = await ready((world) => ({ tenants: [world.tenants()[1]?.id ?? ''] }))
  const id = service.world.tenants()[1]?.id
  const deviceCount = service.world.devices(id).length
  expect((await ask(counts)).json).toEqual({
    data: { tenantCount: 1, countDevices: deviceCount, tenants: [{ id, deviceCount }] },
  })
  const held = await ready((world) => ({
    sites: world
      .sites(world.tenants()[0]?.id ?? '')
      .slice(0, 1)
      .map((site) => site.id),
  }))
  const [seen] = held.service.world.sites(held.service.world.tenants()[0]?.id ?? '')
  const ofSite = held.service.world.devices().filter(({ site }) => site?.id === seen?.id).length
  expect((await held.ask(counts)).json).toMatchObject({
    data: { tenantCount: 1, countDevices: ofSite, tenants: [{ deviceCount: ofSite }] },
  })
})

test('a region that is gone is missing in the device count, with an error beside it', async () => {
  const { service, us, eu, ask } = await ready()
  const wanted = '{ tenantCount countDevices deviceSearch { error pageInfo { totalCount } } }'
  expect((await ask(wanted)).at('data', 'deviceSearch', 'error')).toBeNull()
  service.misfortune.region('US-1', 'gone')
  const there = service.world
    .tenants()
    .filter(({ region }) => region === 'EU-1')
    .reduce((sum, { id }) => sum + service.world.devices(id).length, 0)
  const reply = await ask(wanted)
  expect(reply.at('data')).toEqual({
    tenantCount: 3,
    countDevices: there,
    deviceSearch: { error: 'The data of region US-1 cannot be reached', pageInfo: { totalCount: there } },
  })
  expect(codesIn(reply)).toEqual([
    ['REGION_UNAVAILABLE', 'countDevices'],
    ['REGION_UNAVAILABLE', 'deviceSearch'],
  ])
  const each = await ask(
    'query ($us: ID!, $eu: ID!) { gone: tenant(id: $us) { deviceCount } here: tenant(id: $eu) { deviceCount } }',
    { us: us.id, eu: eu.id },
  )
  expect(each.at('data')).toEqual({
    gone: { deviceCount: null },
    here: { deviceCount: service.world.devices(eu.id).length },
  })
  expect(codesIn(each)).toEqual([['REGION_UNAVAILABLE', 'gone']])
  service.misfortune.region('EU-1', 'gone')
  expect((await ask('{ countDevices }')).at('data', 'countDevices')).toBeNull()
})

test('site(id) returns the site with its tenant, and NOT_FOUND out of reach', async () => {
  const { service, us, eu, ask } = await ready((world) => ({
    tenants: world
      .tenants()
      .slice(0, 2)
      .map(({ id }) => id),
  }))
  const hidden = service.world.tenants()[2]
  const [[seen], [other]] = [service.world.sites(us.id), service.world.sites(hidden?.id ?? '')]
  const site = (id?: string) =>
    ask('query ($id: String!) { site(id: $id) { id name tenant { id name region { id } } account { id } } }', { id })
  expect((await site(seen?.id)).json).toEqual({
    data: {
      site: {
        id: seen?.id,
        name: seen?.name,
        tenant: { id: us.id, name: us.name, region: { id: 'US-1' } },
        account: { id: seen?.accountId },
      },
    },
  })
  for (const id of [other?.id, 'no-such'])
    expect(await site(id)).toMatchObject({
      json: { data: { site: null }, errors: [{ extensions: { code: 'NOT_FOUND', resource: { id, type: 'site' } } }] },
    })
  service.misfortune.region('EU-1', 'gone')
  expect((await site(seen?.id)).at('errors')).toBeUndefined()
  expect(codesIn(await site(service.world.sites(eu.id)[0]?.id))).toEqual([['REGION_UNAVAILABLE', 'site']])
})

test('a set reads its own name and role, and those of no other', async () => {
  const { service, ask } = await ready(() => ({ name: 'Night shift', role: 'it-admin' }))
  const [own, other] = service.credentials.list()
  const read = (id?: string) =>
    ask('query ($id: String!) { clientCredential(id: $id) { id name accessor { grants { roles { name } } } } }', { id })
  expect((await read(own?.clientId)).json).toEqual({
    data: {
      clientCredential: {
        id: own?.clientId,
        name: 'Night shift',
        accessor: { grants: [{ roles: [{ name: 'it-admin' }] }] },
      },
    },
  })
  expect(codesIn(await read(other?.clientId))).toEqual([['NOT_FOUND', 'clientCredential']])
})

test.each([
  ['it-admin', {}, { tenants: null, accounts: null, sites: null }],
  ['user', { accounts: 2 }, { tenants: null, accounts: 2, sites: null }],
  ['admin', { tenants: 1, sites: 1 }, { tenants: 1, accounts: null, sites: 1 }],
] as const)('a set of role %s reads its role, and its scope by ids', async (role, given, wanted) => {
  const { service, ask } = await ready((world) => ({ role, ...scopeOf(world, given) }))
  const [own] = service.credentials.list()
  const query = 'query ($id: String!) { clientCredential(id: $id) { role scope { tenants accounts sites } } }'
  expect((await ask(query, { id: own?.clientId })).json).toEqual({
    data: { clientCredential: { role, scope: { ...wanted, ...scopeOf(service.world, given) } } },
  })
})

/** The first ids of the first tenant, as many as are asked for. */
function scopeOf(world: Places, counts: { tenants?: number; accounts?: number; sites?: number }) {
  const [tenant] = world.tenants()
  const ids = {
    tenants: world.tenants(),
    accounts: world.accounts(tenant?.id ?? ''),
    sites: world.sites(tenant?.id ?? ''),
  }
  const first = (name: keyof typeof ids) =>
    counts[name] === undefined ? {} : { [name]: ids[name].slice(0, counts[name]).map(({ id }) => id) }
  return { ...first('tenants'), ...first('accounts'), ...first('sites') }
}

test('device_user, a caller without a token and the minimal profile have none of the fields', async () => {
  const query = '{ tenantCount countDevices site(id: "x") { id } clientCredential(id: "x") { id } }'
  const fields = ['tenantCount', 'countDevices', 'site', 'clientCredential']
  const { service, ask } = await ready(() => ({ role: 'device_user' }))
  expect(codesIn(await ask(query))).toEqual(fields.map((field) => ['FORBIDDEN', field]))
  expect(
    (await ask('{ tenants { id deviceCount } deviceSearch { error pageInfo { totalCount } } }')).json,
  ).toMatchObject({
    data: { tenants: [{ deviceCount: null }, {}, {}], deviceSearch: { error: null, pageInfo: { totalCount: 120 } } },
    errors: Array.from({ length: 4 }, () => ({ extensions: { code: 'FORBIDDEN' } })),
  })
  expect(codesIn(await plainClient(service).ask(null, query))).toEqual(
    fields.map((field) => ['UNAUTHENTICATED', field]),
  )
  const minimal = await open({ profile: 'minimal' })
  const client = plainClient(minimal)
  expect(codesIn(await client.ask(await client.token(), query)).map(([code]) => code)).toEqual(
    fields.map(() => 'GRAPHQL_VALIDATION_FAILED'),
  )
})

import { expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { dig, digAll, open, pageQuery, plainClient } from '../client.ts'
import type { Reply } from '../client.ts'

async function ready(options: ServiceOptions = {}) {
  const service = await open(options)
  const { ask, token } = plainClient(service)
  const bearer = await token()
  const id = service.world.tenants()[0]?.id ?? ''
  const page = async (params: unknown): Promise<Reply> => ask(bearer, pageQuery, { id, params })
  const connection = async (params: unknown): Promise<Connection> => {
    const found = (await page(params)).at('data', 'tenant', 'inventory', 'deviceSearch')
    const ids = digAll(found, 'edges').map((edge) => String(dig(edge, 'node', 'id')))
    const nextToken = dig(found, 'pageInfo', 'nextToken')
    return { ids, pageInfo: dig(found, 'pageInfo'), nextToken: typeof nextToken === 'string' ? nextToken : null }
  }
  return {
    service,
    id,
    page,
    connection,
    ask: (query: string, variables: unknown = {}) => ask(bearer, query, variables),
  }
}

type Connection = { ids: string[]; pageInfo: unknown; nextToken: string | null }

/** All ids by the procedure of spec section 4; `between` runs after each page. */
async function readAll(
  connection: (params: unknown) => Promise<Connection>,
  params: object,
  between: (page: number) => void = () => undefined,
): Promise<string[]> {
  const ids: string[] = []
  let nextToken: string | null = null
  for (let number = 1; ; number += 1) {
    const page: Connection = await connection({ ...params, nextToken })
    expect(page.pageInfo).toMatchObject({ countOnPage: page.ids.length, hasNextPage: page.nextToken !== null })
    ids.push(...page.ids)
    nextToken = page.nextToken
    if (nextToken === null) return ids
    between(number)
  }
}

const idsOf = (service: Service, tenantId: string): string[] => service.world.devices(tenantId).map(({ id }) => id)

test('the pages together hold every device of the tenant once, and the totals are right', async () => {
  const { service, id, connection } = await ready()
  const wanted = idsOf(service, id)
  expect(await readAll(connection, { pageSize: 7 })).toEqual(wanted)
  expect(await readAll(connection, { pageSize: wanted.length })).toEqual(wanted)
  expect((await connection({})).pageInfo).toMatchObject({
    totalCount: wanted.length,
    countOnPage: 10,
    hasNextPage: true,
  })
  expect(dig((await connection({ pageSize: null })).pageInfo, 'countOnPage')).toBe(10)
})

test('pages stay right while devices are removed and added', async () => {
  const { service, id, connection } = await ready()
  const before = idsOf(service, id)
  const removed = new Set<string>()
  const seen = await readAll(connection, { pageSize: 5 }, (page) => {
    if (page > 4) return
    // One of those that were read, the one that the token points at, and one that is still to come.
    for (const index of [page, page * 5 - 1, before.length - page]) {
      const gone = before[index]
      if (gone === undefined || removed.has(gone)) continue
      service.world.removeDevice(gone)
      removed.add(gone)
    }
    service.world.addDevice({ tenantId: id })
  })
  expect(new Set(seen).size).toBe(seen.length)
  const stayed = before.filter((device) => !removed.has(device))
  expect(stayed.filter((device) => !seen.includes(device))).toEqual([])
  expect(dig((await connection({})).pageInfo, 'totalCount')).toBe(before.length - removed.size + 4)
})

test('sorted pages hold every device once, ascending and descending', async () => {
  const { service, id, connection } = await ready()
  for (const direction of ['ASC', 'DESC', undefined]) {
    const ids = await readAll(connection, {
      pageSize: 9,
      sort: {
        fields: [
          { name: 'hardwareModel', direction },
          { name: 'room', direction: 'DESC' },
        ],
      },
    })
    const models = ids.map((device) => service.world.device(device)?.hardwareModel ?? '')
    const sorted = models.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    expect(models).toEqual(direction === 'DESC' ? sorted.toReversed() : sorted)
    expect(ids.toSorted()).toEqual(idsOf(service, id))
  }
})

test('filters find exactly the devices that match', async () => {
  const { service, id, connection } = await ready({ devices: 600 })
  const all = service.world.devices(id)
  const found = async (filter: unknown): Promise<string[]> => readAll(connection, { pageSize: 100, filter })
  const wanted = (test: (device: (typeof all)[number]) => boolean): string[] =>
    all.filter(test).map((device) => device.id)
  const studios = wanted(({ hardwareModel }) => hardwareModel.includes('Studio'))
  expect(studios.length).toBeGreaterThan(20)
  expect(await found({ field: 'hardwareModel', contains: 'sTUDIO' })).toEqual(studios)
  expect(await found({ field: 'hardwareModel', eq: 'TC10' })).toEqual(
    wanted(({ hardwareModel }) => hardwareModel === 'TC10'),
  )
  expect(await found({ field: 'room', exists: false })).toEqual(wanted(({ room }) => room === null))
  expect(await found({ field: 'connected', contains: 'false' })).toEqual(wanted(({ connected }) => connected === false))
  expect(
    await found({ AND: [{ field: 'room', exists: true }, { NOT: [{ field: 'hardwareModel', contains: 'Studio' }] }] }),
  ).toEqual(wanted(({ room, hardwareModel }) => room !== null && !hardwareModel.includes('Studio')))
  expect(
    await found({
      OR: [
        { field: 'hardwareModel', eq: 'TC8' },
        { field: 'hardwareModel', eq: 'TC10' },
      ],
    }),
  ).toEqual(wanted(({ hardwareModel }) => /^TC(8|10)$/.test(hardwareModel)))
  expect(await found({ field: 'name', contains: '%' })).toEqual([])
  expect(await found({ field: 'name', eq: '' })).toHaveLength(all.length)
})

test('the top-level search covers all tenants', async () => {
  const { service, ask } = await ready()
  const reply = await ask(
    '{ deviceSearch(params: { pageSize: 500 }) { edges { node { id tenantId } } pageInfo { totalCount } } }',
  )
  expect(reply.at('data', 'deviceSearch', 'pageInfo')).toEqual({ totalCount: 120 })
  expect(reply.at('data', 'deviceSearch', 'edges')).toEqual(
    service.world.devices().map(({ id, tenantId }) => ({ node: { id, tenantId } })),
  )
})

test('an invalid argument is rejected at its field', async () => {
  const { page, connection } = await ready({ points: false })
  const token = (await connection({})).nextToken
  const refused = [
    [{ pageSize: 0 }, /between 1 and 5000/],
    [{ pageSize: 5001 }, /between 1 and 5000/],
    [{ filter: { field: 'internalIp', contains: '10' } }, /internalIp/],
    [{ sort: { fields: [{ name: 'nothing' }] } }, /nothing/],
    [{ filter: { contains: 'x' } }, /needs a field/],
    [{ filter: { field: 'name', contains: '\u0000' } }, /control characters/],
    [{ filter: { NOT: [{ field: 'name', eq: 'a\u0000b' }] } }, /control characters/],
    [{ filter: { field: 'site', contains: 'a\nb' } }, /control characters/],
    [{ nextToken: 'made up' }, /not valid/],
    [{ nextToken: `${token}x` }, /not valid/],
    [{ nextToken: `e30.${token?.split('.')[1]}` }, /not valid/],
    [{ nextToken: token, filter: { field: 'name', contains: 'a' } }, /another search/],
  ] as const
  for (const [params, message] of refused) {
    const reply = await page(params)
    expect(reply.at('data', 'tenant', 'inventory')).toEqual({ deviceSearch: null })
    expect(reply.at('errors', 0)).toMatchObject({
      message: expect.stringMatching(message),
      path: ['tenant', 'inventory', 'deviceSearch'],
      extensions: { code: 'BAD_USER_INPUT' },
    })
  }
})

test('an unknown tenant is null with an error of its own, and the rest of the answer is whole', async () => {
  const { service, id, ask } = await ready()
  const device = service.world.devices(id)[0]
  const reply = await ask(
    'query ($id: ID!, $d: String!) { gone: tenant(id: "no-such") { id } here: tenant(id: $id) { id } device(id: $d) { name macAddress } lost: device(id: "x") { id } }',
    { id, d: device?.id },
  )
  expect(reply.status).toBe(200)
  expect(reply.at('data')).toEqual({
    gone: null,
    here: { id },
    device: { name: device?.name, macAddress: device?.macAddress },
    lost: null,
  })
  expect(digAll(reply.json, 'errors').map((error) => [dig(error, 'path'), dig(error, 'extensions', 'code')])).toEqual([
    [['gone'], 'NOT_FOUND'],
    [['lost'], 'NOT_FOUND'],
  ])
})

test('the minimal profile serves the fields of the specification and nothing else', async () => {
  const service = await open({ profile: 'minimal' })
  const { ask, token } = plainClient(service)
  const bearer = await token()
  const id = service.world.tenants()[0]?.id
  const code = async (query: string): Promise<unknown> =>
    (await ask(bearer, query)).at('errors', 0, 'extensions', 'code')
  expect(await code('{ __schema { types { name } } }')).toBe('GRAPHQL_VALIDATION_FAILED')
  expect(await code('{ deviceSearch(params: { pageSize: 5 }) { pageInfo { totalCount } } }')).toBe(
    'GRAPHQL_VALIDATION_FAILED',
  )
  expect(await code('{ deviceSearch { edges { node { serialNumber } } } }')).toBe('GRAPHQL_VALIDATION_FAILED')
  expect(await code('{ device(id: "x") { id } }')).toBe('GRAPHQL_VALIDATION_FAILED')
  const found = (field: string) => ask(bearer, pageQuery, { id, params: { filter: { field, contains: 'a' } } })
  for (const field of [
    'serialNumber',
    'softwareVersion',
    'softwareBuild',
    'macAddress',
    'displayName',
    'hardwareFamily',
    'callStatus',
    'activeApplicationName',
  ]) {
    const reply = await found(field)
    expect([
      reply.at('data', 'tenant', 'inventory', 'deviceSearch'),
      reply.at('errors', 0, 'extensions', 'code'),
    ]).toEqual([null, 'BAD_USER_INPUT'])
  }
  for (const field of ['id', 'name', 'hardwareModel', 'connected', 'site', 'room'])
    expect((await found(field)).at('errors')).toBeUndefined()
  const page = await ask(bearer, pageQuery, {
    id,
    params: { filter: { field: 'name', contains: '' }, nextToken: null },
  })
  expect(page.at('data', 'tenant', 'inventory', 'deviceSearch', 'pageInfo', 'countOnPage')).toBe(10)
})

test('the full profile allows introspection', async () => {
  const { ask } = await ready()
  const reply = await ask('{ __type(name: "DeviceFindArgs") { inputFields { name } } }')
  expect(digAll(reply.json, 'data', '__type', 'inputFields').map((field) => dig(field, 'name'))).toEqual([
    'filter',
    'nextToken',
    'pageSize',
    'sort',
  ])
})

import { expect, test } from 'vitest'
import { Agent, request } from 'undici'
import { onTestFinished } from 'vitest'
import { digAll, eightFields } from '../client.ts'
import { contrary, nodesOf, pageInfoOf } from './contrary.ts'

test.each([
  [{ pageRefusalStatus: 200 }, 200, 'pageSize must be between 1 and 5', 'BAD_USER_INPUT'],
  [
    { pageRefusalStatus: 400, pageRefusalWords: 'at-most', pageRefusalCode: 'INVALID_PAGE_SIZE' },
    400,
    '6 results were asked for, a page has at most 5',
    'INVALID_PAGE_SIZE',
  ],
  [{ pageRefusalStatus: 400, pageRefusalWords: 'none', pageRefusalCode: '' }, 400, 'Bad request', undefined],
] as const)('a page over the limit is rejected as %o says', async (answers, status, message, code) => {
  const { page } = await contrary({ maxPageSize: 5, ...answers })
  const refused = await page(6)
  expect(refused.status).toBe(status)
  expect([refused.at('errors', 0, 'message'), refused.at('errors', 0, 'extensions', 'code')]).toEqual([message, code])
  expect(refused.at('data') === undefined).toBe(status === 400)
  expect(nodesOf((await page(5)).json)).toHaveLength(5)
  expect(nodesOf((await page(null)).json)).toHaveLength(5)
})

test('the page limit can drop in the middle of a sync', async () => {
  const { page } = await contrary({ maxPageSize: 5, maxPageSizeFrom: 2 })
  expect(nodesOf((await page(9)).json)).toHaveLength(9)
  expect(nodesOf((await page(3)).json)).toHaveLength(3)
  expect(nodesOf((await page(9)).json)).toHaveLength(9)
  expect((await page(9)).at('errors', 0, 'message')).toBe('pageSize must be between 1 and 5')
})

test.each([
  ['no-totals', 'nextToken hasNextPage', 'totalCount'],
  ['token-only', 'nextToken', 'hasNextPage'],
] as const)('with pageInfo %s there is %s, and not %s', async (pageInfo, offered, other) => {
  const { page } = await contrary({ pageInfo })
  expect(Object.keys(Object(pageInfoOf((await page(5, 'id', offered)).json)))).toEqual(offered.split(' '))
  expect((await page(5, 'id', other)).at('errors', 0, 'message')).toMatch(`Cannot query field "${other}"`)
})

test.each(['name', 'lastConfigRequestDate', 'site'] as const)(
  'a device without %s has all other fields',
  async (name) => {
    const { page, ask } = await contrary({ missingFields: [name] })
    expect((await page(2)).at('errors', 0, 'message')).toMatch(`Cannot query field "${name}"`)
    const others = eightFields.replace(name === 'site' ? /site \{.*?\}/ : name === 'name' ? /^id name/ : name, 'id')
    expect(nodesOf((await page(2, others)).json)).toHaveLength(2)
    const told = await ask('{ __type(name: "Device") { fields { name } } }')
    expect(digAll(told.json, 'data', '__type', 'fields')).not.toContainEqual({ name })
  },
)

test('without cost headers operations are charged all the same', async () => {
  const { page, ask, service } = await contrary({ costHeaders: false, costField: false })
  const { headers } = await page(5)
  expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([])
  expect((await ask('{ calculateQueryCost { queryCost } }')).at('errors', 0, 'message')).toMatch(
    'Cannot query field "calculateQueryCost"',
  )
  expect(service.operations().at(-2)?.cost).toBeGreaterThan(0)
})

test('without introspection the full schema is served', async () => {
  const { page, ask } = await contrary({ introspection: false })
  expect((await ask('{ __schema { queryType { name } } }')).at('errors', 0, 'message')).toMatch('introspection')
  expect(nodesOf((await page(7)).json)).toHaveLength(7)
})

test.each([
  ['errors', ['tenant', 'inventory', 'deviceSearch']],
  ['errors-without-path', undefined],
] as const)('devices missing with %s: an empty page, a total of 0, and the error', async (emptyDevices, path) => {
  const { page, service } = await contrary({ emptyDevices })
  const empty = await page(5, 'id', 'totalCount hasNextPage')
  expect([nodesOf(empty.json), pageInfoOf(empty.json)]).toEqual([[], { totalCount: 0, hasNextPage: false }])
  expect([empty.at('errors', 0, 'message'), empty.at('errors', 0, 'path')]).toEqual([
    'The inventory could not be read',
    path,
  ])
  service.contrary.change({ emptyDevices: 'never' })
  expect(nodesOf((await page(5)).json)).toHaveLength(5)
})

test('the error of a connection can stand in its own field alone', async () => {
  const { ask, id } = await contrary({ emptyDevices: 'error-field' })
  const empty = await ask(`{ tenant(id: "${id}") { inventory { deviceSearch { error edges { node { id } } } } } }`)
  expect([empty.at('errors'), empty.at('data', 'tenant', 'inventory', 'deviceSearch')]).toEqual([
    undefined,
    { error: 'The inventory could not be read', edges: [] },
  ])
})

test('devices can be missing without an error', async () => {
  const { page, service } = await contrary({ emptyDevices: 'alone' })
  const empty = await page(5, 'id', 'totalCount hasNextPage')
  expect([empty.at('errors'), nodesOf(empty.json), pageInfoOf(empty.json)]).toEqual([
    undefined,
    [],
    { totalCount: 0, hasNextPage: false },
  ])
  service.contrary.change({ emptyDevices: 'never' })
  expect(nodesOf((await page(5)).json)).toHaveLength(5)
})

test('answers are empty for a time after the start or after they were changed', async () => {
  let now = Date.parse('2026-05-04T08:00:00Z')
  const { ask } = await contrary({ emptyTenants: 'alone', emptyAfterMs: 1_000, emptyForMs: 2_000 }, { now: () => now })
  const count = async (): Promise<number> => digAll((await ask('{ tenants { id } }')).json, 'data', 'tenants').length
  const seen = [await count()]
  now += 1_000
  seen.push(await count())
  now += 2_000
  seen.push(await count())
  expect(seen).toEqual([2, 0, 2])
})

test('an empty list of tenants has an error beside it, or none', async () => {
  const { ask, service } = await contrary({ emptyTenants: 'errors' })
  const wrong = await ask('{ tenants { id } }')
  expect([wrong.at('data', 'tenants'), wrong.at('errors', 0, 'path')]).toEqual([[], ['tenants']])
  service.contrary.change({ emptyTenants: 'alone' })
  expect((await ask('{ tenants { id } }')).json).toEqual({ data: { tenants: [] } })
})

test('a site that is not resolved is null with an error at its path', async () => {
  const { page, service, id } = await contrary({ unresolvedSites: 0.5 })
  const reply = await page(40)
  const nodes = nodesOf(reply.json)
  const without = nodes.flatMap((node, at) => (Object(node).site === null ? [at] : []))
  const failed = digAll(reply.json, 'errors').map((error) => Object(error).path)
  const staged = service.world.devices().filter(({ site, tenantId }) => site === null && tenantId === id).length
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.length).toBeLessThan(nodes.length)
  expect(without).toHaveLength(failed.length + staged)
  for (const path of failed)
    expect(path).toEqual(['tenant', 'inventory', 'deviceSearch', 'edges', expect.toBeOneOf(without), 'node', 'site'])
})

test('the clock of headers and times is wrong by the offset that is asked for', async () => {
  const { page, service } = await contrary({ clockSkewMs: 600_000 }, { now: () => Date.parse('2026-05-04T08:00:00Z') })
  expect((await page(1)).headers['date']).toBe('Mon, 04 May 2026 08:10:00 GMT')
  service.contrary.change({ clockSkewMs: -600_000 })
  expect((await page(1)).headers['date']).toBe('Mon, 04 May 2026 07:50:00 GMT')
})

test('with HTTP/2 alone nothing is answered over HTTP/1.1, and sockets have a port of their own', async () => {
  const { service, page } = await contrary({ http: 'h2' })
  expect((await page(1)).status).toBe(200)
  expect(new URL(service.subscriptionUrl).port).not.toBe(new URL(service.graphqlUrl).port)
  const dispatcher = new Agent({ connect: { ca: service.ca }, allowH2: false })
  onTestFinished(() => dispatcher.destroy())
  await expect(request(service.graphqlUrl, { dispatcher, method: 'POST' })).rejects.toThrow()
})

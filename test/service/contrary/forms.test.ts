import { expect, test } from 'vitest'
import type { Answers } from '../../../src-service/faults/contrary/answers.ts'
import { dig, digAll } from '../client.ts'
import { contrary, nodesOf, pageInfoOf, searchQuery } from './contrary.ts'

test.each([
  [{ connectedAs: 'text' }, 'connected', 'true'],
  [{ connectedAs: 'upper-case' }, 'connected', 'TRUE'],
  [{ connectedAs: 'number' }, 'connected', 1],
  [{ connectedAs: 'word' }, 'connected', 'CONNECTED'],
  [{ timesAs: 'offset' }, 'lastDetected', expect.stringMatching(/\+02:00$/u)],
  [{ timesAs: 'seconds' }, 'lastDetected', expect.closeTo(1_777_881_600, -4)],
  [{ timesAs: 'milliseconds' }, 'lastDetected', expect.closeTo(1_777_881_600_000, -7)],
  [{ timesAs: 'text-seconds' }, 'lastDetected', expect.stringMatching(/^1777\d{6}$/u)],
] satisfies [Partial<Answers>, string, unknown][])(
  'with %o a device has its %s in another form',
  async (answers, field, form) => {
    const { page } = await contrary(answers, { now: () => Date.parse('2026-05-04T08:00:00Z') })
    const nodes = nodesOf((await page(40)).json).filter((node) => dig(node, 'connected') !== null)
    expect(nodes.map((node) => dig(node, field))).toContainEqual(form)
  },
)

test.each([
  { firstPage: 'empty' },
  { tokenForm: 'long' },
  { tokenForm: 'number' },
  { tokenForm: 'odd' },
  { lastPage: 'token-remains' },
  { pageOrder: 'turned' },
  { pageOverlap: 2 },
] satisfies Partial<Answers>[])('with %o all devices are found by following nextToken to the end', async (answers) => {
  const { ask, id, service } = await contrary(answers)
  const ids: unknown[] = []
  const tokens: unknown[] = [null]
  for (let more = true; more && tokens.length < 60;) {
    const { json } = await ask(searchQuery('id', 'nextToken hasNextPage totalCount'), {
      id,
      params: { nextToken: tokens.at(-1), pageSize: 4 },
    })
    ids.push(...nodesOf(json).map((node) => dig(node, 'id')))
    tokens.push(dig(pageInfoOf(json), 'nextToken'))
    more = dig(pageInfoOf(json), 'hasNextPage') === true
  }
  const truth = service.world
    .devices()
    .filter(({ tenantId }) => tenantId === id)
    .map((device) => device.id)
  expect(new Set(ids)).toEqual(new Set(truth))
  expect(ids.length > truth.length).toBe('pageOverlap' in answers)
  expect(tokens.at(-1) === null).toBe(!('lastPage' in answers))
})

test('a page token is valid only for a while', async () => {
  let now = Date.parse('2026-05-04T08:00:00Z')
  const { ask, id } = await contrary({ tokenLifeMs: 5_000 }, { now: () => now })
  const read = (nextToken: unknown) => ask(searchQuery('id', 'nextToken'), { id, params: { nextToken, pageSize: 4 } })
  const token = dig(pageInfoOf((await read(null)).json), 'nextToken')
  now += 5_000
  expect(nodesOf((await read(token)).json)).toHaveLength(4)
  now += 1
  expect((await read(token)).at('errors', 0, 'message')).toBe('nextToken has expired')
})

test('a page token can lead to itself for ever', async () => {
  const { ask, id } = await contrary({ tokenRepeats: true })
  const tokens: unknown[] = [null]
  for (let at = 0; at < 4; at += 1)
    tokens.push(
      dig(
        pageInfoOf(
          (await ask(searchQuery('id', 'nextToken'), { id, params: { nextToken: tokens.at(-1), pageSize: 4 } })).json,
        ),
        'nextToken',
      ),
    )
  expect(new Set(tokens.slice(1)).size).toBe(1)
})

test('some edges are null or have no node, and the others are there', async () => {
  const { ask, id } = await contrary({ nullEdges: 0.5 })
  const { json } = await ask(searchQuery('id', 'totalCount'), { id, params: { pageSize: 40 } })
  const edges = digAll(json, 'data', 'tenant', 'inventory', 'deviceSearch', 'edges')
  expect(edges).toEqual(expect.arrayContaining([null, { node: null }, { node: { id: expect.any(String) } }]))
  expect(edges).toHaveLength(Number(dig(pageInfoOf(json), 'totalCount')))
})

test('a device can have a different name in each answer', async () => {
  const { page } = await contrary({ nullNames: 0.5 })
  const without = async () =>
    nodesOf((await page(40, 'id name')).json)
      .filter((node) => dig(node, 'name') === null)
      .map((node) => dig(node, 'id'))
  const before = await without()
  expect(before.length).toBeGreaterThan(0)
  expect(await without()).toEqual(before)
})

test('the order changes between two pages: one device comes twice, another one never', async () => {
  const { ask, id, service } = await contrary({ orderChanges: 1 })
  const ids: unknown[] = []
  for (let nextToken: unknown = null, at = 0; at === 0 || nextToken !== null; at += 1) {
    const { json } = await ask(searchQuery('id', 'nextToken'), { id, params: { nextToken, pageSize: 4 } })
    ids.push(...nodesOf(json).map((node) => dig(node, 'id')))
    nextToken = dig(pageInfoOf(json), 'nextToken')
  }
  const truth = service.world.devices().filter(({ tenantId }) => tenantId === id)
  expect([ids.length, new Set(ids).size]).toEqual([truth.length, truth.length - Math.ceil(truth.length / 4) + 1])
})

test('each tenant counts its devices, and an id can stand for one device in each', async () => {
  const { ask, service } = await contrary({ sharedIds: true })
  const [one, other] = await Promise.all(
    service.world
      .tenants()
      .map(async ({ id }) =>
        nodesOf((await ask(searchQuery('id', 'nextToken'), { id, params: { pageSize: 40 } })).json).map((node) =>
          dig(node, 'id'),
        ),
      ),
  )
  expect(one?.slice(0, 2)).toEqual(['device-1', 'device-2'])
  expect(other?.slice(0, 2)).toEqual(['device-1', 'device-2'])
  expect((await ask('{ device(id: "device-1") { id } }')).json).toEqual({ data: { device: { id: 'device-1' } } })
})

test('ids can be asked for in the other type', async () => {
  const { ask, id } = await contrary({ idTypes: 'swapped' })
  const read = (type: string) => ask(`query Q($id: ${type}) { tenant(id: $id) { id } }`, { id })
  expect((await read('ID!')).at('errors', 0, 'message')).toBe(
    'Variable "$id" of type "ID!" used in position expecting type "String!".',
  )
  expect((await read('String!')).json).toEqual({ data: { tenant: { id } } })
})

test.each([
  [{ errorShape: 'message-only' }, ['message', 'path']],
  [{ errorShape: 'null-extensions' }, ['message', 'locations', 'path', 'extensions']],
  [{ errorShape: 'more' }, ['message', 'locations', 'path', 'extensions', 'errorType', 'errorInfo']],
] satisfies [Partial<Answers>, string[]][])(
  'with %o errors have other members, except the cost one',
  async (answers, members) => {
    const { page, ask, id } = await contrary({ maxPageSize: 5, ...answers })
    expect(Object.keys(Object((await page(6)).at('errors', 0)))).toEqual(members)
    const costly = await ask(searchQuery('id site { id name } room { id name }', 'nextToken'), {
      id,
      params: { pageSize: 5000 },
    })
    expect(costly.at('errors', 1, 'extensions', 'code')).toBe('INTERNAL_SERVICE_ERROR')
  },
)

test.each([429, 503, 400, 403, 200] as const)(
  'an empty balance can be answered with %i, without code, message and retry-after',
  async (exhaustedStatus) => {
    const { page } = await contrary(
      { exhaustedStatus, exhaustedCode: '', exhaustedWords: 'none', retryAfter: false },
      { balance: 100 },
    )
    const refused = await page(40)
    expect([refused.status, refused.json, refused.headers['retry-after']]).toEqual([
      exhaustedStatus,
      { errors: [{ message: 'Request failed' }] },
      undefined,
    ])
  },
)

test('costs, resets, tokens and tenants have other forms too', async () => {
  const { page, askToken, ask, service } = await contrary(
    {
      costFactor: 3,
      resetAs: 'epoch',
      expiresIn: 'text',
      tokenType: 'missing',
      nullTenants: 2,
      regions: 'unknown',
      contentType: 'graphql-response',
      numbersAs: 'text',
    },
    { now: () => Date.parse('2026-05-04T08:00:00Z') },
  )
  const usual = await contrary({})
  const { headers, json } = await page(5, 'id', 'totalCount')
  expect(Number(headers['graphql-ratelimit-querycost'])).toBe(
    3 * Number((await usual.page(5, 'id', 'totalCount')).headers['graphql-ratelimit-querycost']),
  )
  expect([headers['content-type'], headers['ratelimit-reset']]).toEqual([
    'application/graphql-response+json; charset=utf-8',
    String(Date.parse('2026-05-04T08:01:00Z') / 1000),
  ])
  expect(pageInfoOf(json)).toEqual({ totalCount: expect.stringMatching(/^\d+$/u) })
  expect((await askToken()).json).toEqual({ access_token: expect.any(String), expires_in: '86400' })
  const tenants = digAll((await ask('{ tenants { region { id } } }')).json, 'data', 'tenants')
  expect([tenants.filter((tenant) => tenant === null).length, tenants.length, dig(tenants, 0, 'region', 'id')]).toEqual(
    [2, 2 + service.world.tenants().length, 'AP-SOUTH-2'],
  )
})

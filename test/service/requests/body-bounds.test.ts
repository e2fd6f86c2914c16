import { expect, test } from 'vitest'
import { startOperationLog } from '../../../src-service/graphql/operation-log.ts'
import { open, plainClient } from '../client.ts'

async function ready() {
  const service = await open({ points: false })
  const client = plainClient(service)
  const bearer = await client.token()
  const post = (body: string) =>
    client.post(service.graphqlUrl, body, { 'content-type': 'application/json', authorization: `Bearer ${bearer}` })
  return { service, post, ask: (query: string, variables: unknown = {}) => client.ask(bearer, query, variables) }
}

const nestedFilter = (nodes: number): object =>
  Array.from({ length: nodes - 1 }).reduce<object>((inner) => ({ NOT: [inner] }), {
    field: 'name',
    contains: 'no such name',
  })
const search = 'query ($f: DeviceFilter) { deviceSearch(params: { filter: $f }) { pageInfo { totalCount } } }'

test('a filter of 100 nodes, each within the other, is served, in variables and in the document', async () => {
  const { ask } = await ready()
  expect((await ask(search, { f: nestedFilter(100) })).at('data')).toEqual({
    deviceSearch: { pageInfo: { totalCount: 120 } },
  })
  const written = JSON.stringify(nestedFilter(99)).replaceAll(/"(\w+)":/g, '$1:')
  expect(
    (await ask(`{ deviceSearch(params: { filter: ${written} }) { pageInfo { totalCount } } }`)).at('data'),
  ).toEqual({ deviceSearch: { pageInfo: { totalCount: 0 } } })
})

test('a filter that nests deeper is rejected without a stack overflow', async () => {
  const { post, ask } = await ready()
  for (const [open, close] of [
    ['[', ']'],
    ['{"NOT":[', ']}'],
  ] as const) {
    const reply = await post(
      `{"query":"{ tenants { id } }","variables":{"f":${open.repeat(100_000)}${close.repeat(100_000)}}}`,
    )
    expect([reply.status, reply.at('errors', 0, 'message')]).toEqual([400, 'The body nests deeper than 250 brackets'])
  }
  expect(
    (await post(JSON.stringify({ query: '{ tenants { id } }', variables: { f: `${'\\"['.repeat(300)}` } }))).at('data'),
  ).toBeTruthy()
  const deep = await ask(`{ tenant(id: ${'['.repeat(1900)}${']'.repeat(1900)}) { id } }`)
  expect([deep.status, deep.at('errors', 0, 'message')]).toEqual([200, 'The document nests deeper than 250 brackets'])
  expect((await ask(`{ tenant(id: "${'['.repeat(300)}") { id } }`)).at('errors', 0, 'extensions', 'code')).toBe(
    'NOT_FOUND',
  )
})

test('the rejection of a body that is not JSON does not quote it', async () => {
  const { post } = await ready()
  const reply = await post('{"query": "{ tenants { id } }", secret')
  expect([reply.status, reply.json]).toEqual([
    400,
    { errors: [{ message: 'The body is not JSON', extensions: { code: 'BAD_REQUEST' } }] },
  ])
})

test('a long array is read only up to its limit', async () => {
  const { service, post } = await ready()
  expect((await post(`[${'{},'.repeat(100_000)}{}]`)).at('errors', 0, 'message')).toBe(
    'An array holds 1 to 10 operations',
  )
  expect(service.operations()).toEqual([])
})

test('the log holds the last 5,000 operations, and of large ones fewer', () => {
  const log = startOperationLog()
  const operation = (cost: number) => ({
    operationName: null,
    query: '',
    variables: {},
    cost,
    status: 200,
    clientId: null,
  })
  for (let n = 1; n <= 20_000; n += 1) log.add(operation(n), 100)
  expect([log.operations().length, log.operations()[0]?.cost, log.operations().at(-1)?.cost]).toEqual([
    5000, 15_001, 20_000,
  ])
  for (let n = 1; n <= 30; n += 1) log.add(operation(-n), 1024 * 1024)
  expect(log.operations().length).toBeLessThanOrEqual(9)
  expect(log.operations().at(-1)?.cost).toBe(-30)
})

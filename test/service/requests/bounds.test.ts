import { expect, test } from 'vitest'
import { createClient } from 'graphql-ws'
import { dig, digAll, open, plainClient, socketClass } from '../client.ts'

async function ready(options: Parameters<typeof open>[0] = {}) {
  const service = await open(options)
  const client = plainClient(service)
  const bearer = await client.token()
  const send = (body: unknown) =>
    client.post(service.graphqlUrl, JSON.stringify(body), {
      'content-type': 'application/json',
      authorization: `Bearer ${bearer}`,
    })
  return { service, send, ...client, bearer }
}

test('an array of operations: each is answered in its place, charged, and fails alone', async () => {
  const { send, service } = await ready({ balance: 100, costLimit: 90 })
  const dear = '{ tenants { id inventory { deviceSearch(params: { pageSize: 500 }) { edges { node { id } } } } } }'
  const reply = await send([
    { query: '{ tenants { id } }' },
    { query: '{ nope }' },
    { query: dear },
    {
      query: 'query A { tenants { name } } query B($n: Boolean!) { tenants { id name @include(if: $n) } }',
      operationName: 'B',
      variables: { n: true },
    },
    5,
    null,
  ])
  expect(reply.status).toBe(200)
  const [first, second, third, fourth, ...nonsense] = digAll(reply.json)
  expect(first).toEqual({ data: { tenants: [{ id: expect.any(String) }, { id: expect.any(String) }] } })
  expect(second).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
  expect(third).toMatchObject({
    errors: [
      { message: expect.stringMatching(/^GraphQL query cost of \d+ points exceeds maximum cost limit of 90 points$/u) },
      {},
    ],
  })
  expect(fourth).toEqual({
    data: {
      tenants: [
        { id: expect.any(String), name: expect.any(String) },
        { id: expect.any(String), name: expect.any(String) },
      ],
    },
  })
  expect(nonsense).toEqual([{ errors: [expect.anything()] }, { errors: [expect.anything()] }])
  const costs = service.operations().map(({ cost }) => cost)
  expect(costs).toEqual([3, 0, expect.any(Number), 5, 0, 0])
  expect(reply.headers['graphql-ratelimit-querycost']).toBe(String(costs.reduce((sum, cost) => sum + cost, 0)))
  // What was refused is not deducted.
  expect(reply.headers['ratelimit-remaining']).toBe('92')
})

test('an empty array or one of more than ten operations is rejected as a whole', async () => {
  const { send, service } = await ready()
  const one = { query: '{ tenants { id } }' }
  for (const batch of [[], Array.from({ length: 11 }, () => one)]) {
    const reply = await send(batch)
    expect([reply.status, reply.at('errors', 0, 'message')]).toEqual([400, 'An array holds 1 to 10 operations'])
  }
  expect(digAll((await send(Array.from({ length: 10 }, () => one))).json)).toHaveLength(10)
  expect(service.operations()).toHaveLength(10)
})

const deep = (levels: number) =>
  `{ ${'__schema { types { fields { type { '.repeat(1)}${'ofType { '.repeat(levels - 5)}name${' }'.repeat(levels - 1)} }`

test.each([
  ['more than 4,000 tokens', `{ ${'tenants { id } '.repeat(1000)} }`, /more tha[nt] 4000 tokens/u],
  ['more than 20 levels', deep(21), /^The operation is 21 deep: at most 20$/u],
  [
    'more than 20 levels in fragments',
    `query { tenants { ...A } } fragment A on Tenant { inventory { deviceSearch { edges { node { site { ...B } } } } } } fragment B on Site { ${'... on Site { '.repeat(5)}id${' }'.repeat(5)} __typename ...C } fragment C on Site { ...C }`,
    /within itself/u,
  ],
  [
    'more than 100 aliases',
    `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: tenants { id }`).join(' ')} }`,
    /^The document has more than 100 aliases$/u,
  ],
])('%s are rejected', async (_name, query, words) => {
  const { bearer, ask } = await ready()
  const reply = await ask(bearer, query)
  expect([reply.at('data'), reply.at('errors', 0, 'message')]).toEqual([undefined, expect.stringMatching(words)])
})

test.each([
  ['tokens', 'id '.repeat(4000), /more tha[nt] 4000 tokens/u],
  [
    'aliases',
    Array.from({ length: 101 }, (_, n) => `a${n}: id`).join(' '),
    /^The document has more than 100 aliases$/u,
  ],
])('a subscription has the same bounds: %s', async (_name, fields, words) => {
  const { service, bearer } = await ready()
  const client = createClient({
    url: service.subscriptionUrl,
    webSocketImpl: socketClass(service),
    connectionParams: { authorization: `Bearer ${bearer}` },
    retryAttempts: 0,
  })
  const errors = await new Promise<unknown>((resolve) => {
    client.subscribe(
      { query: `subscription { deviceStream(deviceIds: ["x"]) { ${fields} } }` },
      { next: () => resolve('an event'), error: resolve, complete: () => resolve('complete') },
    )
  })
  expect(dig(errors, 0, 'message')).toMatch(words)
  await client.dispose()
})

test('a document at the bounds is served', async () => {
  const { ask, bearer } = await ready()
  expect((await ask(bearer, deep(20))).at('errors')).toBeUndefined()
  expect(
    (await ask(bearer, `{ ${Array.from({ length: 100 }, (_, n) => `a${n}: tenants { id }`).join(' ')} }`)).at('errors'),
  ).toBeUndefined()
})

test('fragments that spread each other a thousandfold are counted at once', async () => {
  const { ask, bearer } = await ready()
  const chain = Array.from({ length: 300 }, (_, n) => `fragment F${n} on Tenant { ...F${n + 1} ...F${n + 1} }`).join(
    ' ',
  )
  const reply = await ask(bearer, `${chain} fragment F300 on Tenant { id } { tenants { ...F0 } }`)
  expect(reply.at('data', 'tenants', 0, 'id')).toEqual(expect.any(String))
})

test('no error shows a path, whatever NODE_ENV says', async () => {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'development'
  try {
    const { bearer, post, service, ask } = await ready()
    const replies = [
      await post(service.graphqlUrl, '{"query":', {
        'content-type': 'application/json',
        authorization: `Bearer ${bearer}`,
      }),
      await post(service.graphqlUrl, '['.repeat(100_000), { 'content-type': 'application/json' }),
      await ask(bearer, '{ nope }'),
      await ask(bearer, 'query ($id: ID!) { tenant(id: $id) { id } }', { id: { a: 1 } }),
    ]
    for (const reply of replies) expect(reply.text).not.toMatch(/\.(?:ts|js)\b|node_modules|\bat .*:\d+/u)
  } finally {
    process.env['NODE_ENV'] = before
  }
})

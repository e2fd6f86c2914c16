import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { operationCost } from '../../../src-service/graphql/points/cost.ts'
import { makeSchema } from '../../../src-service/graphql/schema/schema.ts'
import { eightFields, open, pageQuery, plainClient } from '../client.ts'

const schema = makeSchema('full')

function cost(
  query: string,
  variables: Record<string, unknown> = {},
  operationName: string | null = null,
  tenants = 1,
): number {
  const document = parse(query)
  expect(validate(schema, document)).toEqual([])
  return operationCost(schema, document, operationName, variables, tenants)
}

const tenantPage = (size: number, fields: string): string =>
  `{ tenant(id: "1") { inventory { deviceSearch(params: { pageSize: ${size} }) { edges { node { ${fields} } } } } } }`

test('calibrated: 700 devices with six scalars and user{email} cost 9,000 to 10,000', () => {
  expect(cost(tenantPage(700, 'id name hardwareModel connected lastDetected serialNumber user { email }'))).toBe(
    700 * 13 + 6,
  )
})

test("calibrated: the specification's eight fields cost 19 points a device", () => {
  expect(cost(tenantPage(500, eightFields))).toBe(500 * 19 + 6)
})

test.each([
  ['{ __typename }', 1],
  ['{ tenants { id } }', 2],
  ['{ tenants { id name region { id } } }', 1 + 2 + 1 + 1],
  ['{ calculateQueryCost { queryCost costUsed costRemaining secondsToReset } }', 5],
  // deviceSearch 1, edges 1, ten times (node 2 + id 1).
  ['{ deviceSearch { edges { node { id } } } }', 1 + 1 + 10 * 3],
  ['{ deviceSearch(params: { pageSize: null }) { edges { node { id } } } }', 1 + 1 + 10 * 3],
  ['{ deviceSearch { pageInfo { totalCount } } }', 1 + 1 + 1],
  // An alias is a field of its own; the same field twice is one.
  ['{ a: tenants { id } b: tenants { id } }', 4],
  ['{ tenants { id } tenants { id name } }', 3],
  ['{ ...F ...F } fragment F on Query { tenants { ...T } } fragment T on Tenant {id name}', 3],
  ['{ ... on Query { tenants { id } } }', 2],
])('%s: %i', (query, points) => {
  expect(cost(query)).toBe(points)
})

test('fields below the tenants cost once for each tenant that the caller sees, at least once', () => {
  const everywhere = `{ all: tenants { inventory { deviceSearch(params: { pageSize: 500 }) { edges { node { ${eightFields} } } } } } }`
  const one = 1 + 2 + 2 + 500 * 19
  expect([0, 1, 2, 6].map((tenants) => cost(everywhere, {}, null, tenants))).toEqual([
    1 + one,
    1 + one,
    1 + 2 * one,
    1 + 6 * one,
  ])
  expect(cost(tenantPage(500, eightFields), {}, null, 6)).toBe(500 * 19 + 6)
})

test('the page size counts wherever it comes from, and skipped fields are free', () => {
  const query =
    'query ($p: DeviceFindArgs, $n: Int, $with: Boolean!) { a: deviceSearch(params: $p) { edges { node { id name @include(if: $with) } } } b: deviceSearch(params: { pageSize: $n }) { edges { node { id @skip(if: $with) } } } }'
  expect(cost(query, { p: { pageSize: 30 }, n: 7, with: true })).toBe(2 + 30 * 4 + 2 + 7 * 2)
  expect(cost(query, { with: false })).toBe(2 + 10 * 3 + 2 + 10 * 3)
})

test('only the operation that runs is charged', () => {
  const query = 'query A { tenants { id } } query B { deviceSearch { edges { node { id } } } }'
  expect(cost(query, {}, 'A')).toBe(2)
  expect(cost(query, {}, 'B')).toBe(32)
  expect(cost(query)).toBe(0)
})

test('a page size below one does not make an operation cheap', () => {
  expect(cost('{ deviceSearch(params: { pageSize: -100000 }) { edges { node { id } } } }')).toBe(5)
  const steps = Array.from(
    { length: 40 },
    (_, n) => `fragment F${n} on __Type { a: ofType { ...F${n + 1} } b: ofType { ...F${n + 1} } }`,
  )
  const bomb = `{ __type(name: "Device") { ...F0 } } ${steps.join(' ')} fragment F40 on __Type { name }`
  expect(operationCost(schema, parse(bomb), null, {}, 1)).toBeGreaterThan(10_000)
  const twice = Array.from({ length: 40 }, (_, n) => `fragment G${n} on Query { ...G${n + 1} ...G${n + 1} }`)
  expect(
    operationCost(schema, parse(`{ ...G0 } ${twice.join(' ')} fragment G40 on Query { tenants { id } }`), null, {}, 1),
  ).toBe(2)
})

async function ready(options: Parameters<typeof open>[0] = {}) {
  const service = await open(options)
  const { ask, token } = plainClient(service)
  const bearer = await token()
  return { service, bearer, ask, id: service.world.tenants()[0]?.id ?? '' }
}

const limits = (headers: Record<string, string>): (string | undefined)[] =>
  ['graphql-ratelimit-querycost', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map(
    (name) => headers[name],
  )

test('every answer carries the four headers, and the body says the same', async () => {
  const clock = { at: 1_760_000_000_000 }
  const { ask, bearer, id } = await ready({ now: () => clock.at })
  const first = await ask(bearer, pageQuery, { id, params: { pageSize: 100 } })
  // tenant 1 + inventory 1 + deviceSearch 2 + edges 2 + 100 × (node 3 + 2) + pageInfo 2 + 4.
  expect(limits(first.headers)).toEqual(['512', '100000', '99488', '60'])
  clock.at += 20_500
  const second = await ask(bearer, '{ calculateQueryCost { queryCost costUsed costRemaining secondsToReset } }')
  expect(second.at('data', 'calculateQueryCost')).toEqual({
    queryCost: 5,
    costUsed: 517,
    costRemaining: 99_483,
    secondsToReset: 40,
  })
  expect(limits(second.headers)).toEqual(['5', '100000', '99483', '40'])
  const invalid = await ask(bearer, '{ nothing }')
  expect(limits(invalid.headers)).toEqual(['0', '100000', '99483', '40'])
  const nobody = await ask(null, '{ tenants { id } calculateQueryCost { queryCost costUsed costRemaining } }')
  expect(limits(nobody.headers)).toEqual(['0', '100000', '100000', '40'])
  expect(nobody.at('data', 'calculateQueryCost')).toEqual({ queryCost: 0, costUsed: 0, costRemaining: 100_000 })
})

test.each(['application/json', 'application/graphql-response+json'])(
  'over 10,000 points nothing runs or is deducted (%s)',
  async (accept) => {
    const { ask, bearer, id, service } = await ready()
    const reply = await ask(bearer, pageQuery, { id, params: { pageSize: 2000 } }, { headers: { accept } })
    const message = 'GraphQL query cost of 10012 points exceeds maximum cost limit of 10000 points'
    expect(reply.status).toBe(400)
    expect(reply.json).toEqual({
      errors: [{ message }, { message, extensions: { code: 'INTERNAL_SERVICE_ERROR', stacktrace: [message] } }],
    })
    expect(limits(reply.headers).slice(0, 3)).toEqual(['10012', '100000', '100000'])
    expect(service.operations().map(({ operationName, cost, status }) => ({ operationName, cost, status }))).toEqual([
      { operationName: 'Page', cost: 10_012, status: 400 },
    ])
  },
)

test('a caller who sees more tenants pays more', async () => {
  const { service, ask, bearer } = await ready()
  const page =
    '{ tenants { inventory { deviceSearch(params: { pageSize: 500 }) { edges { node { id name connected site { id name } } } } } } }'
  const one = service.credentials.add({ tenants: [service.world.tenants()[0]?.id ?? ''] })
  const asOne = plainClient(service, { h2: true, set: one })
  const [alone, all] = [await asOne.ask(await asOne.token(), page), await ask(bearer, page)]
  expect([alone.status, alone.headers['graphql-ratelimit-querycost']]).toEqual([200, String(1 + 5 + 500 * 11)])
  expect([all.status, all.headers['graphql-ratelimit-querycost']]).toEqual([400, String(1 + 2 * (5 + 500 * 11))])
})

test('an empty balance holds until the rate window resets', async () => {
  const clock = { at: 1_760_000_000_000 }
  const { ask, bearer, id } = await ready({ now: () => clock.at, balance: 1000 })
  const page = (): ReturnType<typeof ask> => ask(bearer, pageQuery, { id, params: { pageSize: 100 } })
  expect((await page()).headers['ratelimit-remaining']).toBe('488')
  clock.at += 59_000
  const refused = await page()
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBe('1')
  expect(refused.at('data')).toBeUndefined()
  expect(refused.at('errors', 0, 'extensions', 'code')).toBe('RATE_LIMITED')
  expect(refused.headers['ratelimit-remaining']).toBe('488')
  // What still fits is served.
  expect((await ask(bearer, '{ tenants { id } }')).headers['ratelimit-remaining']).toBe('485')
  clock.at += 1000
  const again = await page()
  expect([again.status, again.headers['ratelimit-remaining']]).toEqual([200, '488'])
})

test.each([
  [503, '60'],
  [400, '60'],
  [200, undefined],
] as const)('an empty balance is a %s where that is chosen, whatever the client accepts', async (code, retryAfter) => {
  const { ask, bearer, id } = await ready({ now: () => 1_760_000_000_000, balance: 100, exhausted: code })
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const refused = await ask(bearer, pageQuery, { id, params: { pageSize: 100 } }, { headers: { accept } })
    expect([refused.status, refused.headers['retry-after'], refused.at('errors', 0, 'extensions', 'code')]).toEqual([
      code,
      retryAfter,
      'RATE_LIMITED',
    ])
    expect(limits(refused.headers)).toEqual(['512', '100', '100', '60'])
  }
})

test('without points nothing is rejected or deducted, but the cost is reported', async () => {
  const { ask, bearer, id } = await ready({ points: false })
  const reply = await ask(bearer, pageQuery, { id, params: { pageSize: 5000 } })
  expect(reply.at('errors')).toBeUndefined()
  expect(limits(reply.headers).slice(0, 3)).toEqual(['25012', '100000', '100000'])
})

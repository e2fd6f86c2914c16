import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { MisfortuneKind } from '../../../src-service/faults/misfortune/misfortune.ts'
import { dig, digAll, open, pageQuery, plainClient } from '../client.ts'
import type { Reply } from '../client.ts'

async function ready(h2 = true) {
  const service = await open()
  const client = plainClient(service, { h2 })
  const bearer = await client.token()
  const id = service.world.tenants()[0]?.id ?? ''
  const page = (nextToken: unknown = null) => client.ask(bearer, pageQuery, { id, params: { pageSize: 5, nextToken } })
  return { ...client, service, bearer, page }
}

test('each misfortune hits once, and the next request is served as usual', async () => {
  const { service, page } = await ready()
  service.misfortune.next('rate-limited')
  const limited = await page()
  expect([
    limited.status,
    limited.headers['ratelimit-remaining'],
    limited.at('errors', 0, 'extensions', 'code'),
  ]).toEqual([429, '0', 'RATE_LIMITED'])
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  service.misfortune.next('http-500')
  const failed = await page()
  expect([failed.status, failed.at('errors', 0, 'extensions', 'code')]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  service.misfortune.next('html')
  const portal = await page()
  expect([portal.status, portal.headers['content-type'], portal.text.slice(0, 15)]).toEqual([
    200,
    'text/html; charset=utf-8',
    '<!doctype html>',
  ])
  service.misfortune.next('garbage')
  const garbage = await page()
  expect([garbage.status, garbage.json, garbage.text.slice(0, 8)]).toEqual([200, undefined, '{"data":'])
  service.misfortune.next('unauthenticated')
  expect((await page()).at('errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
  expect((await page()).at('errors')).toBeUndefined()
  expect(service.misfortune.waiting()).toEqual([])
})

test('rate-limited has the same answer as an empty balance', async () => {
  const service = await open({ balance: 5 })
  const { ask, token } = plainClient(service)
  const bearer = await token()
  const page = () => ask(bearer, '{ deviceSearch { edges { node { id } } } }')
  service.misfortune.next('rate-limited')
  const [made, real] = [await page(), await page()]
  const withoutTime = ({ status, headers, text }: Reply) => [
    status,
    headers['content-type'],
    headers['ratelimit-limit'],
    text.replace(/in \d+ s/, 'in N s'),
  ]
  expect(real.status).toBe(429)
  expect(withoutTime(made)).toEqual(withoutTime(real))
})

test.each([true, false])('a reset cuts the connection (HTTP/2: %s)', async (h2) => {
  const { service, page } = await ready(h2)
  service.misfortune.next('reset')
  await expect(page()).rejects.toThrow()
  expect((await page()).status).toBe(200)
})

test.each([true, false])(
  'a stalled request is never answered, and ends when the service stops (HTTP/2: %s)',
  async (h2) => {
    const { service, page } = await ready(h2)
    service.misfortune.next('stall')
    let answered = false
    const stalled = page()
      .then(
        () => 'answered',
        () => 'cut',
      )
      .finally(() => (answered = true))
    while (service.requests() < 1) await after(1)
    expect((await page()).status).toBe(200)
    expect(answered).toBe(false)
    await service.stop()
    expect(await stalled).toBe('cut')
  },
)

test('repeat-token waits for a request that carries a token, and gives it back', async () => {
  const { service, page } = await ready()
  service.misfortune.next('repeat-token')
  const pageInfo = ['data', 'tenant', 'inventory', 'deviceSearch', 'pageInfo'] as const
  const first = (await page()).at(...pageInfo, 'nextToken')
  const second = (await page(first)).at(...pageInfo)
  expect(second).toMatchObject({ nextToken: first, hasNextPage: true })
  expect((await page(first)).at(...pageInfo, 'nextToken')).not.toBe(first)
})

test('partial removes one edge and adds an error', async () => {
  const { service, page } = await ready()
  service.misfortune.next('partial')
  const reply = await page()
  const edges = digAll(reply.json, 'data', 'tenant', 'inventory', 'deviceSearch', 'edges')
  expect(edges.map((edge) => edge === null)).toEqual([false, false, true, false, false])
  expect(reply.at('errors', 0, 'path')).toEqual(['tenant', 'inventory', 'deviceSearch', 'edges', 2])
})

test('unknown-fields adds fields everywhere, and unknown enum values', async () => {
  const { service, ask, bearer } = await ready()
  service.misfortune.next('unknown-fields')
  const reply = await ask(
    bearer,
    '{ tenants { name region { id } } deviceSearch { edges { node { name callStatus } } } }',
  )
  expect(reply.at('data', 'tenants', 0)).toMatchObject({
    name: 'Brightwater Insurance',
    region: { id: 'AP-1' },
    unknownField: {},
  })
  expect(digAll(reply.json, 'data', 'deviceSearch', 'edges').map((edge) => dig(edge, 'node', 'callStatus'))).toEqual(
    Array.from({ length: 10 }, () => 'ON_HOLD'),
  )
})

test('a misfortune is aimed by operation name, by a predicate, after a skip, or at tokens', async () => {
  const { service, page, ask, askToken, bearer } = await ready()
  service.misfortune.next('http-500', { operationName: 'Page', skip: 2 })
  service.misfortune.next('html', { match: ({ query }) => query.includes('tenants') })
  const statuses = [
    (await page()).status,
    (await ask(bearer, '{ __typename }')).status,
    (await page()).status,
    (await page()).status,
    (await page()).status,
  ]
  expect(statuses).toEqual([200, 200, 200, 500, 200])
  expect((await ask(bearer, '{ tenants { id } }')).headers['content-type']).toContain('text/html')
  service.misfortune.next('garbage', { at: 'token' })
  expect((await page()).json).toBeDefined()
  expect((await askToken()).json).toBeUndefined()
  expect((await askToken()).status).toBe(200)
})

test.each(['http-500', 'html', 'rate-limited', 'reset'] satisfies MisfortuneKind[])(
  'the token endpoint can meet %s too',
  async (kind) => {
    const { service, askToken } = await ready()
    const before = service.tokensIssued()
    service.misfortune.next(kind, { at: 'token' })
    const outcome = await askToken().then(
      ({ json }) => dig(json, 'access_token'),
      () => undefined,
    )
    expect([outcome, service.tokensIssued()]).toEqual([undefined, before])
  },
)

test.each([true, false])('a paused service closes its port and resumes on the same one (HTTP/2: %s)', async (h2) => {
  const { service, page } = await ready(h2)
  const [device] = service.world.devices()
  await service.misfortune.pause()
  await expect(page()).rejects.toThrow()
  service.world.renameDevice(device?.id ?? '', 'Renamed in the dark')
  await service.misfortune.resume()
  expect((await page()).status).toBe(200)
  expect(service.world.device(device?.id ?? '')?.name).toBe('Renamed in the dark')
})

test('other paths, methods and oversized bodies are rejected, and the service goes on', async () => {
  const { service, post, page, bearer } = await ready()
  expect((await post(service.graphqlUrl.replace('/graphql', '/nowhere'), '{}', {})).status).toBe(404)
  const large = await post(service.graphqlUrl, ' '.repeat(1024 * 1024 + 1), {
    'content-type': 'application/json',
    authorization: `Bearer ${bearer}`,
  })
  expect([large.status, large.headers['ratelimit-limit']]).toEqual([413, '100000'])
  expect(
    (await post(service.graphqlUrl, '{"query":', { 'content-type': 'application/json' })).at('errors', 0, 'message'),
  ).toBeTypeOf('string')
  expect(
    (await post(service.graphqlUrl, '{"query":"{ __typename }"}', { 'content-type': 'application/vnd.api+json' }))
      .status,
  ).toBe(415)
  expect(
    (
      await post(service.graphqlUrl, '{"query":"{ __typename }"}', {
        'content-type': 'Application/JSON; charset=utf-8',
      })
    ).status,
  ).toBe(200)
  expect(
    (
      await post(service.graphqlUrl, '{"query":"subscription { deviceStream(deviceIds: []) { id } }"}', {
        'content-type': 'application/json',
        accept: 'text/event-stream',
      })
    ).status,
  ).toBe(400)
  expect((await page()).status).toBe(200)
})

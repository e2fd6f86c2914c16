import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { digAll, open, pageQuery, plainClient, streamClient, until } from '../client.ts'
import type { ServiceOptions } from '../../../src-service/service.ts'

const HOUR = 3_600_000
const pageInfo = ['data', 'tenant', 'inventory', 'deviceSearch', 'pageInfo'] as const

async function ready(h2 = true, options: ServiceOptions = {}) {
  const service = await open(options)
  const client = plainClient(service, { h2 })
  const bearer = await client.token()
  const id = service.world.tenants()[0]?.id ?? ''
  const page = (nextToken: unknown = null) => client.ask(bearer, pageQuery, { id, params: { pageSize: 5, nextToken } })
  return { ...client, service, bearer, page, id }
}

test.each([true, false])(
  'latency: one request waits, later ones do not, and its answer is right (HTTP/2: %s)',
  async (h2) => {
    const { service, page, ask, bearer } = await ready(h2)
    service.misfortune.next('latency', { ms: HOUR })
    const late = page().then(
      () => 'answered',
      () => 'cut',
    )
    await until(() => service.misfortune.waiting().length === 0)
    expect((await page()).status).toBe(200)
    service.misfortune.next('latency', { ms: 20 })
    expect((await ask(bearer, '{ tenants { id } }')).at('data', 'tenants')).toHaveLength(2)
    await service.stop()
    expect(await late).toBe('cut')
  },
)

test.each(['graphql', 'token'] as const)(
  'latency of all requests (%s) lasts until it is lifted and adds to other misfortunes',
  async (at) => {
    const { service, page, askToken } = await ready()
    const ask = at === 'graphql' ? page : askToken
    const lift = service.misfortune.always('latency', { ms: HOUR, at })
    const outcomes: string[] = []
    const waiting = [ask(), ask()].map((reply) =>
      reply.then(
        () => outcomes.push('answered'),
        () => outcomes.push('cut'),
      ),
    )
    // Over the other address: each is served at once, also while the first two wait.
    expect((await (at === 'graphql' ? askToken : page)()).status).toBe(200)
    lift()
    service.misfortune.always('latency', { ms: 5, at })
    service.misfortune.always('latency', { ms: 5, at })
    service.misfortune.next('http-500', { at })
    expect([(await ask()).status, (await ask()).status, outcomes]).toEqual([500, 200, []])
    await service.stop()
    await Promise.all(waiting)
    expect(outcomes).toEqual(['cut', 'cut'])
  },
)

test('a client that abandons a late answer leaves nothing behind and is not charged', async () => {
  const { service, page, post, bearer } = await ready()
  service.misfortune.next('latency', { ms: HOUR })
  const impatient = plainClient(service, { h2: false })
  const outcome = impatient.ask(bearer, '{ tenants { id } }').then(
    () => 'answered',
    () => 'gone',
  )
  await until(() => service.misfortune.waiting().length === 0)
  await impatient.dispatcher.destroy()
  expect(await outcome).toBe('gone')
  expect(service.operations()).toEqual([])
  expect((await page()).headers['ratelimit-remaining']).toBe(String(100_000 - 37))
  expect((await post(service.graphqlUrl, '', {})).status).toBeGreaterThanOrEqual(200)
})

test('a share of all requests, the same ones for the same seed, until it is lifted', async () => {
  const { service, page } = await ready()
  const round = async (seed: number) => {
    const lift = service.misfortune.always('http-500', { share: 0.3, seed, operationName: 'Page' })
    const statuses = []
    for (let n = 0; n < 60; n += 1) statuses.push((await page()).status)
    lift()
    return statuses
  }
  const first = await round(7)
  const hits = first.filter((status) => status === 500).length
  expect(hits).toBeGreaterThan(6)
  expect(hits).toBeLessThan(36)
  expect(await round(7)).toEqual(first)
  expect(await round(8)).not.toEqual(first)
  expect((await page()).status).toBe(200)
})

test('a single misfortune comes before a lasting one; a share of 0 never hits, 1 always', async () => {
  const { service, page } = await ready()
  service.misfortune.always('html', { share: 0 })
  const lift = service.misfortune.always('http-500')
  service.misfortune.next('rate-limited')
  expect(service.misfortune.waiting()).toEqual(['rate-limited'])
  expect([(await page()).status, (await page()).status, (await page()).status]).toEqual([429, 500, 500])
  lift()
  lift()
  expect((await page()).status).toBe(200)
})

test('wrong totals: neither total is right, whatever its alias, and the devices are', async () => {
  const { service, page, ask, bearer, id } = await ready()
  const right = await page()
  service.misfortune.next('wrong-totals')
  expect((await ask(bearer, '{ tenants { id } }')).status).toBe(200)
  const wrong = await page()
  expect(wrong.at('data', 'tenant', 'inventory', 'deviceSearch', 'edges')).toEqual(
    right.at('data', 'tenant', 'inventory', 'deviceSearch', 'edges'),
  )
  const total = Number(right.at(...pageInfo, 'totalCount'))
  expect([wrong.at(...pageInfo, 'totalCount'), wrong.at(...pageInfo, 'countOnPage')]).toEqual([
    Math.floor(total / 2),
    6,
  ])
  service.misfortune.next('wrong-totals')
  const named = await ask(
    bearer,
    'query ($id: ID!) { tenant(id: $id) { inventory { deviceSearch(params: { filter: { field: "name", eq: "nobody" } }) { pageInfo { all: totalCount totalCount here: countOnPage } } } } }',
    { id },
  )
  expect(named.at(...pageInfo)).toEqual({ all: 1, totalCount: 1, here: 1 })
})

test('repeat-token finds an aliased token as well', async () => {
  const { service, page, ask, bearer, id } = await ready()
  const token = (await page()).at(...pageInfo, 'nextToken')
  service.misfortune.next('repeat-token')
  const reply = await ask(
    bearer,
    'query ($id: ID!, $p: DeviceFindArgs) { tenant(id: $id) { inventory { deviceSearch(params: $p) { pageInfo { cursor: nextToken more: hasNextPage } } } } }',
    { id, p: { pageSize: 5, nextToken: token } },
  )
  expect(reply.at(...pageInfo)).toEqual({ cursor: token, more: true })
})

test.each([true, false])('cut-short: the head and half of the body arrive before a reset (HTTP/2: %s)', async (h2) => {
  const { service, page, bearer, dispatcher } = await ready(h2)
  const whole = (await page()).text.length
  expect(whole).toBeGreaterThan(100)
  service.misfortune.next('cut-short')
  const body = JSON.stringify({
    query: pageQuery,
    variables: { id: service.world.tenants()[0]?.id, params: { pageSize: 5 } },
  })
  const seen = { status: 0, length: 0, bytes: 0 }
  const outcome = await dispatcher
    .request({
      origin: new URL(service.graphqlUrl).origin,
      path: '/graphql',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body,
    })
    .then(async (answer) => {
      Object.assign(seen, { status: answer.statusCode, length: Number(answer.headers['content-length']) })
      for await (const chunk of answer.body) seen.bytes += (chunk as Buffer).length
      return 'whole'
    })
    .catch(() => 'cut')
  expect([outcome, seen.status]).toEqual(['cut', 200])
  expect(seen.bytes).toBe(seen.length >> 1)
  expect((await page()).status).toBe(200)
})

test('an array of operations meets a misfortune as one request, aimed at any of them', async () => {
  const { service, post, bearer } = await ready()
  const send = () =>
    post(
      service.graphqlUrl,
      JSON.stringify([{ query: 'query A { tenants { id } }' }, { query: 'query B { tenants { name } }' }]),
      { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    )
  service.misfortune.next('http-500', { operationName: 'B' })
  const failed = await send()
  expect([failed.status, failed.at('errors', 0, 'extensions', 'code')]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  service.misfortune.next('garbage', { operationName: 'B' })
  const garbage = await send()
  expect([garbage.status, garbage.json]).toEqual([200, undefined])
  expect(digAll((await send()).json)).toHaveLength(2)
  expect(service.operations().map(({ status }) => status)).toEqual([500, 500, 200, 200, 200, 200])
})

test('a skewed clock shifts the date, tokens, resets and device times until it is corrected', async () => {
  const clock = { at: Date.parse('2026-03-01T12:00:10Z') }
  const { service, ask, askToken, bearer } = await ready(true, { now: () => clock.at })
  const device = service.world.find(({ connected }) => connected === true)
  const look = async () => {
    const { headers } = await ask(bearer, '{ __typename }')
    const issued = decodeJwt(String((await askToken()).at('access_token'))).iat ?? 0
    service.world.setConnected(device.id, false)
    const seen = (await ask(bearer, 'query ($id: String!) { device(id: $id) { lastDetected } }', { id: device.id })).at(
      'data',
      'device',
      'lastDetected',
    )
    service.world.setConnected(device.id, true)
    return [headers['date'], headers['ratelimit-reset'], new Date(issued * 1000).toISOString(), seen]
  }
  expect(await look()).toEqual([
    'Sun, 01 Mar 2026 12:00:10 GMT',
    '60',
    '2026-03-01T12:00:10.000Z',
    '2026-03-01T12:00:10.000Z',
  ])
  service.misfortune.skewClock(25_000)
  expect(await look()).toEqual([
    'Sun, 01 Mar 2026 12:00:35 GMT',
    '35',
    '2026-03-01T12:00:35.000Z',
    '2026-03-01T12:00:35.000Z',
  ])
  service.misfortune.skewClock(-90_000)
  expect(await look()).toEqual([
    'Sun, 01 Mar 2026 11:58:40 GMT',
    '30',
    '2026-03-01T11:58:40.000Z',
    '2026-03-01T11:58:40.000Z',
  ])
  // A day ahead, the tokens of before have expired; put right, they are good again.
  service.misfortune.skewClock(24 * HOUR)
  expect((await ask(bearer, '{ tenants { id } }')).at('errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
  service.misfortune.skewClock(0)
  expect((await ask(bearer, '{ tenants { id } }')).at('errors')).toBeUndefined()
})

test('rejected tokens close the sockets of all sets, as their deletion would', async () => {
  const { service, bearer } = await ready()
  const client = streamClient(service, bearer)
  const ended = new Promise<unknown>((resolve) => {
    client.subscribe(
      { query: 'subscription { deviceStream(deviceIds: ["x"]) { id } }' },
      { next: () => undefined, error: resolve, complete: () => resolve('complete') },
    )
  })
  await until(() => service.subscribedIds().length === 1)
  service.misfortune.rejectTokens(true)
  expect(await ended).toMatchObject({ code: 4403 })
})

import { createClient } from 'graphql-ws'
import { expect, onTestFinished, test } from 'vitest'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { dig, open, plainClient, socketClass, streamClient, until } from '../client.ts'
import { acceptedSocket, frameSocket, subscribeFrame, watchQuery } from './frames.ts'

async function ready(options: ServiceOptions = {}) {
  const service = await open(options)
  const token = await plainClient(service).token()
  const device = service.world.find(({ connected }) => connected === true)
  return { service, token, device }
}

const init = (token: string) => ({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })

test('frame by frame: ack, pong and events, and a completed id is free again', async () => {
  const { service, token, device } = await ready()
  const { send, next, closed } = await frameSocket(service)
  send({ type: 'ping' })
  send({ type: 'ping', payload: { at: 1 } })
  send(`{"type":"pong","payload":${'{"[":'.repeat(99)}"\\"{{"${'}'.repeat(100)}`)
  send(init(token))
  await next(3)
  send(subscribeFrame('a', [device.id]))
  await until(() => service.subscribedIds().length === 1)
  service.world.setConnected(device.id, false)
  await next(4)
  send({ type: 'complete', id: 'a' })
  await until(() => service.subscribedIds().length === 0)
  send(subscribeFrame('a', [device.id]))
  await until(() => service.subscribedIds().length === 1)
  service.world.setConnected(device.id, true)
  const event = (connected: boolean) => ({
    type: 'next',
    id: 'a',
    payload: { data: { deviceStream: { id: device.id, name: device.name, connected } } },
  })
  expect(await next(5)).toEqual([
    { type: 'pong' },
    { type: 'pong', payload: { at: 1 } },
    { type: 'connection_ack' },
    event(false),
    event(true),
  ])
  expect(closed()).toBeNull()
})

test.each<[string, unknown]>([
  ['text that is no JSON', 'hello'],
  ['truncated JSON', '{"type":"ping"'],
  ['JSON that is no object', '[]'],
  ['no type', {}],
  ['an unknown type', { type: 'start', id: '1' }],
  ['a type of the service', { type: 'next', id: '1', payload: {} }],
  ['a ping whose payload is no object', { type: 'ping', payload: 5 }],
  ['a subscribe without an id', { type: 'subscribe', payload: { query: watchQuery } }],
  ['a subscribe without a query', { type: 'subscribe', id: '1', payload: {} }],
  [
    'a subscribe whose variables are no object',
    { type: 'subscribe', id: '1', payload: { query: watchQuery, variables: 'x' } },
  ],
  ['a complete without an id', { type: 'complete' }],
  ['a message of more than 100 levels', `{"type":"ping","payload":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`],
  ['a good message in a binary frame', Buffer.from('{"type":"ping"}')],
])('%s closes with 4400', async (_name, frame) => {
  const { service, token } = await ready()
  const { send, ending, heard } = await acceptedSocket(service, token)
  send(frame)
  expect(await ending()).toEqual([4400, 'Invalid message received'])
  expect(heard).toEqual([{ type: 'connection_ack' }])
})

test('4401 for a subscribe before the init, and for one that does not wait for the ack', async () => {
  const { service, token, device } = await ready()
  const early = await frameSocket(service)
  early.send(subscribeFrame('1', [device.id]))
  expect(await early.ending()).toEqual([4401, 'Unauthorized'])
  const hasty = await frameSocket(service)
  hasty.send(init(token))
  hasty.send(subscribeFrame('1', [device.id]))
  expect(await hasty.ending()).toEqual([4401, 'Unauthorized'])
  expect(service.subscribedIds()).toEqual([])
})

test('4406 for no subprotocol', async () => {
  const { service } = await ready()
  const { ending } = await frameSocket(service, {}, [])
  expect(await ending()).toEqual([4406, 'Subprotocol not acceptable'])
  expect(service.openSockets()).toBe(0)
})

test('4408 after ten seconds without an init; an accepted socket may be silent', async () => {
  let now = Date.now()
  const { service, token } = await ready({ now: () => now })
  const [silent, accepted] = [await frameSocket(service), await acceptedSocket(service, token)]
  now += 9_999
  silent.send({ type: 'ping' })
  await silent.next(1)
  expect(silent.closed()).toBeNull()
  now += 1
  expect(await silent.ending()).toEqual([4408, 'Connection initialisation timeout'])
  accepted.send({ type: 'ping' })
  expect(await accepted.next(2)).toEqual([{ type: 'connection_ack' }, { type: 'pong' }])
})

test.each([
  ['short', '1'],
  ['longer than a reason may be', 'x'.repeat(500)],
])('4409 for an id that is in use and %s', async (_name, id) => {
  const { service, token, device } = await ready()
  const { send, ending } = await acceptedSocket(service, token)
  send(subscribeFrame(id, [device.id]))
  send(subscribeFrame(id, [device.id]))
  const [code, reason] = await ending()
  expect([code, reason]).toEqual([4409, id === '1' ? 'Subscriber for 1 already exists' : 'Subscriber already exists'])
})

test('4429 for a second init, also while the first is checked', async () => {
  const { service, token } = await ready()
  const accepted = await acceptedSocket(service, token)
  accepted.send(init(token))
  expect(await accepted.ending()).toEqual([4429, 'Too many initialisation requests'])
  const hasty = await frameSocket(service)
  hasty.send(init(token))
  hasty.send(init(token))
  expect(await hasty.ending()).toEqual([4429, 'Too many initialisation requests'])
})

test('1009 for a message above 1 MiB', async () => {
  const { service, token } = await ready()
  const { send, ending } = await acceptedSocket(service, token)
  send({ type: 'ping', payload: { text: 'x'.repeat(1024 * 1024) } })
  expect((await ending())[0]).toBe(1009)
})

test('frames behind a fatal frame are ignored', async () => {
  const { service, token, device } = await ready()
  const { send, ending, heard } = await acceptedSocket(service, token)
  send('nonsense')
  send({ type: 'ping' })
  send(subscribeFrame('1', [device.id]))
  expect((await ending())[0]).toBe(4400)
  expect(heard).toEqual([{ type: 'connection_ack' }])
  expect(service.subscribedIds()).toEqual([])
})

/** The outcome of a socket with that header and that payload. */
async function outcome(service: Service, header: string | null, payload: unknown): Promise<unknown> {
  const { send, next, ending } = await frameSocket(service, header === null ? {} : { authorization: header })
  send({ type: 'connection_init', payload })
  const [first] = await next(1)
  return first ?? ending()
}

const ack = { type: 'connection_ack' }
const refused = [4403, 'Forbidden']

test('connection_init needs a token, and a token in the header must be of the same set', async () => {
  const { service, token } = await ready({ credentials: () => [{}, {}] })
  const again = await plainClient(service).token()
  const [, set = service] = service.credentials.list()
  const [good, renewed, other] = [token, again, await plainClient(service, { h2: true, set }).token()].map(
    (text) => `Bearer ${text}`,
  )
  const cases: [string | null, unknown, unknown][] = [
    [null, { authorization: good }, ack],
    [good ?? '', { authorization: good }, ack],
    [good ?? '', { authorization: renewed }, ack],
    ['Bearer nonsense', { authorization: good }, refused],
    ['Basic eDp5', { authorization: good }, refused],
    [other ?? '', { authorization: good }, refused],
    [good ?? '', { authorization: other }, refused],
    [good ?? '', undefined, refused],
    [good ?? '', {}, refused],
    [good ?? '', { authorization: 'Bearer nonsense' }, refused],
    [null, undefined, refused],
    [null, { authorization: 5 }, refused],
    [null, { authorization: token }, refused],
    [null, { Authorization: good }, refused],
    [null, { headers: { Authorization: good } }, refused],
    [good ?? '', { headers: { Authorization: good } }, refused],
  ]
  const seen: unknown[] = []
  for (const [header, payload] of cases) seen.push([header, payload, await outcome(service, header, payload)])
  expect(seen).toEqual(cases)
})

test('a token that expires during a connection closes the socket with 4403', async () => {
  let now = Date.now()
  const { service, token, device } = await ready({ now: () => now })
  const { send, ending, heard } = await acceptedSocket(service, token)
  send(subscribeFrame('1', [device.id]))
  await until(() => service.subscribedIds().length === 1)
  now += 86_399_000
  const late = await plainClient(service).token()
  const fresh = await acceptedSocket(service, late)
  now += 1_000
  expect(await ending()).toEqual([4403, 'Token expired'])
  expect(heard).toEqual([ack])
  await until(() => service.subscribedIds().length === 0)
  expect(await outcome(service, null, { authorization: `Bearer ${token}` })).toEqual(refused)
  expect(await outcome(service, `Bearer ${token}`, { authorization: `Bearer ${late}` })).toEqual(refused)
  expect(fresh.closed()).toBeNull()
})

test('a header that ends before the payload ends the socket', async () => {
  let now = Date.now()
  const { service, token } = await ready({ now: () => now })
  now += 1000_000
  const { send, ending, next } = await frameSocket(service, { authorization: `Bearer ${token}` })
  send(init(await plainClient(service).token()))
  expect(await next(1)).toEqual([ack])
  now += 86_400_000 - 1000_000
  expect(await ending()).toEqual([4403, 'Token expired'])
})

test('a socket that subscribes with a token that has just expired is closed as well', async () => {
  let now = Date.now()
  const { service, token, device } = await ready({ now: () => now })
  const { send, ending } = await acceptedSocket(service, token)
  now += 86_400_000
  send(subscribeFrame('1', [device.id]))
  expect((await ending())[0]).toBe(4403)
  expect(service.subscribedIds()).toEqual([])
})

test('a set that is deleted closes its own sockets with 4403 and no others', async () => {
  const { service, token, device } = await ready({ credentials: () => [{}, {}] })
  const [, set = service] = service.credentials.list()
  const other = await acceptedSocket(service, await plainClient(service, { h2: true, set }).token())
  const { send, ending } = await acceptedSocket(service, token)
  for (const frames of [{ send }, other]) frames.send(subscribeFrame('1', [device.id]))
  service.credentials.remove(service.clientId)
  expect(await ending()).toEqual([4403, 'Forbidden'])
  await until(() => service.subscribedIds().length === 1 && service.openSockets() === 1)
  service.world.setConnected(device.id, false)
  expect(await other.next(2)).toMatchObject([ack, { type: 'next' }])
})

test('an internal error shows no details', async () => {
  const { service, token } = await ready()
  const { send, next } = await acceptedSocket(service, token)
  service.world.tenants = () => {
    throw new Error('ENOENT /home/somebody/world.db')
  }
  send({
    type: 'subscribe',
    id: '1',
    payload: { query: 'subscription { peopleCountStream(tenantId: "t", roomIds: []) { count } }' },
  })
  expect(await next(3)).toMatchObject([
    ack,
    { id: '1', payload: { errors: [{ message: 'Unexpected error.' }] } },
    { type: 'complete' },
  ])
})

test.each([
  'subscription ($n: Boolean = true) { deviceStream(deviceIds: ["x"]) @skip(if: $n) { id } }',
  'subscription { ... @include(if: false) { deviceStream(deviceIds: ["x"]) { id } } }',
  'subscription { ...F } fragment F on Subscription { ...G ...F } fragment G on Subscription { ... { deviceStream(deviceIds: ["x"]) @include(if: true) { id } } }',
])('a subscription without a field is rejected (%#)', async (query) => {
  const { service, token, device } = await ready()
  const { send, next } = await acceptedSocket(service, token)
  send({ type: 'subscribe', id: '1', payload: { query } })
  send(subscribeFrame('2', [device.id]))
  expect(await next(2)).toMatchObject([ack, { type: 'error', id: '1' }])
  await until(() => service.subscribedIds().length === 1)
})

test('fields of the event may be skipped', async () => {
  const { service, token, device } = await ready()
  const { send, next } = await acceptedSocket(service, token)
  send({
    type: 'subscribe',
    id: '1',
    payload: {
      query:
        'subscription ($ids: [String!]!, $short: Boolean!, $long: Boolean!) { ...F } fragment F on Subscription { deviceStream(deviceIds: $ids) { id name @skip(if: $short) connected @include(if: $long) } }',
      variables: { ids: [device.id], short: true, long: false },
    },
  })
  await until(() => service.subscribedIds().length === 1)
  service.world.setConnected(device.id, false)
  expect(await next(2)).toEqual([
    ack,
    { type: 'next', id: '1', payload: { data: { deviceStream: { id: device.id } } } },
  ])
})

test('10,000 ids on one socket, in one subscription and in a hundred: no event is lost', async () => {
  const { service, token } = await ready({ devices: 11_000 })
  const ids = service.world
    .devices()
    .filter(({ connected }) => connected === true)
    .map(({ id }) => id)
    .slice(0, 10_000)
  const [one, many] = [await acceptedSocket(service, token), await acceptedSocket(service, token)]
  one.send(subscribeFrame('all', ids))
  for (let n = 0; n < 100; n += 1) many.send(subscribeFrame(String(n), ids.slice(n * 100, (n + 1) * 100)))
  for (const { send, next } of [one, many]) {
    send({ type: 'ping' })
    await next(2)
  }
  const some = ids.filter((_id, place) => place % 4 === 0)
  for (const id of some) service.world.setConnected(id, false)
  for (const { next } of [one, many])
    expect(
      (await next(2 + some.length))
        .slice(2)
        .map((message) => dig(message, 'payload', 'data', 'deviceStream', 'id'))
        .toSorted(),
    ).toEqual(some)
}, 20_000)

test('a client of the library gets 4403 for a bad token and is served with a good one', async () => {
  const { service, token, device } = await ready()
  const codes: unknown[] = []
  const bad = createClient({
    url: service.subscriptionUrl,
    webSocketImpl: socketClass(service),
    connectionParams: { authorization: 'Bearer no' },
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: { closed: (event) => void codes.push(Reflect.get(Object(event), 'code')) },
  })
  onTestFinished(async () => bad.dispose())
  await until(() => codes.length > 0)
  expect(codes).toEqual([4403])
  const events = streamClient(service, token).iterate({ query: watchQuery, variables: { ids: [device.id] } })
  const first = events.next()
  await until(() => service.subscribedIds().length === 1)
  service.world.setConnected(device.id, false)
  expect((await first).value).toEqual({
    data: { deviceStream: { id: device.id, name: device.name, connected: false } },
  })
})

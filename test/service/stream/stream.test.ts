import { once } from 'node:events'
import type { Client } from 'graphql-ws'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { startHub } from '../../../src-service/stream/streams.ts'
import { dig, open, plainClient, socketClass, streamClient, until } from '../client.ts'

const query =
  'subscription Live($ids: [String!]!) { deviceStream(deviceIds: $ids) { id connected name siteId roomId tenantId macAddress productId modelId } }'

/** Subscribes, and collects what comes; ready when the service has taken the ids in. */
async function watch(service: Service, client: Client, ids: string[]) {
  const seen: unknown[] = []
  const ended: unknown[] = []
  const stop = client.subscribe(
    { query, variables: { ids } },
    {
      next: ({ data, errors }) => void seen.push(errors ?? data?.['deviceStream']),
      error: (error) => void ended.push(error),
      complete: () => void ended.push('complete'),
    },
  )
  await until(() => ids.every((id) => service.subscribedIds().includes(id)) || ended.length > 0)
  return { seen, ended, stop }
}

async function ready(options: ServiceOptions = {}) {
  const service = await open(options)
  const token = await plainClient(service).token()
  const online = service.world.devices().filter(({ connected }) => connected === true)
  return { service, token, ids: online.map(({ id }) => id) }
}

/** A bare socket of the protocol, so that codes and frames can be seen. */
async function bareSocket(service: Service, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new (socketClass(service, headers))(service.subscriptionUrl, 'graphql-transport-ws')
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = await once(socket, 'close')
  return Number(code)
}

test('edge-triggered: nothing at the start, one event for each change', async () => {
  const { service, token, ids } = await ready()
  const [first = '', second = '', third = ''] = ids
  const { seen } = await watch(service, streamClient(service, token), [first, second])
  service.world.setConnected(first, true)
  service.world.setConnected(third, false)
  service.world.setConnected(first, false)
  service.world.setConnected(first, false)
  service.world.renameDevice(second, 'Neuer Name 会議室')
  const [site] = service.world.sites(service.world.tenants()[0]?.id ?? '')
  service.world.moveDevice(second, site?.id ?? '', null)
  service.world.removeDevice(second)
  service.world.setConnected(first, true)
  await until(() => seen.length >= 4)
  expect(seen).toMatchObject([
    { id: first, connected: false },
    { id: second, connected: true, name: 'Neuer Name 会議室' },
    { id: second, siteId: site?.id, roomId: null },
    { id: first, connected: true },
  ])
  expect(seen[0]).toMatchObject({
    macAddress: first.replace(/(..)(?=.)/g, '$1:'),
    modelId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('one socket carries several subscriptions, and ending one leaves the other', async () => {
  const { service, token, ids } = await ready()
  const [first = '', second = ''] = ids
  const client = streamClient(service, token)
  const [one, two] = [await watch(service, client, [first]), await watch(service, client, [second])]
  expect(service.openSockets()).toBe(1)
  expect(service.subscribedIds()).toEqual([first, second].sort())
  one.stop()
  await until(() => service.subscribedIds().length === 1)
  service.world.setConnected(first, false)
  service.world.setConnected(second, false)
  await until(() => two.seen.length === 1)
  expect(one.seen).toEqual([])
  two.stop()
  await until(() => service.openSockets() === 0)
  expect(service.subscribedIds()).toEqual([])
})

test('a query over the socket is rejected: it would be free', async () => {
  const { service, token } = await ready()
  const errors: unknown[] = []
  streamClient(service, token).subscribe(
    { query: '{ tenants { id } }' },
    { next: () => undefined, error: (error) => void errors.push(error), complete: () => undefined },
  )
  await until(() => errors.length > 0)
  expect(errors[0]).toMatchObject([{ message: 'Only subscriptions are served here' }])
})

test.each([
  ['a bad token', { authorization: 'Bearer nonsense' }],
  ['no payload', undefined],
  ['a token that is no text', { authorization: 5 }],
])('%s in connection_init closes with 4403', async (_name, payload) => {
  const { service } = await ready()
  const socket = await bareSocket(service)
  const closed = closeCode(socket)
  socket.send(JSON.stringify({ type: 'connection_init', payload }))
  expect(await closed).toBe(4403)
})

test('a token in the upgrade header alone is not enough; header and payload together are', async () => {
  const { service, token } = await ready()
  const authorization = `Bearer ${token}`
  const alone = await bareSocket(service, { authorization })
  const closed = closeCode(alone)
  alone.send(JSON.stringify({ type: 'connection_init' }))
  expect(await closed).toBe(4403)
  const both = await bareSocket(service, { authorization })
  both.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }))
  const [message] = await once(both, 'message')
  expect(dig(JSON.parse(String(message)), 'type')).toBe('connection_ack')
})

test('a subscribe before the init closes with 4401; other protocols and paths get no socket', async () => {
  const { service } = await ready()
  const socket = await bareSocket(service)
  const closed = closeCode(socket)
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }))
  expect(await closed).toBe(4401)
  const legacy = new (socketClass(service))(service.subscriptionUrl, 'graphql-ws')
  expect(dig(await once(legacy, 'error'), 0, 'message')).toBe('Server sent no subprotocol')
  const elsewhere = new (socketClass(service))(
    service.subscriptionUrl.replace('/graphql', '/other'),
    'graphql-transport-ws',
  )
  const [error] = await once(elsewhere, 'error')
  expect(error).toBeInstanceOf(Error)
})

test('a token that expires closes its socket with 4403', async () => {
  // Tokens count in whole seconds: this one is good for at most one.
  const { service, token } = await ready({ tokenLifetimeSeconds: 1 })
  const socket = await bareSocket(service)
  const closed = closeCode(socket)
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
  expect(await closed).toBe(4403)
})

test.each([4403, 1001, 1006])('sockets can be closed with %i', async (code) => {
  const { service, token, ids } = await ready()
  const { ended } = await watch(service, streamClient(service, token), ids.slice(0, 3))
  service.misfortune.dropSockets(code)
  await until(() => ended.length > 0)
  expect(dig(ended[0], 'code')).toBe(code)
  await until(() => service.openSockets() === 0)
  expect(service.subscribedIds()).toEqual([])
})

test('a stalled socket stays open, but no ping is answered and no event arrives', async () => {
  const { service, token, ids } = await ready()
  const [first = '', second = '', third = ''] = ids
  const stalled = await bareSocket(service)
  stalled.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
  await once(stalled, 'message')
  stalled.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query, variables: { ids: [first, third] } } }))
  await until(() => service.subscribedIds().length === 2)
  const pong = once(stalled, 'pong')
  stalled.ping()
  await pong
  service.misfortune.stallSockets()
  const heard: unknown[] = []
  stalled.on('message', (data) => heard.push(String(data)))
  stalled.on('pong', () => heard.push('pong'))
  stalled.ping()
  stalled.send(JSON.stringify({ type: 'ping' }))
  stalled.send(JSON.stringify({ type: 'complete', id: '1' }))
  // A second socket that is asked later and has answered shows that there was time enough.
  const fresh = await watch(service, streamClient(service, token), [second, first])
  service.world.setConnected(first, false)
  await until(() => fresh.seen.length === 1)
  expect(heard).toEqual([])
  expect(service.subscribedIds()).toContain(third)
  expect(stalled.readyState).toBe(WebSocket.OPEN)
})

test('a client that does not read is disconnected after 20,000 events', async () => {
  const { service, ids } = await ready()
  const [id = ''] = ids
  const hub = startHub({ ...service.world, close: () => undefined })
  onTestFinished(() => hub.stop())
  const [slow, quick] = [hub.watch([id]), hub.watch([id])]
  for (let change = 0; change <= 20_000; change += 1) {
    service.world.setConnected(id, change % 2 === 1)
    expect((await quick.next()).value).toMatchObject({ id, connected: change % 2 === 1 })
  }
  expect(await slow.next()).toEqual({ done: true, value: undefined })
  expect(hub.watched()).toEqual([id])
})

import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Service } from '../../../src-service/service.ts'
import { dig, open, plainClient, until } from '../client.ts'
import { acceptedSocket, subscribeFrame } from './frames.ts'

const MAX_UNSENT = 8 * 1024 * 1024

async function ready() {
  const service = await open({ devices: 300 })
  const token = await plainClient(service).token()
  const ids = service.world
    .devices()
    .filter(({ connected }) => connected === true)
    .map(({ id }) => id)
  return { service, token, ids }
}

/** Takes nothing off the line any more, as a client that hangs. */
function stopReading(socket: WebSocket): void {
  const line: Socket = Reflect.get(socket, '_socket')
  line.pause()
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A hundred changes at a time, with a turn of the loop between, until `done`. All of them are connected before. Returns how many changes there were. */
async function storm(
  service: Service,
  ids: readonly string[],
  done: () => boolean,
  look: () => void = () => undefined,
): Promise<number> {
  const some = ids.slice(0, 100)
  let rounds = 0
  for (; !done(); rounds += 1) {
    for (const id of some) service.world.setConnected(id, rounds % 2 === 1)
    await turn()
    look()
  }
  return rounds * some.length
}

test('a client that stops reading is disconnected, and other subscribers lose nothing', async () => {
  const { service, token, ids } = await ready()
  const [slow, quick] = [await acceptedSocket(service, token), await acceptedSocket(service, token)]
  for (const id of ['1', '2', '3', '4']) slow.send(subscribeFrame(id, ids))
  quick.send(subscribeFrame('1', ids))
  const second = await acceptedSocket(service, token)
  second.send(subscribeFrame('1', ids))
  // Who has answered a ping has heard what was sent before it.
  for (const { send, next } of [slow, quick, second]) {
    send({ type: 'ping' })
    await next(2)
  }
  stopReading(slow.socket)
  let most = 0
  const events = await storm(
    service,
    ids,
    () => service.openSockets() === 2,
    () => (most = Math.max(most, service.unsentBytes())),
  )
  expect(events).toBeGreaterThan(5_000)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(MAX_UNSENT)
  await quick.next(2 + events)
  await second.next(2 + events)
  expect(quick.heard.filter((message) => dig(message, 'type') === 'next')).toHaveLength(events)
  expect(second.heard.filter((message) => dig(message, 'type') === 'next')).toHaveLength(events)
  // The last it hears are the states in which the devices are.
  const last = new Map(
    quick.heard.map((message) => [
      dig(message, 'payload', 'data', 'deviceStream', 'id'),
      dig(message, 'payload', 'data', 'deviceStream', 'connected'),
    ]),
  )
  for (const id of ids.slice(0, 100)) expect(last.get(id)).toBe(service.world.device(id)?.connected)
  expect(service.unsentBytes()).toBe(0)
}, 30_000)

test('the subscriptions of one socket share one bound', async () => {
  const { service, token, ids } = await ready()
  const slow = await acceptedSocket(service, token)
  for (let n = 0; n < 200; n += 1) slow.send(subscribeFrame(String(n), ids.slice(0, 100)))
  slow.send({ type: 'ping' })
  await slow.next(2)
  stopReading(slow.socket)
  let most = 0
  const events = await storm(
    service,
    ids,
    () => service.openSockets() === 0,
    () => (most = Math.max(most, service.unsentBytes())),
  )
  // Each change is two hundred messages: a bound for each subscription would have let two hundred times as much wait.
  expect(events).toBeLessThan(5_000)
  expect(most).toBeLessThanOrEqual(MAX_UNSENT)
  await until(() => service.subscribedIds().length === 0)
}, 30_000)

test('answers have the same bound: a client that does not read them is disconnected', async () => {
  const { service, token } = await ready()
  const slow = await acceptedSocket(service, token)
  stopReading(slow.socket)
  const payload = { text: 'x'.repeat(500_000) }
  let most = 0
  for (let asked = 0; service.openSockets() > 0; asked += 1) {
    expect(asked).toBeLessThan(500)
    if (slow.socket.readyState === WebSocket.OPEN)
      await new Promise<void>((resolve) => slow.socket.send(JSON.stringify({ type: 'ping', payload }), () => resolve()))
    await turn()
    most = Math.max(most, service.unsentBytes())
  }
  expect(most).toBeGreaterThan(1024 * 1024)
  expect(most).toBeLessThanOrEqual(MAX_UNSENT)
}, 30_000)

test('HTTP/2 pings are answered within the bound as well', async () => {
  const { service, token } = await ready()
  const slow = await acceptedSocket(service, token)
  stopReading(slow.socket)
  const data = Buffer.alloc(125)
  while (service.openSockets() > 0) {
    for (let n = 0; n < 2000 && slow.socket.readyState === WebSocket.OPEN; n += 1) slow.socket.ping(data)
    await turn()
    expect(service.unsentBytes()).toBeLessThanOrEqual(MAX_UNSENT)
  }
}, 30_000)

test('one socket watches at most 200,000 ids, over all of its subscriptions', async () => {
  const { service, token, ids } = await ready()
  const frames = await acceptedSocket(service, token)
  const many = (from: number) => Array.from({ length: 49_999 }, (_, n) => String(from + n))
  for (let n = 0; n < 4; n += 1) frames.send(subscribeFrame(String(n), many(n * 50_000)))
  frames.send(subscribeFrame('one more', ids.slice(0, 1)))
  expect(await frames.next(3)).toMatchObject([
    {},
    {
      id: 'one more',
      payload: {
        errors: [{ message: 'One socket watches at most 200000 ids', extensions: { code: 'BAD_USER_INPUT' } }],
      },
    },
    {},
  ])
  frames.send({ type: 'complete', id: '0' })
  frames.send(subscribeFrame('now', ids.slice(0, 1)))
  await until(() => service.subscribedIds().length === 3 * 49_999 + 1)
}, 30_000)

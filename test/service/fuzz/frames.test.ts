import { once } from 'node:events'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Service } from '../../../src-service/service.ts'
import { startRandom } from '../../../src-service/world/random.ts'
import type { Random } from '../../../src-service/world/random.ts'
import { dig, open, plainClient, until } from '../client.ts'
import { acceptedSocket, subscribeFrame, watchQuery } from '../stream/frames.ts'

const FRAMES = 5_000
const AT_ONCE = 25

/** The same seed sends the same frames: `FUZZ_SEED=… npm test`. */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/** Texts that no answer and no reason may show: a file, or a line of a stack. */
const inside =
  /\.(?:ts|js|mjs|cjs|node)\b|node_modules|node:|\bat \S+ \(|\bat \S+:\d+:\d+|\/(?:home|root|usr|tmp|work|var)\//u

type Frame = string | Buffer

/** The close codes of the service; 1005 is the client's own. */
const closeCodes = ['1005', '1007', '1009', '4400', '4401', '4403', '4409', '4429']
const waysToEnd = (said: readonly string[]): string[] =>
  [...new Set(said.flatMap((text) => /^close (\d+)/u.exec(text)?.[1] ?? []))].toSorted()

test(`${FRAMES} random frames: well-behaved sockets lose no event (seed ${seed})`, async () => {
  const service = await open()
  const token = await plainClient(service).token()
  const ids = service.world
    .devices()
    .filter(({ connected }) => connected === true)
    .map(({ id }) => id)
  const good = [await acceptedSocket(service, token), await acceptedSocket(service, token)]
  const [id = ''] = ids
  for (const { send } of good) send(subscribeFrame('good', [id]))
  let [sent, rounds] = [0, 0]
  const said: string[] = []
  // A seed may miss a way to end in its first frames: then it goes on for a while.
  for (; sent < FRAMES || (waysToEnd(said).length < closeCodes.length && sent < 4 * FRAMES); rounds += 1) {
    const scripts = Array.from({ length: AT_ONCE }, (_, place) =>
      startRandom(seed ^ ((rounds * AT_ONCE + place) * 0x9e3779b1)),
    )
    const counts = await Promise.all(
      scripts.map((random, place) =>
        place === 0 ? talkBelow(service, random, said) : talk(service, random, { token, ids }, said),
      ),
    )
    for (const count of counts) sent += count
    service.world.setConnected(id, rounds % 2 === 1)
    for (const { next, closed } of good) {
      await next(rounds + 2)
      expect(closed(), `seed ${seed}`).toBeNull()
    }
  }
  for (const { heard } of good)
    expect(
      heard.slice(1).map((message) => dig(message, 'payload', 'data', 'deviceStream', 'connected')),
      `seed ${seed}`,
    ).toEqual(Array.from({ length: rounds }, (_, round) => round % 2 === 1))
  expect(
    said.filter((text) => inside.test(text)).map((text) => text.slice(0, 500)),
    `seed ${seed}`,
  ).toEqual([])
  // Each way to end is met. There is no other, and above all no 4500, an error inside.
  expect(waysToEnd(said), `seed ${seed}`).toEqual(closeCodes)
  await until(() => service.openSockets() === good.length && service.subscribedIds().length === 1)
  expect((await plainClient(service).ask(token, '{ tenants { id } }')).at('errors'), `seed ${seed}`).toBeUndefined()
}, 30_000)

/** One socket that says up to 30 things. Over when the service has closed it, or has answered what it was asked last. */
async function talk(
  service: Service,
  random: Random,
  known: { token: string; ids: string[] },
  said: string[],
): Promise<number> {
  const socket = new WebSocket(service.subscriptionUrl, 'graphql-transport-ws', { ca: service.ca })
  onTestFinished(() => socket.terminate())
  let [closed, answered, acked] = [false, false, false]
  socket.on('error', (error) => said.push(error.message))
  socket.once('close', (code, reason) => {
    closed = true
    said.push(`close ${code} ${reason.toString()}`)
  })
  socket.on('message', (data) => {
    const text = data.toString()
    acked ||= text.includes('connection_ack')
    answered ||= text.includes('"over":true')
    said.push(text)
  })
  await once(socket, 'open')
  if (random.chance(0.1)) socket.send(JSON.stringify({ type: 'connection_init', payload: value(random, 2) }))
  else if (random.chance(0.9)) {
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${known.token}` } }))
    await until(() => acked || closed)
  }
  let count = 0
  for (; count < 30 && socket.readyState === WebSocket.OPEN; count += 1) {
    const frame = random.chance(0.95) ? harmless(random, known) : fatal(random, known)
    socket.send(frame, { binary: typeof frame !== 'string' && random.chance(0.5) })
    // Time for the answer, so that what follows a fatal frame is not thrown away unheard.
    if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve))
  }
  if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping","payload":{"over":true}}')
  await until(() => answered || closed)
  socket.close()
  await until(() => closed)
  return count
}

/** Bytes that are no frames, behind an upgrade that is right. */
async function talkBelow(service: Service, random: Random, said: string[]): Promise<number> {
  const { hostname, port } = new URL(service.subscriptionUrl)
  const line = connect({ host: hostname, port: Number(port), ca: service.ca, ALPNProtocols: ['http/1.1'] })
  onTestFinished(() => void line.destroy())
  const gone = new Promise<void>((resolve) => line.once('close', () => resolve()))
  line.on('error', () => undefined)
  let back = ''
  line.on('data', (data) => (back += data.toString('latin1')))
  line.write(
    `GET /graphql HTTP/1.1\r\nhost: ${hostname}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.from(random.hex(16)).toString('base64')}\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n`,
  )
  await until(() => back.includes('\r\n\r\n'))
  for (let n = 0; n < 5 && line.writable; n += 1) line.write(bytes(random, random.int(1, 400)))
  // Bits that are reserved, and a frame that is not masked: the end of any conversation.
  line.end(Buffer.from([0xff, 0x7f, 0, 0]))
  await gone
  said.push(back)
  return 5
}

/** Right by the protocol, if not in what it asks: the socket lives on. */
function harmless(random: Random, { ids }: { ids: string[] }): Frame {
  if (random.chance(0.02)) return JSON.stringify(subscribeFrame('twice', ids))
  const id =
    random.pick([
      'a',
      'b',
      '__proto__',
      'constructor',
      'toString',
      '',
      ' ',
      '\u0000',
      '会議',
      'x'.repeat(random.int(1, 300)),
      random.hex(8),
    ]) || random.hex(6)
  const message = random.pick<() => unknown>([
    () => ({ type: 'ping', payload: { value: value(random, 3) } }),
    () => ({ type: 'pong', payload: { value: value(random, 3) } }),
    () => ({ type: 'complete', id }),
    () => ({ type: 'complete', id }),
    () => ({
      type: 'subscribe',
      id: random.hex(12),
      payload: { query: random.pick(queries), variables: { ids: ids.slice(0, random.int(0, 20)) } },
    }),
    () => ({
      type: 'subscribe',
      id: random.hex(12),
      payload: { query: watchQuery, variables: { ids: value(random, 3), more: value(random, 2) } },
    }),
    () => ({
      type: 'subscribe',
      id: random.hex(12),
      payload: {
        query: broken(random, random.pick(queries)),
        variables: {},
        operationName: random.pick(['A', 'B', '', null]),
      },
    }),
    () => ({
      type: 'subscribe',
      id: random.hex(12),
      payload: { query: text(random), extensions: { a: value(random, 2) } },
    }),
    () => ({ type: 'subscribe', id, payload: { query: '{ nothing }' } }),
  ])
  return JSON.stringify(message())
}

const queries = [
  watchQuery,
  'subscription A { deviceStream(deviceIds: ["x", "y"]) { id } } subscription B { deviceStream(deviceIds: []) { name } }',
  'subscription { peopleCountStream(tenantId: "x", roomIds: ["y"]) { count } }',
  'subscription { peopleCountStream(tenantId: 1e400, roomIds: {a: 1}) { count } }',
  'subscription { deviceStream(deviceIds: ["x"]) { id } peopleCountStream(tenantId: "x", roomIds: []) { count } }',
  'mutation { calculateQueryCost { queryCost } }',
  '{ __schema { types { name fields { name type { name } } } } }',
  'subscription { deviceStream(deviceIds: ["x"]) { ...F } } fragment F on DeviceStreamEvent { ...F }',
  `subscription { deviceStream(deviceIds: ["x"]) ${'{ id '.repeat(200)}${'}'.repeat(200)} }`,
  `subscription { ${Array.from({ length: 300 }, (_, n) => `a${n}: deviceStream(deviceIds: ["x"]) { id }`).join(' ')} }`,
  'subscription { __typename }',
  'subscription { deviceStream(deviceIds: ["x"]) @skip(if: true) { id } }',
]

/** Frames for which the service mostly closes a socket. */
function fatal(random: Random, known: { token: string; ids: string[] }): Frame {
  const right = harmless(random, known).toString()
  return random.pick<() => Frame>([
    () => bytes(random, random.int(0, 2000)),
    () => right.slice(0, random.int(0, right.length - 1)),
    () => broken(random, right),
    () => JSON.stringify(value(random, 4)),
    () => JSON.stringify({ ...JSON.parse(right), [random.pick(['type', 'id', 'payload'])]: value(random, 3) }),
    () => JSON.stringify({ type: 'connection_init', payload: value(random, 2) }),
    () =>
      JSON.stringify({
        type: random.pick(['next', 'error', 'connection_ack', 'start', '__proto__', 'toString']),
        id: 'a',
        payload: {},
      }),
    () => `{"type":"ping","payload":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    () => '['.repeat(random.int(1, 300_000)),
    () => JSON.stringify({ type: 'subscribe', id: 'x'.repeat(random.int(1, 300_000)), payload: { query: 'x' } }),
    () => JSON.stringify({ type: 'ping', payload: { huge: 'é'.repeat(random.int(400_000, 700_000)) } }),
  ])()
}

function bytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.int(0, 255)))
}

function text(random: Random): string {
  return Array.from({ length: random.int(0, 60) }, () =>
    random.pick([
      '{',
      '}',
      '(',
      ')',
      '"',
      '\\',
      '$',
      '...',
      'on',
      ':',
      '@',
      '#',
      '\n',
      '\uD800',
      '💥',
      'subscription',
      'a',
      '0',
      '"""',
      ',',
    ]),
  ).join('')
}

/** The same with some letters changed, put in or taken out. */
function broken(random: Random, whole: string): string {
  const letters = [...whole]
  for (let times = random.int(1, 4); times > 0; times -= 1)
    letters.splice(random.int(0, letters.length), random.int(0, 3), ...text(random).slice(0, random.int(0, 2)))
  return letters.join('')
}

/** Any JSON value, of so many levels at most. */
function value(random: Random, depth: number): unknown {
  const kinds: (() => unknown)[] = [
    () => null,
    () => random.chance(0.5),
    () => random.next() * 1e300,
    () => random.int(-5, 5),
    () => text(random),
    () => 'x'.repeat(random.int(0, 5000)),
  ]
  if (depth > 0)
    kinds.push(
      () => Array.from({ length: random.int(0, 4) }, () => value(random, depth - 1)),
      () =>
        Object.fromEntries(
          Array.from({ length: random.int(0, 4) }, () => [
            random.pick(['a', 'b', 'authorization', 'query', 'id', 'toJSON', 'constructor']),
            value(random, depth - 1),
          ]),
        ),
    )
  return random.pick(kinds)()
}

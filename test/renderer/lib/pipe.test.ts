import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { IncomingMessage } from 'node:http'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { limitOf } from '../../../src-shared/contract/limits.ts'
import { verifierOf } from '../../../src-shared/lib/proof.ts'
import { signIn } from '../../../src-main/platform/web/sign-in/sign-in.ts'
import { openWebPipe, pipeUrl, retryDelay, type WebPipe } from '../../../src-renderer/lib/pipe/web-pipe.ts'
import { openKeys } from '../../../src-renderer/lib/pipe/sign-in.ts'
import { manualClock } from '../../support/clock.ts'

const leftovers: (() => void)[] = []
afterEach(() => {
  for (const stop of leftovers.splice(0)) stop()
})

const origin = 'http://127.0.0.1:1'
const key = 'k'.repeat(43)

/** A Muster that lets this one key in. */
async function shell(port = 0) {
  const server = new WebSocketServer({ port, host: '127.0.0.1' })
  await once(server, 'listening')
  leftovers.push(() => server.close())
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/pipe`
  const verifier = await verifierOf(key)
  const door = { origin: () => origin, find: async () => verifier, enter: async (id: string) => id }
  const connected = new Promise<ServerSocket>((resolve) => {
    server.on(
      'connection',
      (socket: ServerSocket, { socket: raw }: IncomingMessage) =>
        void signIn(socket, raw, door, manualClock()).then(() => resolve(socket)),
    )
  })
  return { server, url, connected }
}

function open(
  url: string,
  clock = manualClock(),
): {
  pipe: WebPipe
  clock: ReturnType<typeof manualClock>
  reaches: boolean[]
  reach: (count: number) => Promise<void>
} {
  const reaches: boolean[] = []
  let received = () => {}
  const keys = openKeys({
    getItem: (name) => (name === 'muster.session' ? key : null),
    setItem: () => {},
    removeItem: () => {},
  })
  const pipe = openWebPipe({ url, origin, keys, clock, random: () => 0 })
  leftovers.push(() => pipe.stop())
  pipe.onReach((reached) => {
    reaches.push(reached)
    received()
  })
  const reach = (count: number) =>
    new Promise<void>((resolve) => {
      received = () => reaches.length >= count && resolve()
      received()
    })
  return { pipe, clock, reaches, reach }
}

describe('the pipe of the web shell', () => {
  test('answers find their calls in any order, and events their listeners until they stop', async () => {
    const { url, connected } = await shell()
    const arrived = connected
    const { pipe, reach } = open(url)
    const socket = await arrived
    await reach(1)
    const frames: { id: number; call: string; input: unknown }[] = []
    const both = new Promise<void>((resolve) =>
      socket.on('message', (data) => frames.push(JSON.parse(String(data)) as never) === 2 && resolve()),
    )
    const first = pipe.call('inventory.counts', { scope: 'a' })
    const second = pipe.call('inventory.counts', { scope: 'b' })
    await both
    expect(frames.map(({ call, input }) => ({ call, input }))).toEqual(
      ['a', 'b'].map((scope) => ({ call: 'inventory.counts', input: { scope } })),
    )
    const received: number[] = []
    const off = pipe.on('gauges', (gauges) => received.push(gauges.length))
    socket.send(JSON.stringify({ event: 'gauges', data: [] }))
    for (const { id } of frames.toReversed())
      socket.send(JSON.stringify({ id, answer: { ok: true, value: { rev: id, counts: null } } }))
    expect([await first, await second]).toEqual(
      frames.map(({ id }) => ({ ok: true, value: { rev: id, counts: null } })),
    )
    off()
    socket.send(JSON.stringify({ event: 'gauges', data: [] }))
    const last = pipe.call('sync.start', { scope: 'all' })
    await once(socket, 'message')
    socket.send(JSON.stringify({ id: frames.at(-1)?.id, answer: { ok: true, value: {} } }))
    await last
    expect(received).toEqual([0])
  })

  test(
    "a call over the pipe's limit in bytes is rejected with a message, and the pipe goes on",
    { timeout: 30_000 },
    async () => {
      const { url, connected } = await shell()
      const arrived = connected
      const { pipe, reach } = open(url)
      const socket = await arrived
      await reach(1)
      const received: number[] = []
      socket.on('message', (data) => {
        const { id } = JSON.parse(String(data)) as { id: number }
        received.push(String(data).length)
        socket.send(JSON.stringify({ id, answer: { ok: true, value: {} } }))
      })
      const scopeOf = (scope: string) => pipe.call('sync.start', { scope })
      const callLimit = limitOf('sync.start')
      const bare = JSON.stringify({ id: 1, call: 'sync.start', input: { scope: '' } }).length
      expect(await scopeOf('x'.repeat(callLimit - bare))).toEqual({ ok: true, value: {} })
      expect(await scopeOf('x'.repeat(callLimit - bare + 1))).toMatchObject({
        ok: false,
        fault: { kind: 'input', detail: 'This is more than Muster can take at once. Do it in parts.' },
      })
      expect(await scopeOf('€'.repeat(Math.floor(callLimit / 3)))).toMatchObject({
        ok: false,
        fault: { kind: 'input' },
      })
      expect(await scopeOf('all')).toEqual({ ok: true, value: {} })
      expect(received).toEqual([callLimit, bare + 3])
    },
  )

  test('when the core goes, open calls get a fault, and the pipe reconnects by itself', async () => {
    const gone = await shell()
    const { port } = gone.server.address() as AddressInfo
    const arrived = gone.connected
    const { pipe, clock, reaches, reach } = open(gone.url)
    const socket = await arrived
    await reach(1)
    const call = pipe.call('app.state', {})
    await once(socket, 'message')
    gone.server.close()
    socket.terminate()
    expect(await call).toMatchObject({ ok: false, fault: { kind: 'stopped' } })
    expect(await pipe.call('app.state', {})).toMatchObject({ ok: false, fault: { kind: 'stopped' } })
    await reach(2)
    await shell(port)
    await clock.advance(200)
    await reach(3)
    expect(reaches).toEqual([true, false, true])
    const late: boolean[] = []
    pipe.onReach((reached) => late.push(reached))
    expect(late).toEqual([true])
  })

  test('the next try comes after a random time under a limit that grows to 5 s', () => {
    expect([retryDelay(0, 0), retryDelay(0, 1), retryDelay(2, 1), retryDelay(1000, 1)]).toEqual([100, 350, 1100, 5100])
  })

  test("it connects to the page's own origin", () => {
    expect(pipeUrl({ protocol: 'http:', host: '127.0.0.1:8080' })).toBe('ws://127.0.0.1:8080/pipe')
    expect(pipeUrl({ protocol: 'https:', host: 'muster.example' })).toBe('wss://muster.example/pipe')
  })
})

import { createServer as createHttp } from 'node:http'
import { createSecureServer as createHttp2 } from 'node:http2'
import { createServer as createHttps } from 'node:https'
import net from 'node:net'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { NetworkLimits } from '../../../../src-main/platform/web/network/dial.ts'
import { openNetwork } from '../../../../src-main/platform/web/network/network.ts'
import type { ProxyEnv } from '../../../../src-main/network/proxies/environment.ts'
import { makeAuthority, makeSelfSigned, type Served } from './certificates.ts'
import { deafServer, listening, startProxy } from './servers.ts'

interface Dialled {
  socket: WebSocket
  faults: string[]
  thrown: unknown[]
  closed: Promise<number>
}

function dial(
  url: string,
  { ca = '', env = {}, limits }: { ca?: string; env?: ProxyEnv; limits?: NetworkLimits } = {},
): Dialled {
  const link = openNetwork(env, limits === undefined ? {} : { limits }).open(ca)
  onTestFinished(() => link.close())
  const faults: string[] = []
  const all: unknown[] = []
  const Dial = link.dial(
    () => ({ Authorization: 'Bearer 1' }),
    (thrown) => {
      all.push(thrown)
      faults.push(
        thrown instanceof FaultError ? thrown.message.replaceAll(/:\d{4,5}\b/g, '') : `not a fault: ${String(thrown)}`,
      )
    },
  )
  const socket = new Dial(url, 'graphql-transport-ws') as WebSocket
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  return { socket, faults, thrown: all, closed }
}

/** Echoes; `seen` holds what each upgrade brought. */
async function echo(
  served: Served,
): Promise<{ port: number; seen: { authorization: string | undefined; protocol: string }[] }> {
  const server = createHttps(served)
  const seen: { authorization: string | undefined; protocol: string }[] = []
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    seen.push({ authorization: request.headers.authorization, protocol: socket.protocol })
    socket.on('message', (data) => socket.send(String(data)))
  })
  return { port: await listening(server), seen }
}

describe('dial', () => {
  it("sends the headers with the upgrade, the protocol, and trusts the connection's CA", async () => {
    const authority = await makeAuthority()
    const { port, seen } = await echo(await authority.issue(['127.0.0.1']))
    const { socket, faults, closed } = dial(`wss://127.0.0.1:${port}/`, { ca: authority.ca })
    await once(socket, 'open')
    socket.send('there and back')
    const [message] = await once(socket, 'message')
    expect(String(message)).toBe('there and back')
    expect(seen).toEqual([{ authorization: 'Bearer 1', protocol: 'graphql-transport-ws' }])
    socket.close(1000)
    expect(await closed).toBe(1000)
    expect(faults).toEqual([])
  })

  it('connects through the proxy', async () => {
    const authority = await makeAuthority()
    const { port } = await echo(await authority.issue(['live.test']))
    const proxy = await startProxy(port)
    const { socket } = dial('wss://live.test/graphql', { ca: authority.ca, env: { HTTPS_PROXY: proxy.url } })
    await once(socket, 'open')
    expect(proxy.asked).toEqual(['live.test:443'])
    socket.terminate()
  })

  it('reports why it failed before it closes, with the faults of fetch', async () => {
    const selfSigned = await echo(await makeSelfSigned())
    const proxy = await startProxy(1, { status: 407 })
    const refused = [
      dial('wss://nosuch.invalid/'),
      dial(`wss://127.0.0.1:${selfSigned.port}/`),
      dial('ws://127.0.0.1:1/'),
      dial('wss://live.test/', { env: { HTTPS_PROXY: proxy.url } }),
    ]
    const told = await Promise.all(
      refused.map(async ({ closed, faults }) => {
        let before: string[] = []
        const code = await closed.then((given) => {
          before = [...faults]
          return given
        })
        return [code, ...before]
      }),
    )
    expect(told).toEqual([
      [1006, 'name: nosuch.invalid:443'],
      [1006, 'tls: 127.0.0.1: it is self-signed'],
      [1006, 'connect: 127.0.0.1:1'],
      [1006, 'proxy-login: 127.0.0.1'],
    ])
  })

  it('reports a service that speaks HTTP/2 alone', async () => {
    const authority = await makeAuthority()
    const port = await listening(createHttp2(await authority.issue(['127.0.0.1'])))
    const { faults, closed } = dial(`wss://127.0.0.1:${port}/`, { ca: authority.ca })
    expect(await closed).toBe(1006)
    expect(faults).toEqual(['protocol: 127.0.0.1: it speaks no HTTP/1.1, which a live connection needs'])
  })

  it.each([
    [401, 'token'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [502, 'http'],
  ])('reports an upgrade that was rejected with %i, once', async (status, kind) => {
    const port = await listening(createHttp((_request, response) => response.writeHead(status).end('no')))
    const { faults, closed } = dial(`ws://127.0.0.1:${port}/`)
    expect(await closed).toBe(1006)
    expect(faults).toEqual([`${kind}: HTTP ${status} from 127.0.0.1`])
  })

  it.each([
    [503, '40', 40_000],
    [429, '7', 7_000],
    [504, new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
  ])('reports the wait that a rejection of the upgrade with %i asks for', async (status, after, ms) => {
    const port = await listening(
      createHttp((_request, response) => response.writeHead(status, { 'retry-after': after }).end('no')),
    )
    const { thrown, closed } = dial(`ws://127.0.0.1:${port}/`)
    expect(await closed).toBe(1006)
    const [fault] = thrown
    if (!(fault instanceof FaultError)) throw new Error('no fault')
    expect(fault.fault.kind).toBe('unavailable')
    expect(Math.abs((fault.retryAfter ?? 0) - ms)).toBeLessThan(30_000 * Number(status === 504) + 1)
  })

  it('closes when the service does not read what Muster sends, before that is 20 MB', async () => {
    const port = await listening(deafServer(Buffer.from('\u0081\u0002hi', 'latin1'), 5_000))
    const { socket, faults, closed } = dial(`ws://127.0.0.1:${port}/`)
    let most = 0
    socket.on('message', () => {
      socket.send('x'.repeat(64 * 1024))
      most = Math.max(most, socket.bufferedAmount)
    })
    expect(await closed).toBe(1006)
    expect(faults).toEqual(['reset: 127.0.0.1 does not read what Muster sends'])
    expect(most).toBeLessThan(20 * 1024 * 1024)
  })

  it('closes when the service floods pings and does not read the pongs, before these are 1 MB', async () => {
    const ping = Buffer.concat([Buffer.from([0x89, 125]), Buffer.alloc(125)])
    const port = await listening(deafServer(Buffer.concat(Array.from({ length: 100 }, () => ping)), 20_000))
    const { socket, closed } = dial(`ws://127.0.0.1:${port}/`)
    let [most, pings] = [0, 0]
    socket.on('ping', () => {
      pings += 1
      most = Math.max(most, socket.bufferedAmount)
    })
    expect(await closed).toBe(1006)
    expect(pings).toBeLessThan(2_000_000)
    expect(most).toBeLessThan(1024 * 1024)
  })

  it('processes at most 64 kB in a turn of the event loop, however much has come', async () => {
    const [messages, size] = [2_000, 8 * 1024]
    const server = createHttp()
    new WebSocketServer({ server }).on('connection', (socket) => {
      for (let at = 0; at < messages; at += 1) socket.send('x'.repeat(size))
    })
    const { socket } = dial(`ws://127.0.0.1:${await listening(server)}/`)
    let [came, inTurn, most] = [0, 0, 0]
    await new Promise<void>((resolve) => {
      socket.on('message', () => {
        came += 1
        inTurn += 1
        most = Math.max(most, inTurn)
        if (came === messages) resolve()
        if (inTurn > 1) return
        setImmediate(() => {
          inTurn = 0
        })
      })
    })
    // What is counted as one turn here may be the end of one and the beginning of the next, and a message that began before.
    expect(most).toBeLessThanOrEqual((2 * 64 * 1024) / size + 1)
  })

  it('times out an upgrade without an answer', async () => {
    const port = await listening(net.createServer())
    const { faults, closed } = dial(`ws://127.0.0.1:${port}/`, { limits: { connect: 20, answer: 20 } })
    expect(await closed).toBe(1006)
    expect(faults).toEqual(['timeout: 127.0.0.1'])
  })
})

import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FaultError } from '../../../../../src-shared/model/fault.ts'
import { openNetwork } from '../../../../../src-main/platform/web/network/network.ts'
import { UnsentError, type Link } from '../../../../../src-main/ports.ts'
import type { ProxyEnv } from '../../../../../src-main/network/proxies/environment.ts'
import { makeAuthority } from '../certificates.ts'
import { respond, startHttp2 } from '../http2/server.ts'
import { listening, startProxy } from '../servers.ts'
import { startRaw, type Deed } from './raw-server.ts'

const limits = { connect: 2_000, answer: 150 }
const mutation = JSON.stringify({ query: 'mutation Reboot { rebootDevice(deviceId: "1") { success } }' })

function open(ca = '', env: ProxyEnv = {}): Link {
  const link = openNetwork(env, { limits }).open(ca)
  onTestFinished(() => link.close())
  return link
}

/** Sends the mutation, and returns the status and body of its answer, or its fault; "unsent" before one that proves it. */
async function sent(link: Link, url: string, signal?: AbortSignal): Promise<string> {
  try {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer 1' }
    const init = { method: 'POST', body: mutation, headers, ...(signal !== undefined && { signal }) }
    const response = await link.fetchOnce(url, init)
    return `${response.status} ${await response.text()}`
  } catch (error) {
    if (!(error instanceof FaultError)) throw error
    return `${error instanceof UnsentError ? 'unsent ' : ''}${error.fault.kind}`
  }
}

const deeds: [string, Deed, string][] = [
  ['closes', { does: 'closes' }, 'reset'],
  ['resets', { does: 'resets' }, 'reset'],
  ['answers half', { does: 'answers-half' }, 'reset'],
  ['says nothing', { does: 'is-silent' }, 'timeout'],
  ['answers 200', { does: 'answers', status: 200, body: '{"data":1}' }, '200 {"data":1}'],
  ['answers 401', { does: 'answers', status: 401, headers: 'WWW-Authenticate: Bearer\r\n' }, '401 {}'],
  ['answers 403', { does: 'answers', status: 403 }, '403 {}'],
  ['answers 408', { does: 'answers', status: 408 }, '408 {}'],
  // undici asks a misdirected request again on another connection.
  ['answers 421', { does: 'answers', status: 421 }, 'reset'],
  ['answers 429', { does: 'answers', status: 429, headers: 'Retry-After: 0\r\n' }, '429 {}'],
  ['answers 502', { does: 'answers', status: 502 }, '502 {}'],
  ['answers 503', { does: 'answers', status: 503, headers: 'Retry-After: 0\r\n' }, '503 {}'],
  ['answers 307', { does: 'answers', status: 307, headers: 'Location: /\r\n' }, 'http'],
]

describe('a request that is sent once over HTTP/1.1', () => {
  it.each(deeds)('arrives once where the service %s', async (_what, deed, outcome) => {
    const server = await startRaw(deed)
    expect(await sent(open(), `http://127.0.0.1:${server.port}/`)).toBe(outcome)
    expect([server.bodies, server.connections]).toEqual([[mutation], 1])
  })

  it.each(deeds)('arrives once over TLS where the service %s', async (_what, deed, outcome) => {
    const authority = await makeAuthority()
    const server = await startRaw(deed, await authority.issue(['127.0.0.1']))
    expect(await sent(open(authority.ca), `https://127.0.0.1:${server.port}/`)).toBe(outcome)
    expect([server.bodies, server.connections]).toEqual([[mutation], 1])
  })

  it.each(deeds)('arrives once through a proxy where the service %s', async (_what, deed, outcome) => {
    const authority = await makeAuthority()
    const server = await startRaw(deed, await authority.issue(['service.test']))
    const proxy = await startProxy(server.port)
    const link = open(authority.ca, { HTTPS_PROXY: proxy.url })
    expect(await sent(link, 'https://service.test/')).toBe(outcome)
    expect([server.bodies, server.connections, proxy.asked]).toEqual([[mutation], 1, ['service.test:443']])
  })

  it('has a connection of its own each time, and says that it ends with it', async () => {
    const server = await startRaw({ does: 'answers', status: 200 })
    const link = open()
    for (let at = 0; at < 3; at += 1) expect(await sent(link, `http://127.0.0.1:${server.port}/`)).toBe('200 {}')
    expect([server.bodies.length, server.connections]).toEqual([3, 3])
    expect(server.heads.every((head) => /^connection: close$/im.test(head))).toBe(true)
  })

  it.each(['closes-before', 'closes-within'] as const)(
    'is repeated by nobody where the service %s it',
    async (does) => {
      const authority = await makeAuthority()
      for (const served of [undefined, await authority.issue(['127.0.0.1'])]) {
        const server = await startRaw({ does }, served)
        const scheme = served === undefined ? 'http' : 'https'
        expect(await sent(open(authority.ca), `${scheme}://127.0.0.1:${server.port}/`)).toMatch(
          does === 'closes-within' ? /^reset$/ : /^(unsent )?reset$/,
        )
        expect([server.bodies, server.connections]).toEqual([[], 1])
      }
    },
  )
})

type Answer = (stream: ServerHttp2Stream) => unknown

const http2Deeds: [string, Answer, string][] = [
  ['closes the connection', ({ session }) => session?.close(), 'timeout'],
  ['cuts the connection', ({ session }) => session?.destroy(), 'reset'],
  ['refuses the stream', (stream) => stream.close(7), 'reset'],
  ['resets the stream', (stream) => stream.close(2), 'reset'],
  ['says GOAWAY for no stream', ({ session }) => (session?.goaway(0, 0), session?.destroy()), 'reset'],
  ['says ENHANCE_YOUR_CALM', ({ session }) => session?.goaway(11, 0), 'reset'],
  [
    'answers half',
    (stream) => {
      stream.respond({ ':status': 200, 'content-length': 100 })
      stream.write('{"data":', () => stream.close(2))
    },
    'reset',
  ],
  ['says nothing', () => {}, 'timeout'],
  ...[200, 401, 403, 429, 502, 503].map((status): [string, Answer, string] => [
    `answers ${status}`,
    (stream) => respond(stream, '{}', { ':status': status }),
    `${status} {}`,
  ]),
  ['answers 421', (stream) => respond(stream, '{}', { ':status': 421 }), 'reset'],
]

/** A service of HTTP/2 alone that reads each request whole before it acts. */
async function startWhole(answer: Answer) {
  const bodies: string[] = []
  const seen: IncomingHttpHeaders[] = []
  const server = await startHttp2((stream, headers) => {
    let body = ''
    stream.on('data', (piece) => (body += String(piece)))
    stream.on('end', () => {
      seen.push(headers)
      bodies.push(body)
      answer(stream)
    })
  })
  return { ...server, bodies, seen }
}

describe('a request that is sent once over HTTP/2', () => {
  it.each(http2Deeds)('arrives once where the service %s', async (_what, answer, outcome) => {
    const server = await startWhole(answer)
    expect(await sent(open(server.ca), server.url)).toBe(outcome)
    expect([server.bodies, server.sessions.length]).toEqual([[mutation], 1])
  })

  it.each(http2Deeds)('arrives once through a proxy where the service %s', async (_what, answer, outcome) => {
    const server = await startWhole(answer)
    const proxy = await startProxy(server.port)
    const link = open(server.ca, { HTTPS_PROXY: proxy.url })
    expect(await sent(link, 'https://service.test/')).toBe(outcome)
    expect([server.bodies, server.sessions.length, proxy.asked.length]).toEqual([[mutation], 1, 1])
  })

  it('has a connection of its own beside those of other requests, which is closed after it', async () => {
    const server = await startWhole((stream) => respond(stream, '{}'))
    const link = open(server.ca)
    await (await link.fetch(server.url)).text()
    for (let at = 0; at < 2; at += 1) expect(await sent(link, server.url)).toBe('200 {}')
    expect(server.sessions).toHaveLength(3)
    await expect.poll(() => server.sessions.map(({ destroyed }) => destroyed)).toEqual([false, true, true])
  })

  it('is unsent where the connection ends before the server has sent its settings', async () => {
    const authority = await makeAuthority()
    const served = { ...(await authority.issue(['127.0.0.1'])), ALPNProtocols: ['h2'] }
    let connections = 0
    const port = await listening(
      tls.createServer(served, (socket) => {
        connections += 1
        socket.destroy()
      }),
    )
    expect(await sent(open(authority.ca), `https://127.0.0.1:${port}/`)).toBe('unsent reset')
    expect(connections).toBe(1)
  })
})

describe('a request that certainly never left', () => {
  it('is unsent where there is no host, no port, no trust, no proxy or no tunnel', async () => {
    const authority = await makeAuthority()
    const server = await startRaw({ does: 'answers', status: 200 }, await authority.issue(['127.0.0.1']))
    const rejecting = await startProxy(server.port, { status: 403 })
    const asking = await startProxy(server.port, { login: 'a:b' })
    const url = `https://127.0.0.1:${server.port}/`
    expect(await sent(open(), 'https://nosuch.invalid/')).toBe('unsent name')
    expect(await sent(open(), 'http://127.0.0.1:1/')).toBe('unsent connect')
    expect(await sent(open(), 'no address')).toBe('unsent connect')
    expect(await sent(open(), url)).toBe('unsent tls')
    expect(await sent(open('', { HTTPS_PROXY: 'http://127.0.0.1:9' }), 'https://service.test/')).toBe(
      'unsent proxy-away',
    )
    expect(await sent(open('', { HTTPS_PROXY: rejecting.url }), 'https://service.test/')).toBe('unsent proxy')
    expect(await sent(open('', { HTTPS_PROXY: asking.url }), 'https://service.test/')).toBe('unsent proxy-login')
    expect(server.bodies).toEqual([])
  })

  it('is unsent where its signal aborts before or while it connects, and not after', async () => {
    const hanging = await listening(net.createServer(() => {}))
    const proxy = `http://127.0.0.1:${hanging}`
    const link = open('', { HTTPS_PROXY: proxy })
    const stopped = new FaultError('stopped')
    expect(await sent(link, 'https://service.test/', AbortSignal.abort(stopped))).toBe('unsent stopped')
    const giving = new AbortController()
    const connecting = sent(link, 'https://service.test/', giving.signal)
    giving.abort(stopped)
    expect(await connecting).toBe('unsent stopped')
    const server = await startRaw({ does: 'is-silent' })
    const later = new AbortController()
    const waiting = sent(open(), `http://127.0.0.1:${server.port}/`, later.signal)
    await expect.poll(() => server.bodies).toHaveLength(1)
    later.abort(stopped)
    expect(await waiting).toBe('stopped')
    expect(server.bodies).toHaveLength(1)
  })
})

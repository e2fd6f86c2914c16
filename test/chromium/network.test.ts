import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeCertificates, type Certificates } from '../../src-service/net/certificates.ts'
import { startService, type Service, type ServiceOptions } from '../../src-service/service.ts'
import {
  makeAuthority,
  makeSelfSigned,
  type Authority,
  type IssueOptions,
  type Served,
} from '../main/platform/web/certificates.ts'
import { listening } from '../main/platform/web/servers.ts'
import { startNetwork, type ChromiumNetwork } from '../support/chromium-network.ts'
import { createLeftovers } from '../support/fleet.ts'
import { closedPort } from '../support/night.ts'
import { startProxies } from './proxies.ts'
import { doing, saying, sayingInHttp2, speakingHttp2 } from './servers.ts'
import { told, socketWords } from './network-messages.ts'

const shared = createLeftovers()
afterAll(() => shared.clean())

let network: ChromiumNetwork
/** Trusted by the browser, and one that is not. */
let authority: Authority
let stranger: Authority
let certificates: Certificates
let loopback: Served

beforeAll(async () => {
  ;[authority, stranger, certificates] = await Promise.all([
    makeAuthority(),
    makeAuthority('Stranger'),
    makeCertificates(),
  ])
  loopback = await authority.issue(['127.0.0.1'])
  network = await startNetwork(shared, {
    trusted: [authority.ca, certificates.ca],
    proxies: await startProxies(shared, stranger),
  })
})

/** A service whose authority the browser trusts, and a page of its own origin: what it answers may be read there. */
async function service(options: ServiceOptions = {}): Promise<Service> {
  const started = await startService({ devices: 20, tenants: 1, certificates, ...options })
  onTestFinished(() => started.stop())
  await network.page.goto(new URL('/.well-known/jwks.json', started.tokenUrl).href)
  return started
}

async function tokenOf({ tokenUrl, clientId, clientSecret }: Service): Promise<string> {
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  return network.page.evaluate(
    async ([to, text]) => {
      const response = await fetch(to, { method: 'POST', body: text, headers: { 'Content-Type': 'application/json' } })
      return String((await response.json()).access_token)
    },
    [tokenUrl, body] as const,
  )
}

const cors = 'Access-Control-Allow-Origin: *'
const at = (port: number, host = '127.0.0.1') => `https://${host}:${port}/`

/** A server with a certificate of this authority. */
async function certified(names: string[], options: IssueOptions & { by?: Authority } = {}): Promise<number> {
  return listening(
    createHttps(await (options.by ?? authority).issue(names, options), (_request, response) => void response.end()),
  )
}

/** The failing cases: address, Chromium's text, and Muster's fault. */
const failures: readonly [string, () => Promise<string>, string, string][] = [
  ['a host name that nobody knows', async () => 'https://nosuch.invalid/', 'net::ERR_NAME_NOT_RESOLVED', 'name: h'],
  ['a port where nobody listens', async () => at(await closedPort()), 'net::ERR_CONNECTION_REFUSED', 'connect: h'],
  [
    'a port that Chromium calls on no account',
    async () => 'https://127.0.0.1:1/',
    'net::ERR_UNSAFE_PORT',
    'connect: h',
  ],
  [
    'a connection that is reset',
    async () => at(await doing((socket) => socket.resetAndDestroy())),
    'net::ERR_CONNECTION_RESET',
    'reset: h (ERR_CONNECTION_RESET)',
  ],
  [
    'a connection that is closed',
    async () => at(await doing((socket) => socket.end())),
    'net::ERR_CONNECTION_CLOSED',
    'reset: h (ERR_CONNECTION_CLOSED)',
  ],
  [
    'an authority that is not known',
    async () => at(await certified(['127.0.0.1'], { by: stranger })),
    'net::ERR_CERT_AUTHORITY_INVALID',
    'tls: h: its authority is not known here',
  ],
  [
    'a certificate that signs itself',
    async () => at(await listening(createHttps(await makeSelfSigned()))),
    'net::ERR_CERT_AUTHORITY_INVALID',
    'tls: h: its authority is not known here',
  ],
  [
    'a certificate for another host',
    async () => at(await certified(['one.test']), 'other.test'),
    'net::ERR_CERT_COMMON_NAME_INVALID',
    'tls: h: it is for another host name',
  ],
  [
    'a host in the common name alone',
    async () => at(await certified([], { commonName: 'one.test' }), 'one.test'),
    'net::ERR_CERT_COMMON_NAME_INVALID',
    'tls: h: it is for another host name',
  ],
  [
    'a certificate that has expired',
    async () => at(await certified(['127.0.0.1'], { expired: true })),
    'net::ERR_CERT_DATE_INVALID',
    'tls: h: it has expired, or is not valid yet',
  ],
  [
    'a certificate that is not a server’s',
    async () => at(await certified(['127.0.0.1'], { purpose: '1.3.6.1.5.5.7.3.2' })),
    'net::ERR_CERT_INVALID',
    'tls: h: it cannot be checked',
  ],
  [
    'a server without TLS',
    async () => at(await listening(createHttp())),
    'net::ERR_SSL_PROTOCOL_ERROR',
    'protocol: h: no secure connection could be agreed on',
  ],
  [
    'a server of an old TLS alone',
    async () =>
      at(
        await listening(
          createHttps({ ...loopback, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
        ),
      ),
    'net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH',
    'protocol: h: no secure connection could be agreed on',
  ],
]

/** The same of what a request alone meets. */
const answers: typeof failures = [
  [
    'an end in the place of an answer',
    async () => at(await saying('', loopback)),
    'net::ERR_EMPTY_RESPONSE',
    'reset: h (ERR_EMPTY_RESPONSE)',
  ],
  [
    'half of the headers',
    async () => at(await saying('HTTP/1.1 200 OK\r\nX: ', loopback)),
    'net::ERR_RESPONSE_HEADERS_TRUNCATED',
    'reset: h (ERR_RESPONSE_HEADERS_TRUNCATED)',
  ],
  [
    'headers without an end',
    async () => at(await saying(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(400_000)}\r\n\r\n`, loopback)),
    'net::ERR_RESPONSE_HEADERS_TOO_BIG',
    'reset: h (ERR_RESPONSE_HEADERS_TOO_BIG)',
  ],
  [
    'two lengths',
    async () => at(await saying('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', loopback)),
    'net::ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH',
    'reset: h (ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH)',
  ],
  [
    'half of a body',
    async () => at(await saying(`HTTP/1.1 200 OK\r\n${cors}\r\nContent-Length: 100\r\n\r\nhalf`, loopback)),
    'net::ERR_CONTENT_LENGTH_MISMATCH',
    'reset: h (ERR_CONTENT_LENGTH_MISMATCH)',
  ],
  [
    'half of the chunks',
    async () => at(await saying(`HTTP/1.1 200 OK\r\n${cors}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf`, loopback)),
    'net::ERR_INCOMPLETE_CHUNKED_ENCODING',
    'reset: h (ERR_INCOMPLETE_CHUNKED_ENCODING)',
  ],
  [
    'a body that is not packed as it says',
    async () =>
      at(
        await saying(`HTTP/1.1 200 OK\r\n${cors}\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf`, loopback),
      ),
    'net::ERR_CONTENT_DECODING_FAILED',
    'reset: h (ERR_CONTENT_DECODING_FAILED)',
  ],
  [
    'an HTTP/2 stream that is ended with an error',
    async () => at(await speakingHttp2(loopback, (stream) => stream.close(1))),
    'net::ERR_HTTP2_PROTOCOL_ERROR',
    'reset: h (ERR_HTTP2_PROTOCOL_ERROR)',
  ],
  [
    'an HTTP/2 stream that is not taken',
    async () => at(await speakingHttp2(loopback, (stream) => stream.close(7))),
    'net::ERR_HTTP2_SERVER_REFUSED_STREAM',
    'reset: h (ERR_HTTP2_SERVER_REFUSED_STREAM)',
  ],
  [
    'an HTTP/2 connection that ends',
    async () => at(await speakingHttp2(loopback, (stream) => stream.session?.destroy())),
    'net::ERR_CONNECTION_CLOSED',
    'reset: h (ERR_CONNECTION_CLOSED)',
  ],
  [
    'HTTP/2 that is none',
    async () => at(await sayingInHttp2(loopback, 'hello, these are no frames, and they do not become any')),
    'net::ERR_HTTP2_PROTOCOL_ERROR',
    'reset: h (ERR_HTTP2_PROTOCOL_ERROR)',
  ],
]

/** The same of what a proxy does. */
const proxied: typeof failures = [
  [
    'a proxy that cannot be reached',
    async () => 'https://away.test/',
    'net::ERR_PROXY_CONNECTION_FAILED',
    'proxy-away: h',
  ],
  [
    'a proxy whose name nobody knows',
    async () => 'https://nameless.test/',
    'net::ERR_PROXY_CONNECTION_FAILED',
    'proxy-away: h',
  ],
  [
    'a proxy that lets nobody through',
    async () => 'https://forbidding.test/',
    'net::ERR_TUNNEL_CONNECTION_FAILED',
    'proxy: h',
  ],
  ['a proxy that redirects', async () => 'https://redirecting.test/', 'net::ERR_TUNNEL_CONNECTION_FAILED', 'proxy: h'],
  [
    'a proxy that speaks no HTTP',
    async () => 'https://babbling.test/',
    'net::ERR_TUNNEL_CONNECTION_FAILED',
    'proxy: h',
  ],
  [
    'a proxy that wants an unknown kind of login',
    async () => 'https://asking-oddly.test/',
    'net::ERR_PROXY_AUTH_UNSUPPORTED',
    'proxy: h',
  ],
  [
    'a SOCKS proxy that cannot be reached',
    async () => 'https://socks-away.test/',
    'net::ERR_PROXY_CONNECTION_FAILED',
    'proxy-away: h',
  ],
]

async function dialled(address: string): Promise<[string, string]> {
  const { failed, code, wasClean } = await network.dial(address.replace(/^http/, 'ws'))
  expect([code, wasClean]).toEqual([1006, false])
  return [failed, told(failed)]
}

// Sockets that closed in order first: Chromium lets those of a page wait that has many failures and nothing else.
describe('a socket of Chromium', () => {
  it.each([1000, 1001, 1011, 1012, 1013, 4400, 4401, 4403, 4408, 4409, 4429, 4500])(
    'is closed with the code %i and its reason as they were sent',
    async (code) => {
      const reference = await service()
      const closing = network.dial(reference.subscriptionUrl)
      await expect.poll(reference.openSockets).toBe(1)
      reference.misfortune.dropSockets(code, `because of ${code}`)
      expect(await closing).toEqual({ failed: '', code, reason: `because of ${code}`, wasClean: true, heard: [] })
    },
  )

  it('is closed with 1006 and no reason by a reset, which is no failure', async () => {
    const reference = await service()
    const closing = network.dial(reference.subscriptionUrl)
    await expect.poll(reference.openSockets).toBe(1)
    reference.misfortune.dropSockets(1006)
    expect(await closing).toEqual({ failed: '', code: 1006, reason: '', wasClean: false, heard: [] })
  })

  it('speaks the protocol of the stream with the service, and gets its close reason', async () => {
    const reference = await service()
    const init = { type: 'connection_init', payload: { authorization: `Bearer ${await tokenOf(reference)}` } }
    const closed = async (...says: unknown[]) => {
      const { failed, code, reason, heard } = await network.dial(reference.subscriptionUrl, says)
      return [failed, code, reason, ...heard.map((text) => JSON.parse(text).type)]
    }
    expect(await closed(init, init)).toEqual(['', 4429, 'Too many initialisation requests', 'connection_ack'])
    expect(await closed({ type: 'subscribe', id: '1', payload: { query: '{ a }' } })).toEqual([
      '',
      4401,
      'Unauthorized',
    ])
    expect(await closed('nonsense')).toEqual(['', 4400, 'Invalid message received'])
    expect(await closed({ type: 'connection_init', payload: { authorization: 'Bearer nonsense' } })).toEqual([
      '',
      4403,
      'Forbidden',
    ])
  })

  it.each([
    [401, 'HTTP Authentication failed; no valid credentials available', 'token: HTTP 401 from h'],
    [403, 'Error during WebSocket handshake: Unexpected response code: 403', 'forbidden: HTTP 403 from h'],
    [429, 'Error during WebSocket handshake: Unexpected response code: 429', 'http: HTTP 429 from h'],
    [500, 'Error during WebSocket handshake: Unexpected response code: 500', 'http: HTTP 500 from h'],
    [503, 'Error during WebSocket handshake: Unexpected response code: 503', 'http: HTTP 503 from h'],
  ] as const)('reports why its upgrade was answered with %i', async (upgradeRefusalStatus, text, words) => {
    const reference = await service({ profile: 'contrary', contrary: { upgradeRefusals: 1, upgradeRefusalStatus } })
    expect(await dialled(reference.subscriptionUrl)).toEqual([text, words])
  })

  it('reports a login that is required with the 401 as one that is not', async () => {
    const server = createHttps(loopback)
    server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n'),
    )
    expect((await dialled(at(await listening(server))))[1]).toBe('token: HTTP 401 from h')
  })

  it('reports that a service speaks another protocol', async () => {
    const reference = await service({ profile: 'contrary', contrary: { socketOpens: 'other-protocol' } })
    expect((await dialled(reference.subscriptionUrl.replace(/^ws/, 'http')))[1]).toBe(
      'protocol: h: its live connection speaks another protocol than graphql-transport-ws',
    )
  })

  it.each([...failures, ...proxied])('reports %s', async (_what, where, code, words) => {
    expect(await dialled(await where())).toEqual([socketWords(code), words])
  })

  it.each([
    ['a proxy that wants a login', async () => 'https://asking.test/', 'Proxy authentication failed', 'proxy-login: h'],
    [
      'an end in the place of an answer',
      async () => at(await saying('', loopback)),
      'Connection closed before receiving a handshake response',
      'reset: h',
    ],
    [
      'half of the headers',
      async () => at(await saying('HTTP/1.1 101 Go\r\nX: ', loopback)),
      'Error during WebSocket handshake: net::ERR_RESPONSE_HEADERS_TRUNCATED',
      'reset: h (ERR_RESPONSE_HEADERS_TRUNCATED)',
    ],
    [
      'a server that speaks HTTP/2 alone',
      async () => at(await speakingHttp2(loopback, (stream) => stream.close())),
      'Error in connection establishment: net::ERR_SSL_PROTOCOL_ERROR',
      'protocol: h: no secure connection could be agreed on',
    ],
    [
      'a server that wants a client certificate',
      async () =>
        at(
          await listening(createHttps({ ...loopback, requestCert: true, rejectUnauthorized: true, ca: authority.ca })),
        ),
      'WebSocket opening handshake was canceled',
      'reset: h (the handshake was cancelled; it may require a client certificate, which Muster does not have)',
    ],
  ])('reports %s', async (_what, where, text, words) => {
    expect(await dialled(await where())).toEqual([text, words])
  })
})

describe('a request of Chromium', () => {
  it.each(['both', 'h2'] as const)('goes over HTTP/2 to a service whose port speaks %s', async (http) => {
    const reference = await service(http === 'h2' ? { profile: 'contrary', contrary: { http } } : {})
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf(reference)}` }
    expect(
      await network.fetch(reference.graphqlUrl, { method: 'POST', headers, body: '{"query":"{ __typename }"}' }),
    ).toEqual({ failed: '', status: 200, protocol: 'h2' })
    const protocols = await network.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry instanceof PerformanceResourceTiming && entry.nextHopProtocol),
    )
    expect([...new Set(protocols)]).toEqual(['h2'])
  })

  it.each([...failures, ...answers, ...proxied])('reports %s', async (_what, where, code, words) => {
    const { failed } = await network.fetch(await where())
    expect([failed, told(failed)]).toEqual([code, words])
  })

  it("gets 407 from a proxy without a known login, and not the proxy's page", async () => {
    const { failed, status } = await network.fetch('https://asking.test/', { mode: 'no-cors' })
    expect([status, failed, told(failed)]).toEqual([407, 'net::ERR_TUNNEL_CONNECTION_FAILED', 'proxy: h'])
  })
})

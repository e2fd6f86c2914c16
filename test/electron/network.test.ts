import { createServer as createHttp } from 'node:http'
import net from 'node:net'
import type { Session } from 'electron'
import { WebSocketServer } from 'ws'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FaultError } from '../../src-shared/model/fault.ts'
import { netFault } from '../../src-main/network/chromium/net-fault.ts'
import { openNetwork, type ElectronNetwork } from '../../src-main/platform/electron/network/network.ts'
import { UnsentError, type Link } from '../../src-main/ports.ts'
import { StandInSocket } from '../support/electron-stand-in/network.ts'
import { createSessions } from '../support/electron-stand-in/sessions.ts'
import { makeAuthority } from '../main/platform/web/certificates.ts'
import { deafServer, listening, secureServer } from '../main/platform/web/servers.ts'
import { loginsOf, faultOf, fails } from './network-faults.ts'

const hello = (_request: unknown, response: { end(text: string): unknown }) => response.end('hello')

/** The network over the stand-in's sessions, which check certificates and report errors as Electron does. */
function network() {
  const partitions: string[] = []
  const { fromPartition } = createSessions({ isReady: () => true, schemes: new Set() })
  const sessions = {
    fromPartition: (partition: string, options: { cache: boolean }) => {
      partitions.push(partition)
      return fromPartition(partition, options) as unknown as Session
    },
  }
  const surroundings = {
    net: {
      WebSocket: StandInSocket,
      request: () => {
        throw new Error('no proxy here')
      },
    },
    sessions,
    logins: loginsOf({}),
    now: Date.now,
  }
  return { partitions, network: openNetwork(surroundings as unknown as ElectronNetwork) }
}

function open(ca: string): Link {
  const link = network().network.open(ca)
  onTestFinished(() => link.close())
  return link
}

describe('the Electron network', () => {
  it("accepts a server of the connection's own CA", async () => {
    const authority = await makeAuthority()
    const port = await listening(secureServer(await authority.issue(['127.0.0.1']), hello))
    expect(await (await open(authority.ca).fetch(`https://127.0.0.1:${port}/`)).text()).toBe('hello')
  })

  it("reports an untrusted certificate with the ports' fault", async () => {
    const [authority, other] = await Promise.all([makeAuthority(), makeAuthority('other')])
    const rejected = async (ca: string, names: string[], options: { expired?: boolean; purpose?: string } = {}) => {
      const port = await listening(secureServer(await authority.issue(names, options), hello))
      return faultOf(open(ca).fetch(`https://127.0.0.1:${port}/`))
    }
    expect(await rejected('', ['127.0.0.1'])).toBe('tls: 127.0.0.1: its authority is not known here')
    expect(await rejected(other.ca, ['127.0.0.1'])).toBe('tls: 127.0.0.1: its authority is not known here')
    expect(await rejected(authority.ca, ['elsewhere.example'])).toBe('tls: 127.0.0.1: it is for another host name')
    expect(await rejected(authority.ca, ['127.0.0.1'], { expired: true })).toBe(
      'tls: 127.0.0.1: it has expired, or is not valid yet',
    )
    expect(await rejected(authority.ca, ['127.0.0.1'], { purpose: '1.3.6.1.5.5.7.3.2' })).toBe(
      'tls: 127.0.0.1: it may not be used for a server',
    )
    expect(() => open('hello')).toThrow('ca: there is no certificate in it')
  })

  it('reports errors as the web shell does', async () => {
    const closed = net.createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as net.AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const link = open('')
    expect(await faultOf(link.fetch(`http://127.0.0.1:${port}/`))).toBe('connect: 127.0.0.1')
    expect(await faultOf(link.fetch('https://127.0.0.1:1/'))).toBe('connect: 127.0.0.1:1')
    expect(await faultOf(link.fetch('https://nosuch.invalid/path?secret=1'))).toBe('name: nosuch.invalid')
    const hanging = await listening(
      createHttp(
        (_request, response) =>
          void response.writeHead(200, { 'Content-Length': 100 }).write('half', () => response.destroy()),
      ),
    )
    expect(await faultOf(link.fetch(`http://127.0.0.1:${hanging}/`).then((response) => response.text()))).toMatch(
      /^reset: 127\.0\.0\.1/,
    )
    const silent = await listening(createHttp(() => {}))
    expect(await faultOf(link.fetch(`http://127.0.0.1:${silent}/`, { signal: AbortSignal.abort() }))).toBe(
      'abort: 127.0.0.1',
    )
    expect(
      await faultOf(
        link.fetch(`http://127.0.0.1:${silent}/`, { signal: AbortSignal.abort(new FaultError('stopped')) }),
      ),
    ).toBe('stopped')
    expect(await faultOf(link.fetch(`http://127.0.0.1:${silent}/`, { signal: AbortSignal.timeout(1) }))).toBe(
      'timeout: 127.0.0.1',
    )
  })

  it('ends the request when the rest of its body is not wanted', async () => {
    const ended = Promise.withResolvers<void>()
    const port = await listening(
      createHttp((_request, response) => {
        response.writeHead(200).write('first')
        response.once('close', ended.resolve)
      }),
    )
    const response = await open('').fetch(`http://127.0.0.1:${port}/`)
    await response.body?.cancel()
    await ended.promise
  })

  it('reports a cancelled body as the web shell does', async () => {
    const port = await listening(createHttp((_request, response) => void response.writeHead(200).write('first')))
    const giving = new AbortController()
    const response = await open('').fetch(`http://127.0.0.1:${port}/`, { signal: giving.signal })
    const text = response.text()
    giving.abort(new FaultError('timeout', 'token endpoint'))
    expect(await faultOf(text)).toBe('timeout: token endpoint')
  })

  it('never follows a redirect, whatever the request says', async () => {
    let elsewhere = 0
    const other = await listening(createHttp((_request, response) => void ((elsewhere += 1), response.end())))
    const port = await listening(
      createHttp(
        (_request, response) => void response.writeHead(307, { Location: `http://127.0.0.1:${other}/` }).end(),
      ),
    )
    const post = open('').fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'secret', redirect: 'follow' })
    expect(await faultOf(post)).toBe('http: 127.0.0.1 redirects to another address, which is not followed')
    expect(elsewhere).toBe(0)
  })

  it('has a session for each open network; a closed one is reused for the same CA alone', async () => {
    const { ca } = await makeAuthority()
    const { network: own, partitions } = network()
    const [first, second, other] = [own.open(ca), own.open(ca), own.open('')]
    expect(new Set(partitions).size).toBe(3)
    await first.close()
    await first.close()
    const [third, fourth] = [own.open(''), own.open(ca)]
    expect(partitions).toHaveLength(4)
    expect(partitions[3]?.endsWith(partitions[2]?.split('-').at(-1) ?? '?')).toBe(true)
    await Promise.all([second, other, third, fourth].map((link) => link.close()))
  })
})

describe('the Electron socket', () => {
  it('sends the headers with the upgrade, and the given protocol', async () => {
    const server = createHttp()
    const sockets = new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' })
    const seen = new Promise<(string | undefined)[]>((resolve) =>
      sockets.once('connection', (socket, request) => {
        socket.close(1000)
        resolve([request.headers.authorization, request.headers['sec-websocket-protocol']])
      }),
    )
    const port = await listening(server)
    expect(await fails(open(''), `ws://127.0.0.1:${port}/`)).toEqual(['closed 1000'])
    expect(await seen).toEqual(['Bearer x', 'graphql-transport-ws'])
  })

  /** The close code and the most that was buffered, where each message is answered by 64 kB. */
  async function answering(port: number) {
    const seen: { faults: string[]; messages: number[]; most: number } = { faults: [], messages: [], most: 0 }
    const faulted = Promise.withResolvers<void>()
    const Dial = open('').dial(
      () => ({}),
      (thrown) => {
        seen.faults.push(String((thrown as FaultError).message).replaceAll(/:\d{4,5}\b/g, ''))
        faulted.resolve()
      },
    )
    const socket = new Dial(`ws://127.0.0.1:${port}/`, 'graphql-transport-ws') as unknown as InstanceType<
      typeof StandInSocket
    >
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
    socket.addEventListener('message', (event) => {
      seen.messages.push(String((event as MessageEvent).data).length)
      socket.send('x'.repeat(64 * 1024))
      seen.most = Math.max(seen.most, socket.bufferedAmount)
    })
    return { seen, closed, faulted: faulted.promise }
  }

  it('ends when the service sends more than 1 MB at a time, and passes none of it on', async () => {
    const server = createHttp()
    new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' }).on('connection', (client) => {
      for (const length of [1024 * 1024, 1024 * 1024 + 1, 5]) client.send('x'.repeat(length))
    })
    const { seen, closed } = await answering(await listening(server))
    await closed
    expect(seen.faults).toEqual(['socket: 127.0.0.1 sent a message of more than 1 MB'])
    expect(seen.messages).toEqual([1024 * 1024])
  })

  it('keeps at most 20 MB for a service that does not read what Muster sends', async () => {
    const { seen, faulted } = await answering(
      await listening(deafServer(Buffer.from('\u0081\u0002hi', 'latin1'), 5_000)),
    )
    await faulted
    expect(seen.faults).toEqual(['reset: 127.0.0.1 does not read what Muster sends'])
    expect(seen.most).toBeLessThan(20 * 1024 * 1024)
  })

  it('reports why it failed, before it closes', async () => {
    const authority = await makeAuthority()
    const secure = await listening(secureServer(await authority.issue(['elsewhere.example']), hello))
    expect(await fails(open(''), 'ws://nosuch.invalid/')).toEqual(['name: nosuch.invalid', 'closed 1006'])
    expect(await fails(open(authority.ca), `wss://127.0.0.1:${secure}/`)).toEqual([
      'tls: 127.0.0.1: it is for another host name',
      'closed 1006',
    ])
    for (const [status, words] of [
      [401, 'token'],
      [403, 'forbidden'],
      [404, 'not-found'],
      [500, 'http'],
    ] as const) {
      const server = createHttp()
      server.on('upgrade', (_request, socket) => socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`))
      const port = await listening(server)
      expect(await fails(open(''), `ws://127.0.0.1:${port}/`)).toEqual([
        `${words}: HTTP ${status} from 127.0.0.1`,
        'closed 1006',
      ])
    }
  })
})

describe('faults', () => {
  it.each([
    ['net::ERR_NAME_NOT_RESOLVED', 'name: h'],
    ['net::ERR_CONNECTION_REFUSED', 'connect: h'],
    ['net::ERR_INTERNET_DISCONNECTED', 'connect: h'],
    ['net::ERR_CONNECTION_TIMED_OUT', 'timeout: h'],
    ['net::ERR_TIMED_OUT', 'timeout: h'],
    ['net::ERR_PROXY_CONNECTION_FAILED', 'proxy-away: h'],
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'proxy: h'],
    ['net::ERR_PROXY_AUTH_REQUESTED', 'proxy-login: h'],
    ['net::ERR_CONNECTION_RESET', 'reset: h (ERR_CONNECTION_RESET)'],
    ['net::ERR_HTTP2_PROTOCOL_ERROR', 'reset: h (ERR_HTTP2_PROTOCOL_ERROR)'],
    ['net::ERR_ABORTED', 'abort: h'],
    ['net::ERR_CERT_DATE_INVALID', 'tls: h: it has expired, or is not valid yet'],
    ['net::ERR_SSL_PROTOCOL_ERROR', 'protocol: h: no secure connection could be agreed on'],
    ['net::ERR_NETWORK_CHANGED', 'reset: h (ERR_NETWORK_CHANGED)'],
    ['something unheard of', 'reset: h'],
    ['Error in connection establishment: net::ERR_INSECURE_RESPONSE', 'tls: h: its certificate is not trusted'],
    ['HTTP Authentication failed; no valid credentials available (net::OK)', 'token: HTTP 401 from h'],
    ['Proxy authentication failed (net::OK)', 'proxy-login: h'],
    ['Establishing a tunnel via proxy server failed. (net::ERR_TUNNEL_CONNECTION_FAILED)', 'proxy: h'],
    ['WebSocket opening handshake timed out (net::ERR_TIMED_OUT)', 'timeout: h'],
    [
      'WebSocket opening handshake was canceled (net::ERR_ABORTED)',
      'reset: h (the handshake was cancelled; it may require a client certificate, which Muster does not have)',
    ],
    ['net::ERR_BAD_SSL_CLIENT_AUTH_CERT', 'protocol: h: it wants a client certificate, which Muster does not have'],
    [
      "Error during WebSocket handshake: 'Sec-WebSocket-Protocol' header value 'graphql-ws' in response does not match any of sent values",
      'protocol: h: its live connection speaks another protocol than graphql-transport-ws',
    ],
    [
      "Error during WebSocket handshake: Sent non-empty 'Sec-WebSocket-Protocol' header but no response was received",
      'protocol: h: its live connection speaks another protocol than graphql-transport-ws',
    ],
    ['Error during WebSocket handshake: Unexpected response code: 403 (net::ERR_FAILED)', 'forbidden: HTTP 403 from h'],
    [
      'Error during WebSocket handshake: Unexpected response code: 503 (net::ERR_INVALID_RESPONSE)',
      'http: HTTP 503 from h',
    ],
  ])('a message of Chromium is its fault (%#)', (text, words) => {
    expect(netFault(new Error(text), 'h').message).toBe(words)
  })

  it('sends a request once, on a session of its own, and tells what was never sent', async () => {
    const { ca, issue } = await makeAuthority()
    const heard: string[] = []
    const port = await listening(
      createHttp((request, response) => {
        heard.push(request.headers.connection ?? '')
        request.resume().on('end', () => (heard.length > 2 ? request.socket.destroy() : response.end('{}')))
      }),
    )
    const { network: own, partitions } = network()
    const link = own.open(ca)
    onTestFinished(() => link.close())
    const send = (url: string) => link.fetchOnce(url, { method: 'POST', body: '{}' }).then((answer) => answer.text())
    expect([await send(`http://127.0.0.1:${port}/`), await send(`http://127.0.0.1:${port}/`)]).toEqual(['{}', '{}'])
    expect(await faultOf(send(`http://127.0.0.1:${port}/`))).toMatch(/^reset: /)
    expect(heard).toHaveLength(3)
    const foreign = await listening(secureServer(await issue(['elsewhere.example']), hello))
    for (const [url, fault] of [
      ['https://nosuch.invalid/', 'name: nosuch.invalid'],
      ['http://127.0.0.1:1/', 'connect: 127.0.0.1:1'],
      [`https://127.0.0.1:${foreign}/`, 'tls: 127.0.0.1: it is for another host name'],
    ] as const) {
      const failed = send(url)
      await expect(failed).rejects.toBeInstanceOf(UnsentError)
      expect(await faultOf(failed)).toBe(fault)
    }
    await expect(send(`http://127.0.0.1:${port}/`)).rejects.not.toBeInstanceOf(UnsentError)
    const aborted = link.fetchOnce(`http://127.0.0.1:${port}/`, {
      signal: AbortSignal.abort(new FaultError('stopped')),
    })
    await expect(aborted).rejects.toBeInstanceOf(UnsentError)
    expect(heard).toHaveLength(4)
    // The next request may begin while the connections of the last one are closed.
    expect([2, 3]).toContain(partitions.length)
  })
})

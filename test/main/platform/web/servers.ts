import { createHash } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { createServer as createHttps } from 'node:https'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import { onTestFinished } from 'vitest'
import { listeningUntil } from '../../../support/listening.ts'
import type { Served } from './certificates.ts'

/** Listens on a free port of loopback until the running test is over. */
export const listening = (server: net.Server): Promise<number> => listeningUntil(server, onTestFinished)

/** Takes an upgrade, reads nothing from then on, and sends this frame so often, as fast as it is taken. */
export function deafServer(frame: Buffer, times: number): net.Server {
  return createHttp().on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.pause().on('error', () => {})
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
    )
    let left = times
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        left -= 1
        if (!socket.write(frame)) return void socket.once('drain', more)
      }
      socket.end()
    }
    more()
  })
}

/** HTTP/2 and HTTP/1.1 over TLS, as the reference service. */
export function secureServer(
  served: Served,
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Http2SecureServer {
  return createSecureServer({ ...served, allowHTTP1: true }, answer)
}

export interface Proxy {
  url: string
  /** The requested CONNECT targets. */
  asked: string[]
  /** Proxy-Authorization of each. */
  credentials: (string | undefined)[]
  /** Cuts all that goes through it. */
  cut(): void
  /** Gone from the network: cuts everything and no longer listens, until it is back at the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

export interface ProxyOptions {
  /** The status of the answer to CONNECT; 407 brings `challenge`. */
  status?: number
  /** How to sign in, as `Proxy-Authenticate` has it. */
  challenge?: string
  /** `name:password` that it wants. */
  login?: string
  /** Takes the connection and does not answer; or answers with a byte every 10 ms, and never to the end. */
  hangs?: 'silent' | 'drips'
  /** Ends the tunnel after so many bytes from the server. */
  cutAfter?: number
  /** Looks into TLS: ends it here with this certificate, and begins it anew to the server, whose certificate it takes as it is. */
  inspects?: Served
  /** Is spoken to by TLS itself. */
  served?: Served
  /** Bytes of the server in the same packet as the proxy's own answer. */
  greeting?: string
}

/** A real CONNECT proxy. It connects every name to `to` on loopback, or behaves as the options say. */
export async function startProxy(to: number, options: ProxyOptions = {}): Promise<Proxy> {
  const proxy: Server = options.served === undefined ? createHttp() : createHttps(options.served)
  const [asked, credentials]: [string[], (string | undefined)[]] = [[], []]
  const open = new Set<Socket>()
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(request.url ?? '')
    credentials.push(request.headers['proxy-authorization'])
    open.add(client)
    client.on('error', () => client.destroy()).on('close', () => open.delete(client))
    answerConnect(request, client, to, options)
  })
  const port = await listening(proxy)
  const cut = () => {
    for (const client of open) client.destroy()
  }
  return {
    url: `${options.served === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked,
    credentials,
    cut,
    stop: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve())
        cut()
        proxy.closeAllConnections()
      }),
    start: () => new Promise((resolve) => void proxy.listen(port, '127.0.0.1', () => resolve())),
  }
}

function answerConnect(request: IncomingMessage, client: Socket, to: number, options: ProxyOptions): void {
  const { status = 200, challenge, login, hangs, cutAfter = Infinity, inspects, greeting = '' } = options
  if (hangs === 'drips') drip(client)
  if (hangs !== undefined) return
  const refused =
    login !== undefined && request.headers['proxy-authorization'] !== `Basic ${Buffer.from(login).toString('base64')}`
  if (refused || status !== 200) {
    const says = refused ? 'Basic realm="the office"' : challenge
    client.end(
      `HTTP/1.1 ${refused ? 407 : status} No\r\n${says === undefined ? '' : `Proxy-Authenticate: ${says}\r\n`}Content-Length: 0\r\n\r\n`,
    )
    return
  }
  let report = 0
  const count = (bytes: Buffer) => void ((report += bytes.length) > cutAfter && client.destroy())
  const upstream = net.connect(to, '127.0.0.1', () => {
    client.write(`HTTP/1.1 200 Connection established\r\n\r\n${greeting}`)
    if (inspects !== undefined) return inspect(client, upstream, inspects)
    upstream.on('data', count).pipe(client)
    client.pipe(upstream)
  })
  upstream.on('error', () => client.destroy())
  upstream.on('close', () => client.destroy())
  client.on('close', () => upstream.destroy())
}

function inspect(client: Socket, upstream: Socket, served: Served): void {
  const inner = new tls.TLSSocket(client, { isServer: true, ...served })
  const outer = tls.connect({ socket: upstream, rejectUnauthorized: false })
  // The socket below no longer has what it is written to: who destroys it means this one.
  client.on('close', () => inner.destroy())
  for (const each of [inner, outer]) each.on('error', () => inner.destroy()).on('close', () => inner.destroy())
  inner.on('close', () => upstream.destroy())
  inner.pipe(outer).pipe(inner)
}

function drip(client: Socket): void {
  client.write('HTTP/1.1 200 OK\r\nX-Drip: ')
  const timer = setInterval(() => client.write('H'), 10)
  client.on('close', () => clearInterval(timer))
}

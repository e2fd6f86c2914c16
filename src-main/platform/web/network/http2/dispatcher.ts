import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Dispatcher } from 'undici'
import { startExchange } from './exchange.ts'
import { openOrigin, sessionMemory, type Origin } from './origin.ts'

/** The server has agreed on another protocol, so that nothing was sent. */
export class NoHttp2Error extends Error {
  override readonly name = 'NoHttp2Error'
}

export interface Http2Options {
  /** Opens a TLS connection to an origin that offers HTTP/2. */
  connect(origin: URL): Promise<TLSSocket>
  /** Time limits, ms: for the server's settings once it is connected, and for an answer (`NetworkLimits`). */
  limits: { connect: number; answer: number }
}

/** What the server may send before it is read, bytes: of an answer, and of all answers of a connection. */
const streamWindow = 1024 * 1024
const connectionWindow = 4 * 1024 * 1024

/**
 * HTTP/2 as a dispatcher for undici's fetch, over one shared connection for each origin. It does what that fetch needs:
 * no upgrades, no trailers, and requests whose body is in memory. Nothing is sent twice.
 */
export function openHttp2({ connect, limits }: Http2Options): { dispatcher: Dispatcher; close(): void } {
  const origins = new Map<string, Origin>()
  const originOf = (url: URL): Origin => {
    const known = origins.get(url.origin)
    if (known !== undefined) return known
    const origin = openOrigin(async () => openSession(url, await connect(url), limits.connect))
    origins.set(url.origin, origin)
    return origin
  }
  return {
    dispatcher: dispatcherBy(originOf, limits.answer),
    close() {
      for (const origin of origins.values()) origin.close(new Error('the link is closed'))
    },
  }
}

/** Returns a dispatcher over these connections. It has all that fetch calls. */
export function dispatcherBy(originOf: (url: URL) => Origin, answerMs: number): Dispatcher {
  const dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
    const url = new URL(String(options.origin))
    const headers = {
      ...(options.headers as Record<string, string>),
      ':method': options.method,
      ':scheme': 'https',
      ':authority': url.host,
      ':path': options.path,
    }
    const body = (options.body ?? null) as unknown as AsyncIterable<Uint8Array> | null
    startExchange(originOf(url), { headers, body, answerMs }, handler)
    return true
  }
  return { dispatch } as unknown as Dispatcher
}

/** Resolves when the server has sent its settings, which say how many requests it takes at a time. */
export function openSession(url: URL, socket: TLSSocket, ms: number): Promise<ClientHttp2Session> {
  if (socket.alpnProtocol !== 'h2') {
    socket.destroy()
    throw new NoHttp2Error()
  }
  const session = connectHttp2(url.origin, {
    createConnection: () => socket,
    maxSessionMemory: sessionMemory,
    settings: { enablePush: false, initialWindowSize: streamWindow },
  })
  session.once('connect', () => session.setLocalWindowSize(connectionWindow))
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => session.destroy(Object.assign(new Error('no settings'), { code: 'ETIMEDOUT' })), ms)
    session.once('remoteSettings', () => {
      clearTimeout(late)
      resolve(session)
    })
    session.on('error', reject)
    session.once('close', () => {
      clearTimeout(late)
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    })
  })
}

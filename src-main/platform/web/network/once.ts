import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { Client, fetch as fetchBy, type Dispatcher, type RequestInit } from 'undici'
import { unlessAborted } from '../../../../src-shared/lib/unless-aborted.ts'
import { UnsentError } from '../../../ports.ts'
import { afterBody } from '../../../network/after-body.ts'
import type { Connect, NetworkLimits } from './dial.ts'
import { targetOf } from './http.ts'
import { dispatcherBy, openSession } from './http2/dispatcher.ts'
import { openOrigin } from './http2/origin.ts'
import { networkFault } from '../../../network/tls/network-fault.ts'

/** A new connection, and what sends a single request over it. */
interface SingleUse {
  dispatcher: Dispatcher
  /** Returns whether the request was handed to the connection. */
  isUsed(): boolean
  end(): void
}

/**
 * Returns a fetch that opens a connection for each request, in the protocol that the server chooses, sends the request
 * once and closes it (`Link.fetchOnce`). undici repeats a request that was answered 421, and one whose connection ended
 * before it was written; here neither finds a second connection.
 */
export function fetchOnceBy(connect: Connect, limits: NetworkLimits): typeof fetch {
  const run = async (input: string, init: RequestInit = {}) => {
    const host = URL.parse(input)?.host ?? 'the address'
    const unsent = (thrown: unknown) => {
      const { kind, detail } = networkFault(thrown, host).fault
      return new UnsentError(kind, detail)
    }
    const single = await open(connect, input, init.signal ?? null, limits).catch((error: unknown) => {
      throw unsent(error)
    })
    try {
      const response = await fetchBy(input, { ...init, dispatcher: single.dispatcher })
      // The types differ only in their declarations: Node's own fetch is undici's.
      return afterBody(response as unknown as Response, single.end)
    } catch (error) {
      single.end()
      throw single.isUsed() ? error : unsent(error)
    }
  }
  return run as unknown as typeof fetch
}

async function open(
  connect: Connect,
  address: string,
  signal: AbortSignal | null,
  limits: NetworkLimits,
): Promise<SingleUse> {
  const url = new URL(address)
  const target = targetOf(url.protocol === 'https:', url.hostname, url.port)
  const socket = await unlessAborted(signal, connect(target), (late) => late.destroy())
  // Until its protocol listens.
  socket.on('error', () => {})
  if (socket.destroyed || !socket.writable) throw Object.assign(new Error('closed'), { code: 'ECONNRESET' })
  return socket instanceof TLSSocket && socket.alpnProtocol === 'h2'
    ? openHttp2(url, socket, signal, limits)
    : openHttp1(url, socket, limits)
}

function openHttp1({ origin }: URL, socket: Duplex, limits: NetworkLimits): SingleUse {
  let isTaken = false
  const client = new Client(origin, {
    // The request says that the connection ends with it.
    pipelining: 0,
    headersTimeout: limits.answer,
    bodyTimeout: limits.answer,
    connect(_options, done) {
      if (isTaken) return done(new Error('the only connection has ended'), null)
      isTaken = true
      // undici forgets the request where it is connected in the same turn.
      queueMicrotask(() => done(null, socket as TLSSocket))
    },
  })
  return singleUse(client, () => {
    socket.destroy()
    client.destroy().catch(() => {})
  })
}

async function openHttp2(
  url: URL,
  socket: TLSSocket,
  signal: AbortSignal | null,
  limits: NetworkLimits,
): Promise<SingleUse> {
  const session = await unlessAborted(signal, openSession(url, socket, limits.connect), (late) => late.destroy())
  let isTaken = false
  const origin = openOrigin(async () => {
    if (isTaken) throw new Error('the only connection has ended')
    isTaken = true
    return session
  })
  return singleUse(
    dispatcherBy(() => origin, limits.answer),
    () => {
      origin.close(new Error('the request is over'))
      session.destroy()
    },
  )
}

function singleUse(dispatcher: Dispatcher, end: () => void): SingleUse {
  let used = false
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    if (used) throw new Error('a request is sent once')
    used = true
    return dispatcher.dispatch(options, handler)
  }
  return { dispatcher: { dispatch } as unknown as Dispatcher, isUsed: () => used, end }
}

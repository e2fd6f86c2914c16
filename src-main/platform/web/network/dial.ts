import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import { WebSocket } from 'ws'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { askedWords, asksToWait, retryAfterIn } from '../../../../src-shared/lib/retry-after.ts'
import type { WebSocketClass } from '../../../ports.ts'
import { maxFrameBytes, maxBufferedBytes, frameTooLongFault, notReadingFault } from '../../../network/socket-bounds.ts'
import { hasNoProtocol, networkFault } from '../../../network/tls/network-fault.ts'

/** Time limits, ms. */
export interface NetworkLimits {
  connect: number
  /** Until the first byte of an answer, and between two pieces of its body. */
  answer: number
}

/** Opens a connection to `hostname`, through its proxy if there is one. Rejects with a `FaultError`. */
export type Connect = (target: Target) => Promise<Duplex>
export interface Target {
  secure: boolean
  hostname: string
  port: number
}

/**
 * `ws` over the shell's own connector, for `Link.dial`. An upgrade that was answered with a status is a fault of kind
 * `token` (401), `forbidden` (403, possibly from a proxy), `not-found` (404), `unavailable` (with the delay of
 * `retry-after`) or `http`, with the status in its detail.
 */
export function dialBy(
  connect: Connect,
  headers: () => Record<string, string>,
  onFault: (thrown: unknown) => void,
  limits: NetworkLimits,
): WebSocketClass {
  const connectBack = callbackify(async (target: Target) => {
    const socket = await connect(target)
    // ws listens for this timeout until the upgrade is answered, but leaves setting it to the connector.
    if (socket instanceof Socket) socket.setTimeout(limits.answer)
    return socket
  })
  return class extends WebSocket {
    constructor(address: string, protocols?: string | string[]) {
      const { host, hostname, port, protocol } = new URL(address)
      const secure = protocol === 'wss:'
      const target = {
        secure,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port: Number(port) || (secure ? 443 : 80),
      }
      // Closing after the first fault causes another one without new information.
      let reported = false
      const report = (fault: FaultError) => {
        if (!reported) onFault(fault)
        reported = true
      }
      super(address, protocols ?? [], {
        headers: headers(),
        followRedirects: false,
        handshakeTimeout: limits.answer,
        perMessageDeflate: false,
        maxPayload: maxFrameBytes,
        // ws passes its options to node:http, which accepts a later connection by this callback.
        createConnection: ((_options: unknown, done: () => void) => connectBack(target, done)) as never,
      })
      this.once('unexpected-response', (request, response: IncomingMessage) => {
        report(rejectedUpgrade(response, host))
        request.destroy()
        this.terminate()
      })
      this.on('error', (error) => report(faultOf(error, host)))
      this.on('message', () => yieldLoop(this))
      this.on('ping', () => yieldLoop(this))
      this.unread = () => {
        report(notReadingFault(host))
        this.terminate()
      }
    }

    private readonly unread: () => void

    /**
     * A service that requests without end and never reads would make Muster buffer all answers. At most 60 answers to
     * pings wait: then ws ends the socket.
     */
    override send(...given: [Parameters<WebSocket['send']>[0]]): void {
      if (this.bufferedAmount > maxBufferedBytes) this.unread()
      else super.send(...given)
    }
  }
}

/**
 * Delivers one piece per turn of the event loop, where Node takes up to 32, so that a service that sends without end
 * does not block it.
 */
function yieldLoop(socket: WebSocket): void {
  if (socket.isPaused) return
  socket.pause()
  setImmediate(() => socket.resume())
}

function rejectedUpgrade({ statusCode: status = 0, headers }: IncomingMessage, host: string): FaultError {
  const seconds = retryAfterIn({ get: (name) => headers[name]?.toString() ?? null }, null)
  if (seconds !== null && asksToWait(status, seconds))
    return new FaultError('unavailable', `HTTP ${status} from ${host}, ${askedWords(seconds)}`, {
      retryAfter: seconds * 1000,
    })
  const kind = status === 401 ? 'token' : status === 403 ? 'forbidden' : status === 404 ? 'not-found' : 'http'
  return new FaultError(kind, `HTTP ${status} from ${host}`)
}

/** ws reports its own timeout and an invalid answer only in its message. */
function faultOf(error: Error, host: string): FaultError {
  if (error.message === 'Opening handshake has timed out') return new FaultError('timeout', host)
  if (error.message === 'Max payload size exceeded') return frameTooLongFault(host)
  if (hasNoProtocol(error))
    return new FaultError('protocol', `${host}: it speaks no HTTP/1.1, which a live connection needs`)
  return networkFault(error, host)
}

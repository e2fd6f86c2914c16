import type { IncomingMessage } from 'node:http'
import { callbackify } from 'node:util'
import { WebSocket } from 'ws'
import { FaultError } from '../../src-shared/fault.ts'
import type { WebSocketClass } from '../ports.ts'
import { networkFault } from './network-fault.ts'
import type { Connect, NetworkLimits } from './network.ts'

/**
 * `ws` over the shell's own connector, as `Link.dial` promises. An upgrade that was answered with a status is a fault of
 * kind `http` with the status as its detail.
 */
export function dialBy(
  connect: Connect, headers: () => Record<string, string>, onFault: (thrown: unknown) => void, limits: NetworkLimits,
): WebSocketClass {
  return class extends WebSocket {
    constructor(address: string, protocols?: string | string[]) {
      const { host, hostname, port, protocol } = new URL(address)
      const secure = protocol === 'wss:'
      const target = { secure, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 443 : 80) }
      super(address, protocols ?? [], {
        headers: headers(),
        followRedirects: false,
        handshakeTimeout: limits.connect + limits.answer,
        perMessageDeflate: false,
        // ws hands its options on to node:http, which takes a connection that comes later by this callback.
        createConnection: ((_options: unknown, done: () => void) => callbackify(connect)(target, false, done)) as never,
      })
      this.on('unexpected-response', (request, response: IncomingMessage) => {
        response.resume()
        onFault(new FaultError('http', `HTTP ${response.statusCode} from ${host}`))
        request.destroy()
        this.terminate()
      })
      this.on('error', (error) => onFault(faultOf(error, host)))
    }
  }
}

/** ws tells its own deadline and a bad answer in words only. */
function faultOf(error: Error, host: string): FaultError {
  if (error.message === 'Opening handshake has timed out') return new FaultError('timeout', host)
  return networkFault(error, host)
}

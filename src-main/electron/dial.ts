import type { Net, Session } from 'electron'
import type { FaultError } from '../../src-shared/fault.ts'
import type { WebSocketClass } from '../ports.ts'
import type { FaultOf } from '../shell/guarded-fetch.ts'

/** The states that graphql-ws looks for on a WebSocket class. */
const states = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }

/**
 * Electron's WebSocket on the connection's own session, as `Link.dial` promises. Its error event is empty, and the close
 * that follows carries the reason, so the fault is told from that one; ours is the first listener.
 */
export function dialBy(
  net: Pick<Net, 'WebSocket'>, session: Session, headers: () => Record<string, string>, faultOf: FaultOf, onFault: (fault: FaultError, address: string) => void,
): WebSocketClass {
  function Dialled(address: string, protocols: string | string[] = []) {
    const socket = new net.WebSocket(address, { protocols, headers: headers(), session })
    let failed = false
    socket.addEventListener('error', () => (failed = true))
    socket.addEventListener('close', (event) => {
      if (failed) onFault(faultOf(reasonOf(event), URL.parse(address)?.host ?? 'the address'), address)
    })
    return socket
  }
  // `new` on a function that returns an object gives that object.
  return Object.assign(Dialled, states) as unknown as WebSocketClass
}

function reasonOf(event: Event): string {
  return 'reason' in event ? String(event.reason) : ''
}

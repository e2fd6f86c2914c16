import type { Net, Session } from 'electron'
import type { FaultError } from '../../../../src-shared/model/fault.ts'
import type { WebSocketClass } from '../../../ports.ts'
import type { FaultOf } from '../../../network/guarded-fetch.ts'
import { maxFrameBytes, maxBufferedBytes, frameTooLongFault, notReadingFault } from '../../../network/socket-bounds.ts'

/** The states that graphql-ws expects on a WebSocket class. */
const states = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }

/**
 * Electron's WebSocket on the connection's own session, for `Link.dial`. Its error event is empty, and the close event
 * that follows contains the reason, so the fault is reported from that; our listener is the first. For a rejected
 * upgrade Electron reports the status and no headers: a `retry-after` is unknown, and the usual delay applies.
 */
export function dialBy(
  net: Pick<Net, 'WebSocket'>,
  session: Session,
  headers: () => Record<string, string>,
  faultOf: FaultOf,
  onFault: (fault: FaultError, address: string) => void,
): WebSocketClass {
  function Dialled(address: string, protocols: string | string[] = []) {
    const socket = new net.WebSocket(address, { protocols, headers: headers(), session })
    const host = URL.parse(address)?.host ?? 'the address'
    bound(socket, host, (fault) => onFault(fault, address))
    let failed = false
    socket.addEventListener('error', () => (failed = true))
    socket.addEventListener('close', (event) => {
      if (failed) onFault(faultOf(reasonOf(event), host), address)
    })
    return socket
  }
  // `new` on a function that returns an object returns that object.
  return Object.assign(Dialled, states) as unknown as WebSocketClass
}

/**
 * Ends a socket that receives too large a message, or does not read. Chromium has assembled the message by then, but it
 * is not delivered. Chromium answers pings itself, and stops reading while messages are not consumed.
 */
function bound(socket: InstanceType<Net['WebSocket']>, host: string, onFault: (fault: FaultError) => void): void {
  let over = false
  const end = (fault: FaultError) => {
    over = true
    onFault(fault)
    socket.close()
  }
  socket.addEventListener('message', (event) => {
    if (!over && lengthOf('data' in event ? event.data : null) > maxFrameBytes) end(frameTooLongFault(host))
    if (over) event.stopImmediatePropagation()
  })
  const send = socket.send.bind(socket)
  socket.send = (data) => {
    if (!over && socket.bufferedAmount > maxBufferedBytes) end(notReadingFault(host))
    if (!over) send(data)
  }
}

function lengthOf(data: unknown): number {
  if (typeof data === 'string') return data.length
  if (data instanceof Blob) return data.size
  return data instanceof ArrayBuffer ? data.byteLength : 0
}

function reasonOf(event: Event): string {
  return 'reason' in event ? String(event.reason) : ''
}

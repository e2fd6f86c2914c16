import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import { retryAfterHeader } from './outage.ts'
import type { Contrary } from '../contrary.ts'

/** Answers an upgrade with a status, as a gateway whose service is not ready; returns true when it did. */
export function rejectUpgrade(contrary: Contrary, line: Duplex): boolean {
  if (!contrary.take('upgradeRefusals')) return false
  const { upgradeRefusalStatus: status } = contrary.is
  const words = STATUS_CODES[status] ?? ''
  const wait = Object.entries(retryAfterHeader(contrary)).map(([name, value]) => `${name}: ${value}\r\n`)
  line.on('error', () => line.destroy())
  line.end(
    `HTTP/1.1 ${status} ${words}\r\nconnection: close\r\ncontent-type: text/plain\r\n${wait.join('')}content-length: ${words.length}\r\n\r\n${words}`,
  )
  return true
}

/** Returns the older protocol that the service selects instead of the requested one; null when it selects that. */
export function otherProtocol({ is }: Contrary): string | null {
  return is.socketOpens === 'other-protocol' ? 'graphql-ws' : null
}

/** Returns whether a socket is accepted and never read, as by a gateway that has lost its backend. */
export function isUnresponsive({ is }: Contrary): boolean {
  return is.socketOpens === 'deaf'
}

/** Returns the code with which a socket is closed after `connection_init`; null when it is accepted. */
export function initRejection(contrary: Contrary): number | null {
  return contrary.take('initRefusals') ? contrary.is.initRefusalCode : null
}

/** Closes all sockets at the interval of the answers. Checks every 200 ms of the wall clock. */
export function startSocketEnds(
  contrary: Contrary,
  now: () => number,
  drop: (code: number, reason: string) => void,
): () => void {
  let since = now()
  const timer = setInterval(() => {
    const { socketEndEveryMs: every, socketEndCode, socketEndReason } = contrary.is
    if (every === 0) since = now()
    if (every === 0 || now() - since < every) return
    since = now()
    drop(socketEndCode, socketEndReason)
  }, 200)
  return () => clearInterval(timer)
}

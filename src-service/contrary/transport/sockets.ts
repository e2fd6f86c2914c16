import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import { askedToWait } from './away.ts'
import type { Contrary } from '../contrary.ts'

/** Answers an upgrade with a status, as a gateway does whose service is not ready: true when it did. */
export function refuseUpgrade(contrary: Contrary, line: Duplex): boolean {
  if (!contrary.take('upgradeRefusals')) return false
  const { upgradeRefusalStatus: status } = contrary.is
  const words = STATUS_CODES[status] ?? ''
  const wait = Object.entries(askedToWait(contrary)).map(([name, value]) => `${name}: ${value}\r\n`)
  line.on('error', () => line.destroy())
  line.end(
    `HTTP/1.1 ${status} ${words}\r\nconnection: close\r\ncontent-type: text/plain\r\n${wait.join('')}content-length: ${words.length}\r\n\r\n${words}`,
  )
  return true
}

/** What a service that speaks an older protocol says it speaks, though it was asked for another; null when it does not. */
export function otherProtocol({ is }: Contrary): string | null {
  return is.socketOpens === 'other-protocol' ? 'graphql-ws' : null
}

/** Whether a socket is taken and then never read, as by a gateway that has lost what is behind it. */
export function isDeaf({ is }: Contrary): boolean {
  return is.socketOpens === 'deaf'
}

/** The code with which a socket is closed that has just been asked to begin; null when it may. */
export function initRefusal(contrary: Contrary): number | null {
  return contrary.take('initRefusals') ? contrary.is.initRefusalCode : null
}

/** Closes all sockets every so often, as long as the answers say so. Looks every 200 ms of the wall clock. */
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

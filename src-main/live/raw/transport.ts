import { readErrors } from '../../api/classify.ts'
import { subscriptionCloseReason } from '../transport/close-reasons.ts'
import { openSocket, type SocketOptions } from '../transport/socket.ts'

/** A subscription that the operator wrote. */
export interface RawOperation {
  document: string
  operationName: string | null
  variables: Record<string, unknown>
}

export interface RawTransportOptions extends SocketOptions {
  /** An event as it came: `data`, `errors` and whatever else its payload has. */
  onEvent(payload: object): void
  /** A Pong arrived after the subscription was sent, and the service did not reject it before. */
  onSubscribed(): void
  /** The service rejects the operation itself: these are its errors, of which there may be none. */
  onRejected(errors: readonly unknown[]): void
  /** The service ended the subscription, and the socket is open. */
  onCompleted(): void
}

/** One attempt at a socket with one subscription of the operator's. It opens once and ends once. */
export interface RawTransport {
  subscribe(operation: RawOperation): void
  checkAlive(answer: (alive: boolean) => void): void
  close(): void
}

export function openRawTransport(options: RawTransportOptions): RawTransport {
  const socket = openSocket(options)
  const { client, heartbeat, end } = socket
  return {
    subscribe({ document, operationName, variables }) {
      let isOver = false
      const query = { query: document, variables, ...(operationName !== null && { operationName }) }
      client.subscribe(query, {
        next(payload) {
          const beat = heartbeat()
          if (beat === null || isOver) return
          options.onAlive()
          beat.arrived()
          if (heartbeat() !== null) options.onEvent(payload)
        },
        error(thrown) {
          if (isOver) return
          isOver = true
          // A rejected token is renewed; anything else that the service says is for the operator.
          const isToken = Array.isArray(thrown) && readErrors(thrown, options.redact)[0]?.code === 'UNAUTHENTICATED'
          if (Array.isArray(thrown) && !isToken) options.onRejected(thrown)
          else end(subscriptionCloseReason(thrown, options.redact))
        },
        complete() {
          if (isOver || heartbeat() === null) return
          isOver = true
          options.onCompleted()
        },
      })
      heartbeat()?.confirm(() => {
        if (!isOver) options.onSubscribed()
      })
    },
    checkAlive: socket.checkAlive,
    close: socket.close,
  }
}

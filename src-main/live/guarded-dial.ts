import type { WebSocketClass, WebSocketLike } from '../ports.ts'

/**
 * The same class, except that what its constructor throws goes to `onThrown` and becomes a socket that closes at once
 * (1006). graphql-ws constructs where nobody hears of a throw: it would end the process as an unhandled rejection.
 */
export function guardedDial(dial: WebSocketClass, onThrown: (thrown: unknown) => void): WebSocketClass {
  return new Proxy(dial, {
    construct(target, args) {
      try {
        return Reflect.construct(target, args) as WebSocketLike
      } catch (thrown) {
        onThrown(thrown)
        return closedSocket()
      }
    },
  })
}

interface Closed extends WebSocketLike {
  readyState: number
  onclose: ((event: { code: number; reason: string }) => void) | null
}

/** Tells its end after whoever made it has had the time to listen. */
function closedSocket(): Closed {
  const socket: Closed = { readyState: 3, onclose: null, close: () => {} }
  queueMicrotask(() => socket.onclose?.({ code: 1006, reason: '' }))
  return socket
}

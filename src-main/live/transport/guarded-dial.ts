import type { WebSocketClass, WebSocketLike } from '../../ports.ts'

/**
 * The same class, except that what its constructor throws goes to `onThrown` and becomes a socket that closes at once
 * (1006). What was made is shown to `onMade`: one that never opens is nobody else's to end. graphql-ws constructs where nobody hears of a throw: it would end the process as an unhandled rejection.
 */
export function guardedDial(
  dial: WebSocketClass,
  onThrown: (thrown: unknown) => void,
  onMade: (socket: WebSocketLike) => void,
): WebSocketClass {
  return new Proxy(dial, {
    construct(target, args) {
      try {
        const made = Reflect.construct(target, args) as WebSocketLike
        onMade(made)
        return made
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

/** Reports its end after its maker had time to listen. */
function closedSocket(): Closed {
  const socket: Closed = { readyState: 3, onclose: null, close: () => {} }
  queueMicrotask(() => socket.onclose?.({ code: 1006, reason: '' }))
  return socket
}

import type { WebSocketClass } from '../../../src-main/ports.ts'

/** The service's side of the sockets that a network port opens: `graphql-transport-ws` without a network. */
export interface MemorySockets {
  dial: WebSocketClass
  /** Sends an event to the watchers of its device, as the default subscription requests it. */
  publish(event: MemoryEvent): void
  /** Ends all sockets without a close frame. */
  cut(): void
  /** Makes the open sockets half open for good: nothing passes in either direction. */
  silence(): void
}

export interface MemoryEvent {
  id: string
  tenantId: string
  name: string
  connected: boolean
}

interface Open {
  /** Subscription ids by device id. */
  watches: Map<string, string>
  silent: boolean
  send(message: object): void
  end(): void
}

/** Returns the sockets. While `reachable` returns false, every dial fails. */
export function memorySockets(reachable: () => boolean): MemorySockets {
  const open = new Set<Open>()
  return {
    dial: socketClass(open, reachable),
    publish(event) {
      for (const { watches, silent, send } of open) {
        const id = watches.get(event.id)
        if (id !== undefined && !silent) send({ id, type: 'next', payload: { data: { deviceStream: event } } })
      }
    },
    cut() {
      for (const each of open) each.end()
    },
    silence() {
      for (const each of open) each.silent = true
    },
  }
}

function socketClass(open: Set<Open>, reachable: () => boolean): WebSocketClass {
  return class MemorySocket {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    static readonly CLOSING = 2
    static readonly CLOSED = 3
    readyState: number = MemorySocket.CONNECTING
    onopen: (() => void) | null = null
    onclose: ((event: { code: number; reason: string }) => void) | null = null
    onerror: ((error: unknown) => void) | null = null
    onmessage: ((event: { data: string }) => void) | null = null
    readonly #here: Open

    constructor(_url: string, _protocols?: string | string[]) {
      this.#here = {
        watches: new Map(),
        silent: false,
        send: (message) => this.onmessage?.({ data: JSON.stringify(message) }),
        end: () => this.close(1006),
      }
      queueMicrotask(() => {
        if (!reachable()) return this.close(1006)
        open.add(this.#here)
        this.readyState = MemorySocket.OPEN
        this.onopen?.()
      })
    }

    send(text: string): void {
      if (this.readyState !== MemorySocket.OPEN || this.#here.silent) return
      queueMicrotask(() => answer(this.#here, JSON.parse(text) as Said))
    }

    close(code = 1000, reason = ''): void {
      if (this.readyState === MemorySocket.CLOSED) return
      open.delete(this.#here)
      this.readyState = MemorySocket.CLOSED
      queueMicrotask(() => this.onclose?.({ code, reason }))
    }

    terminate(): void {
      this.close(1006)
    }
  }
}

interface Said {
  type: string
  id?: string
  payload?: { variables?: { deviceIds?: string[] } }
}

function answer(here: Open, { type, id = '', payload }: Said): void {
  if (type === 'connection_init') here.send({ type: 'connection_ack' })
  if (type === 'ping') here.send({ type: 'pong' })
  if (type === 'subscribe') for (const device of payload?.variables?.deviceIds ?? []) here.watches.set(device, id)
  if (type === 'complete') for (const [device, by] of here.watches) if (by === id) here.watches.delete(device)
}

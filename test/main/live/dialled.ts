import type { Link, WebSocketClass } from '../../../src-main/ports.ts'

type Message = Record<string, unknown> & { type: string }

/** One socket of a dial whose other end is the test. */
export interface Far {
  /** The sent frames, parsed. */
  sent: Message[]
  open(): void
  say(message: Message): void
  fail(): void
  /** The other end closes it with this code. */
  close(code: number, reason?: string): void
  /** Whether this side has left it. */
  isClosed(): boolean
  /** The ids of the subscriptions so far. */
  subscriptions(): string[]
}

interface Near {
  readyState: number
  onopen: (() => void) | null
  onmessage: ((event: { data: string }) => void) | null
  onerror: ((event: { type: string }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

/** A `Link` that dials the test itself. `fail()` reports `fault`. */
export function dialled(fault: unknown = new Error('cut')): { link: Link; fars: Far[] } {
  const fars: Far[] = []
  const dial: Link['dial'] = (_headers, onFault) => {
    const construct = function () {
      const { near, far } = pair(() => onFault(fault))
      fars.push(far)
      return near
    }
    return Object.assign(construct, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }) as unknown as WebSocketClass
  }
  return { link: { fetch: globalThis.fetch, fetchOnce: globalThis.fetch, dial, close: async () => {} }, fars }
}

function pair(tell: () => void): { near: Near; far: Far } {
  const sent: Message[] = []
  const near: Near = {
    readyState: 0,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    send: (text) => sent.push(JSON.parse(text) as Message),
    close: () => {
      near.readyState = 3
    },
  }
  const far: Far = {
    sent,
    isClosed: () => near.readyState === 3,
    open: () => {
      near.readyState = 1
      near.onopen?.()
    },
    say: (message) => near.onmessage?.({ data: JSON.stringify(message) }),
    fail: () => {
      near.readyState = 3
      tell()
      near.onerror?.({ type: 'error' })
      near.onclose?.({ code: 1006, reason: '' })
    },
    close: (code, reason = '') => {
      near.readyState = 3
      near.onclose?.({ code, reason })
    },
    subscriptions: () => sent.filter(({ type }) => type === 'subscribe').map(({ id }) => String(id)),
  }
  return { near, far }
}

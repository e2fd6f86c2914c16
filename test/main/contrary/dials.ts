import type { Link, WebSocketClass } from '../../../src-main/ports.ts'
import type { Contrary } from '../../../src-service/faults/contrary/contrary.ts'
import type { makeProtocol, ProtocolPeer } from '../../../src-service/stream/stream-protocol.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Near } from '../missed/sockets.ts'
import { settle } from '../missed/turned.ts'

/** Ms that anything takes on its way, in one direction. */
export const wayMs = 20

interface DialsOptions {
  clock: Clock
  contrary: Contrary
  protocol: ReturnType<typeof makeProtocol>
  track<T>(work: Promise<T>): Promise<T>
}

/** Sockets to the service's own end of the protocol: rejected, closed and reset as its answers say. */
export function startDials(options: DialsOptions): { dial: Link['dial']; stop(): void } {
  const { clock, contrary } = options
  const open = new Set<(code: number, reason: string) => void>()
  let cancel = () => {}
  const endAll = () => {
    const { socketEndEveryMs: every, socketEndCode, socketEndReason } = contrary.is
    cancel = clock.after(every === 0 ? 1_000 : every, () => {
      if (every > 0) for (const end of open) end(socketEndCode, socketEndReason)
      endAll()
    })
  }
  endAll()
  return {
    dial: (headers, onFault) => {
      const construct = function () {
        return connect(options, open, headers()['authorization'], onFault)
      }
      return Object.assign(construct, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }) as unknown as WebSocketClass
    },
    stop() {
      cancel()
      for (const end of open) end(1006, '')
    },
  }
}

function connect(
  { clock, contrary, protocol, track }: DialsOptions,
  open: Set<(code: number, reason: string) => void>,
  authorization: string | undefined,
  onFault: (thrown: unknown) => void,
): Near {
  const near: Near = {
    readyState: 0,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    send: (text) => later(() => hear(text)),
    close: () => end(1000, ''),
  }
  const later = (run: () => void) =>
    void clock.after(wayMs, () => {
      if (near.readyState < 2) run()
    })
  const end = (code: number, reason: string) => {
    if (near.readyState > 1) return
    near.readyState = 3
    open.delete(end)
    void track(listener.closed(code, reason))
    near.onclose?.({ code, reason })
  }
  const speaker: ProtocolPeer = {
    authorization,
    loginSession: () => null,
    byLogin: false,
    session: null,
    initReceived: false,
    reader: { waiting: 0, watching: 0, onBehind: () => end(1006, '') },
    send: async (text) => later(() => near.onmessage?.({ data: text })),
    close: (code, reason) => later(() => end(code, reason)),
    cut: () => end(1006, ''),
  }
  const listener = protocol.opened(speaker)
  // A subscription is heard to its end; until it stands takes a few turns.
  const hear = (text: string) => {
    if (contrary.is.socketOpens === 'deaf') return
    const heard = listener.receive(text).catch(() => end(1011, 'Internal server error'))
    void track(text.includes('"subscribe"') ? Promise.race([heard, settle()]) : heard)
  }
  clock.after(wayMs, () => {
    if (near.readyState > 0) return
    if (contrary.take('upgradeRefusals')) {
      const { upgradeRefusalStatus: status } = contrary.is
      onFault(
        new FaultError(
          status === 401 ? 'token' : status === 403 ? 'forbidden' : 'http',
          `HTTP ${status} from far.test`,
        ),
      )
      near.onerror?.(new Error('Unexpected server response'))
      return end(1006, '')
    }
    if (contrary.is.socketOpens === 'other-protocol') {
      onFault(new FaultError('protocol', 'far.test: it speaks another protocol'))
      return end(1006, '')
    }
    open.add(end)
    near.readyState = 1
    near.onopen?.()
  })
  return near
}

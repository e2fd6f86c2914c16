import type { Clock } from '../../src-shared/clock.ts'

/** A Ping is sent this often, and the socket is dropped when its Pong does not come in time: half-open sockets look open. */
const pingEveryMs = 12_000
const pongWithinMs = 8_000

/** Pings of the protocol with a deadline, and the proof that what was sent before a Ping has arrived. */
export interface Heartbeat {
  /** A Pong came. */
  pong(): void
  /** Sends a Ping soon; `confirmed` is called at its Pong. Several at once share one Ping. */
  confirm(confirmed: () => void): void
  stop(): void
}

export function startHeartbeat(options: { clock: Clock; ping: () => void; onSilent: () => void }): Heartbeat {
  const { clock } = options
  let waiting: (() => void)[] = []
  let sent: (() => void)[] = []
  let cancelPing = () => {}
  let cancelDeadline: (() => void) | null = null

  const ping = () => {
    sent = waiting
    waiting = []
    cancelDeadline = clock.after(pongWithinMs, options.onSilent)
    options.ping()
  }
  const schedule = () => {
    cancelPing()
    cancelPing = clock.after(waiting.length > 0 ? 0 : pingEveryMs, ping)
  }

  schedule()
  return {
    pong() {
      if (cancelDeadline === null) return
      cancelDeadline()
      cancelDeadline = null
      const confirmed = sent
      sent = []
      for (const each of confirmed) each()
      schedule()
    },
    confirm(confirmed) {
      waiting.push(confirmed)
      if (cancelDeadline === null) schedule()
    },
    stop() {
      cancelPing()
      cancelDeadline?.()
    },
  }
}

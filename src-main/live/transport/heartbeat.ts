import type { Clock } from '../../../src-shared/lib/clock.ts'

/**
 * Interval of Pings, and the deadline of a Pong, ms: a half-open socket looks open, so it is dropped at the deadline.
 */
const pingEveryMs = 12_000
const pongWithinMs = 8_000
/**
 * Any message postpones the Pong's deadline, but not beyond this, ms: only the Pong proves that everything sent before
 * it arrived.
 */
const maxPongDelayMs = 60_000
/** After this many ms without a message the connection is in doubt: missing events may be lost. */
const lateAfterMs = pongWithinMs / 2

/** Pings of the protocol with a deadline, and the proof that everything sent before a Ping has arrived. */
export interface Heartbeat {
  /**
   * Records a Pong. Returns when its Ping was sent, ms: everything that the service sent before has arrived. Null: none
   * was sent.
   */
  pong(): number | null
  /** Records any other message: the socket is alive, and the Pong's deadline is postponed. */
  arrived(): void
  /** Sends a Ping soon; `confirmed` is called at its Pong. Concurrent calls share one Ping. */
  confirm(confirmed: () => void): void
  stop(): void
}

export interface HeartbeatOptions {
  clock: Clock
  ping: () => void
  /**
   * Called when half of the Pong's deadline passed without a message: since when, ms since the epoch; null when a
   * message arrived after all.
   */
  onLate: (since: number | null) => void
  onSilent: () => void
}

export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock } = options
  let waiting: (() => void)[] = []
  let sent: (() => void)[] = []
  let cancelPing = () => {}
  let cancelDeadline: (() => void) | null = null
  let pingedAt = 0
  let latest = 0
  const lateness = watchLateness(options)

  const ping = () => {
    sent = waiting
    waiting = []
    lateness.begin()
    pingedAt = clock.now()
    latest = clock.monotonic() + maxPongDelayMs
    cancelDeadline = clock.after(pongWithinMs, options.onSilent)
    options.ping()
  }
  const postpone = (cancel: () => void) => {
    cancel()
    cancelDeadline = clock.after(Math.min(pongWithinMs, latest - clock.monotonic()), options.onSilent)
    lateness.begin()
  }
  const schedule = () => {
    cancelPing()
    cancelPing = clock.after(waiting.length > 0 ? 0 : pingEveryMs, ping)
  }

  schedule()
  return {
    pong() {
      if (cancelDeadline === null) return null
      cancelDeadline()
      cancelDeadline = null
      lateness.end()
      const confirmed = sent
      sent = []
      for (const each of confirmed) each()
      schedule()
      return pingedAt
    },
    arrived: () => {
      if (cancelDeadline !== null) postpone(cancelDeadline)
    },
    confirm(confirmed) {
      waiting.push(confirmed)
      if (cancelDeadline === null) schedule()
    },
    stop() {
      cancelPing()
      cancelDeadline?.()
      cancelDeadline = null
      lateness.end()
    },
  }
}

/** Measures the time since the last message while a Pong is due. */
function watchLateness({ clock, onLate }: Pick<HeartbeatOptions, 'clock' | 'onLate'>): { begin(): void; end(): void } {
  let isLate = false
  let cancel = () => {}
  const end = () => {
    cancel()
    if (isLate) onLate(null)
    isLate = false
  }
  return {
    begin() {
      end()
      const since = clock.now()
      cancel = clock.after(lateAfterMs, () => {
        isLate = true
        onLate(since)
      })
    },
    end,
  }
}

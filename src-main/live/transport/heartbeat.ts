import type { Clock } from '../../../src-shared/lib/clock.ts'

/** A Ping is sent this often, and the socket is dropped when its Pong does not come in time: half-open sockets look open. */
const pingEveryMs = 12_000
const pongWithinMs = 8_000
/** A Pong stands behind what was sent before it. Whatever arrives puts the deadline off, but not beyond this: the Pong alone proves that all of it came. */
const pongAtMostMs = 60_000
/** From here on it is in doubt: what it does not say may only not have come through. */
const lateAfterMs = pongWithinMs / 2

/** Pings of the protocol with a deadline, and the proof that what was sent before a Ping has arrived. */
export interface Heartbeat {
  /** A Pong came. Answers when the Ping that it follows was sent, ms: what the service said before, has come in. Null: none was. */
  pong(): number | null
  /** Anything else came: the socket lives, and the deadline of the Pong is put off. */
  arrived(): void
  /** Sends a Ping soon; `confirmed` is called at its Pong. Several at once share one Ping. */
  confirm(confirmed: () => void): void
  stop(): void
}

export interface HeartbeatOptions {
  clock: Clock
  ping: () => void
  /** Half the time for a Pong has gone without a word: since when, ms since the epoch; null when a word came after all. */
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
    latest = clock.monotonic() + pongAtMostMs
    cancelDeadline = clock.after(pongWithinMs, options.onSilent)
    options.ping()
  }
  const putOff = (cancel: () => void) => {
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
      if (cancelDeadline !== null) putOff(cancelDeadline)
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

/** Counts from the last word while a Pong is waited for. */
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

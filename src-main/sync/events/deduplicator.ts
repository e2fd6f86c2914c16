import type { Clock } from '../../../src-shared/lib/clock.ts'

/**
 * Two sockets of one service deliver the same event within this many ms, unless one of them hangs: then it ends before
 * (Pong deadline).
 */
const retentionMs = 30_000

export interface DuplicateInput {
  /** Service and id of the device. */
  device: string
  connection: string
  /** The socket of the connection that delivered it (`live/state.ts`). */
  socket: number
  /** The content of the event, as text. */
  content: string
  /** When this socket was subscribed, ms: it did not receive earlier events. */
  since: number
}

/**
 * Sockets with the same devices receive each change several times: those of several connections, and the two of one
 * while the next token's takes over. An event is a duplicate when another socket has delivered the same content, and
 * this one has not yet delivered that or a later one: each delivers in order. A device that drops and recovers twice is
 * reported twice, whichever socket is ahead. Equal consecutive events of one socket count once: another one may be one
 * event ahead.
 */
export interface Deduplicator {
  isDuplicate(input: DuplicateInput): boolean
  /**
   * Records that this connection receives no events of these devices until it subscribes again: their status may have
   * changed twice by then.
   */
  markGap(connection: string, devices: Iterable<string>): void
}

/** The events of a device, the oldest first, and each source's last event. Positions count from the first one ever. */
interface History {
  events: { at: number; content: string }[]
  /** The position of the first of `events`. */
  first: number
  positions: Map<string, number>
}

/** `isSame` compares two contents. Each source passes each event once, so the time does not grow with their number. */
export function createDeduplicator(
  clock: Clock,
  isSame: (one: string, other: string) => boolean = (one, other) => one === other,
): Deduplicator {
  const devices = new Map<string, History>()
  /** When a connection last lost the events of a device, ms, the oldest first. */
  const gapAt = new Map<string, number>()
  const forgetOld = (now: number) => {
    // In the order of their last event: the first recent one ends the loop.
    for (const [device, history] of devices) {
      if (now - (history.events.at(-1)?.at ?? 0) < retentionMs) return
      devices.delete(device)
    }
  }
  const forgetGaps = (now: number) => {
    for (const [key, at] of gapAt) {
      if (now - at < retentionMs) return
      gapAt.delete(key)
    }
  }
  return {
    markGap(connection, ids) {
      forgetGaps(clock.now())
      for (const device of ids) {
        gapAt.delete(keyOf(connection, device))
        gapAt.set(keyOf(connection, device), clock.now())
      }
    },
    isDuplicate({ device, connection, socket, content, since: subscribedAt }) {
      const now = clock.now()
      const since = Math.max(subscribedAt, (gapAt.get(keyOf(connection, device)) ?? -Infinity) + 1)
      forgetOld(now)
      const history = devices.get(device) ?? { events: [], first: 0, positions: new Map<string, number>() }
      forgetEvents(history, now)
      const source = keyOf(connection, String(socket))
      const position = positionOf(
        history,
        history.positions.get(source) ?? -1,
        (each) => each.at >= since && now - each.at < retentionMs && isSame(each.content, content),
      )
      if (position === null) history.events.push({ at: now, content })
      history.positions.set(source, position ?? history.first + history.events.length - 1)
      devices.delete(device)
      devices.set(device, history)
      return position !== null
    },
  }
}

/** Returns the key of a device whose events several sockets may deliver. */
export const eventKey = (service: string, tenant: string, id: string): string => `${service} ${tenant} ${id}`

const keyOf = (connection: string, part: string): string => `${connection} ${part}`

/** Returns the position of an event: at the source's last event, which it repeats, or behind it; null: none. */
function positionOf(
  { events, first }: History,
  last: number,
  matches: (event: History['events'][number]) => boolean,
): number | null {
  for (let at = Math.max(0, last - first); at < events.length; at += 1) {
    const each = events[at]
    if (each !== undefined && matches(each)) return first + at
  }
  return null
}

/** Removes old events when they are half or more, so that each is moved about once. */
function forgetEvents(history: History, now: number): void {
  const { events } = history
  const isOld = (at: number) => now - (events[at]?.at ?? now) >= retentionMs
  if (!isOld(events.length >> 1)) return
  const old = events.findIndex((_, at) => !isOld(at))
  const count = old < 0 ? events.length : old
  events.splice(0, count)
  history.first += count
}

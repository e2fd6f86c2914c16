import type { Clock } from '../../../src-shared/lib/clock.ts'

/**
 * Two sockets of one service deliver the same event within this many ms, unless one of them hangs: then it ends before
 * (Pong deadline).
 */
const rememberedMs = 30_000

export interface DuplicateInput {
  /** Service and id of the device. */
  device: string
  connection: string
  /** The socket of the connection that delivered it (`live/state.ts`). */
  socket: number
  /** The content of the event, as text. */
  word: string
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

/** The events of a device, the oldest first, and each source's last event. Places count from the first one ever. */
interface History {
  words: { at: number; word: string }[]
  /** The place of the first of `words`. */
  first: number
  places: Map<string, number>
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
      if (now - (history.words.at(-1)?.at ?? 0) < rememberedMs) return
      devices.delete(device)
    }
  }
  const forgetGaps = (now: number) => {
    for (const [key, at] of gapAt) {
      if (now - at < rememberedMs) return
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
    isDuplicate({ device, connection, socket, word, since: listens }) {
      const now = clock.now()
      const since = Math.max(listens, (gapAt.get(keyOf(connection, device)) ?? -Infinity) + 1)
      forgetOld(now)
      const history = devices.get(device) ?? { words: [], first: 0, places: new Map<string, number>() }
      forgetEvents(history, now)
      const source = keyOf(connection, String(socket))
      const place = placeOf(
        history,
        history.places.get(source) ?? -1,
        (each) => each.at >= since && now - each.at < rememberedMs && isSame(each.word, word),
      )
      if (place === null) history.words.push({ at: now, word })
      history.places.set(source, place ?? history.first + history.words.length - 1)
      devices.delete(device)
      devices.set(device, history)
      return place !== null
    },
  }
}

/** Returns the key of a device whose events several sockets may deliver. */
export const eventKey = (service: string, tenant: string, id: string): string => `${service} ${tenant} ${id}`

const keyOf = (connection: string, part: string): string => `${connection} ${part}`

/** Returns the place of an event: at the source's last event, which it repeats, or behind it; null: none. */
function placeOf(
  { words, first }: History,
  last: number,
  isIt: (word: History['words'][number]) => boolean,
): number | null {
  for (let at = Math.max(0, last - first); at < words.length; at += 1) {
    const each = words[at]
    if (each !== undefined && isIt(each)) return first + at
  }
  return null
}

/** Removes old events when they are half or more, so that each is moved about once. */
function forgetEvents(history: History, now: number): void {
  const { words } = history
  const isOld = (at: number) => now - (words[at]?.at ?? now) >= rememberedMs
  if (!isOld(words.length >> 1)) return
  const old = words.findIndex((_, at) => !isOld(at))
  const count = old < 0 ? words.length : old
  words.splice(0, count)
  history.first += count
}

import type { Clock } from '../../../src-shared/lib/clock.ts'

/** Two sockets of one service tell the same thing within this time, unless one of them hangs: then it ends before (Pong deadline). */
const rememberedMs = 30_000

export interface DuplicateInput {
  /** Service and id of the device. */
  device: string
  connection: string
  /** Which socket of the connection told it (`live/state.ts`). */
  socket: number
  /** What the event says, as text. */
  word: string
  /** When this socket began to listen, ms: what was told before, it did not hear. */
  since: number
}

/**
 * Sockets that listen to the same devices hear each change several times: those of several connections, and the two of one
 * while the next token's takes over. An event is an duplicate when another socket has told the same word, and this one has not
 * yet told that word or a later one: each tells its words in order. A device that goes and comes back twice is told twice,
 * whichever socket is ahead. What one socket tells twice in a row it tells once: another one may be a word ahead.
 */
export interface Deduplicator {
  isDuplicate(input: DuplicateInput): boolean
  /** From now on this connection does not hear of these devices, until it begins anew: the word that it told last may have changed twice when it does. */
  markGap(connection: string, devices: Iterable<string>): void
}

/** What was told of a device, the first before the others, and each teller's last word of it. Places count from the first one ever. */
interface History {
  words: { at: number; word: string }[]
  /** The place of the first of `words`. */
  first: number
  places: Map<string, number>
}

/** `isSame` compares two words. Each teller goes through what was told once, however much that is. */
export function createDeduplicator(
  clock: Clock,
  isSame: (one: string, other: string) => boolean = (one, other) => one === other,
): Deduplicator {
  const devices = new Map<string, History>()
  /** When a connection last went deaf to a device, ms, the first before the others. */
  const gapAt = new Map<string, number>()
  const forgetOld = (now: number) => {
    // In the order of their last word: the first that is not old ends it.
    for (const [device, heard] of devices) {
      if (now - (heard.words.at(-1)?.at ?? 0) < rememberedMs) return
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
      const heard = devices.get(device) ?? { words: [], first: 0, places: new Map<string, number>() }
      forgetWords(heard, now)
      const source = keyOf(connection, String(socket))
      const place = placeOf(
        heard,
        heard.places.get(source) ?? -1,
        (each) => each.at >= since && now - each.at < rememberedMs && isSame(each.word, word),
      )
      if (place === null) heard.words.push({ at: now, word })
      heard.places.set(source, place ?? heard.first + heard.words.length - 1)
      devices.delete(device)
      devices.set(device, heard)
      return place !== null
    },
  }
}

/** Returns the key of a device whose events several sockets may deliver. */
export const eventKey = (service: string, tenant: string, id: string): string => `${service} ${tenant} ${id}`

const keyOf = (connection: string, part: string): string => `${connection} ${part}`

/** Where it was told: at the teller's last word, which it tells again, or behind it. */
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

/** Half of them or more at a time: each is moved about once. */
function forgetWords(heard: History, now: number): void {
  const { words } = heard
  const isOld = (at: number) => now - (words[at]?.at ?? now) >= rememberedMs
  if (!isOld(words.length >> 1)) return
  const old = words.findIndex((_, at) => !isOld(at))
  const count = old < 0 ? words.length : old
  words.splice(0, count)
  heard.first += count
}

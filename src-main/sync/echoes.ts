import type { Clock } from '../../src-shared/clock.ts'

/** Two sockets of one service tell the same thing within this time, unless one of them hangs: then it ends before (Pong deadline). */
const rememberedMs = 30_000

export interface EchoInput {
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
 * while the next token's takes over. An event is an echo when another socket has told the same word, and this one has not
 * yet told that word or a later one: each tells its words in order. A device that goes and comes back twice is told twice,
 * whichever socket is ahead. What one socket tells twice in a row it tells once: another one may be a word ahead.
 */
export interface Echoes {
  isEcho(input: EchoInput): boolean
  /** From now on this connection does not hear of these devices, until it begins anew: the word that it told last may have changed twice when it does. */
  deaf(connection: string, devices: Iterable<string>): void
}

interface Heard {
  at: number
  word: string
  by: Set<string>
}

export function createEchoes(clock: Clock): Echoes {
  const devices = new Map<string, Heard[]>()
  /** When a connection last went deaf to a device, ms, the first before the others. */
  const deafAt = new Map<string, number>()
  const forgetOld = (now: number) => {
    // In the order of their last word: the first that is not old ends it.
    for (const [device, heard] of devices) {
      if (now - (heard.at(-1)?.at ?? 0) < rememberedMs) return
      devices.delete(device)
    }
  }
  const forgetDeaf = (now: number) => {
    for (const [key, at] of deafAt) {
      if (now - at < rememberedMs) return
      deafAt.delete(key)
    }
  }
  return {
    deaf(connection, ids) {
      forgetDeaf(clock.now())
      for (const device of ids) {
        deafAt.delete(keyOf(connection, device))
        deafAt.set(keyOf(connection, device), clock.now())
      }
    },
    isEcho({ device, connection, socket, word, since: listens }) {
      const now = clock.now()
      const since = Math.max(listens, (deafAt.get(keyOf(connection, device)) ?? -Infinity) + 1)
      forgetOld(now)
      const heard = (devices.get(device) ?? []).filter(({ at }) => now - at < rememberedMs)
      const teller = keyOf(connection, String(socket))
      const last = heard.findLastIndex(({ by }) => by.has(teller))
      const again = heard[last]
      const isAgain = again !== undefined && again.word === word && again.at >= since
      const told = isAgain ? again : heard.find((each, index) => index > last && each.at >= since && each.word === word)
      told?.by.add(teller)
      if (told === undefined) heard.push({ at: now, word, by: new Set([teller]) })
      devices.delete(device)
      devices.set(device, heard)
      return told !== undefined
    },
  }
}

const keyOf = (connection: string, part: string): string => `${connection} ${part}`

/**
 * The events of two sockets of one subscription, while both deliver: each event of the service is passed on once. No
 * event is lost; one that arrives while the second socket is confirmed may be passed on twice.
 */
export interface Overlap {
  /** The second socket (any number) asks for its subscription. */
  begin(second: number): void
  /** The second socket's subscription is confirmed: it delivers all that comes from now on. */
  align(): void
  /** Ends the overlap; with a socket only that of this second one. */
  end(second?: number): void
  /** Returns whether an event of a socket is new. Outside of an overlap all are. */
  isNew(socket: number, text: string): boolean
}

/** Most characters of the events that are remembered: after that all count as new. */
const maxRemembered = 16_000_000

/** How often a text was passed on, and how often each socket delivered it. */
interface Seen {
  passed: number
  of: Map<number, number>
}

export function createOverlap(): Overlap {
  let remembered: { second: number; texts: Map<string, Seen> } | null = null
  let left = 0
  return {
    begin(second) {
      remembered = { second, texts: new Map() }
      left = maxRemembered
    },
    align() {
      if (remembered === null) return
      // What the first socket delivered alone was before the second one's subscription.
      for (const { passed, of } of remembered.texts.values()) of.set(remembered.second, passed)
    },
    end(second) {
      if (second === undefined || second === remembered?.second) remembered = null
    },
    isNew(socket, text) {
      if (remembered === null) return true
      const known = remembered.texts.get(text)
      if (known === undefined && left < text.length) return true
      const seen = known ?? { passed: 0, of: new Map<number, number>() }
      if (known === undefined) {
        left -= text.length
        remembered.texts.set(text, seen)
      }
      // The same text may come twice from one socket: then it happened twice.
      const times = (seen.of.get(socket) ?? 0) + 1
      seen.of.set(socket, times)
      if (times <= seen.passed) return false
      seen.passed = times
      return true
    },
  }
}

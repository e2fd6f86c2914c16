const partMs = 15 * 60_000
const parts = 96
/** A longer time without a look is one that nobody saw: the computer slept (ms). */
const longestMs = 60_000

/** The mean number of rooms in use in each quarter of an hour of the last 24, in memory. */
export interface OccupancyDay {
  /** Counts the time since the last look: as long as that, these many of the known rooms were in use. */
  look(now: number, rooms: { known: number; inUse: number }): void
  /** Returns the line up to now; null where no room was known. Times in ms. */
  read(now: number): { from: number; until: number; inUse: (number | null)[] }
}

export function openOccupancyDay(): OccupancyDay {
  /** By the start of their quarter: ms with a known room, and room-ms in use. */
  const byPart = new Map<number, { ms: number; inUse: number }>()
  let last: { at: number; known: number; inUse: number } | null = null
  const add = (from: number, until: number, inUse: number) => {
    for (let at = from; at < until;) {
      const part = startOf(at)
      const end = Math.min(until, part + partMs)
      const sum = byPart.get(part) ?? { ms: 0, inUse: 0 }
      byPart.set(part, { ms: sum.ms + end - at, inUse: sum.inUse + inUse * (end - at) })
      at = end
    }
  }
  return {
    look(now, rooms) {
      if (last !== null && last.known > 0 && now > last.at && now - last.at <= longestMs) add(last.at, now, last.inUse)
      last = { at: now, ...rooms }
      for (const part of byPart.keys()) if (part <= startOf(now) - parts * partMs || part > now) byPart.delete(part)
    },
    read(now) {
      const from = startOf(now) - (parts - 1) * partMs
      const inUse = Array.from({ length: parts }, (_, part) => {
        const sum = byPart.get(from + part * partMs)
        return sum === undefined ? null : sum.inUse / sum.ms
      })
      return { from, until: from + parts * partMs, inUse }
    },
  }
}

const startOf = (at: number): number => at - (at % partMs)

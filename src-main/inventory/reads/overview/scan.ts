/** A result that is made part by part and holds for a while. */
export interface Scan<T> {
  /** Does a part of the work. Returns the result once it is there, or null. `now`: ms, from any one clock. */
  step(now: number): T | null
}

/** A scan that nobody has gone on with for this long (ms) begins anew. */
const abandonedMs = 5 * 60_000

/** `begin` returns the work; `maxAge`: how old a result (ms) may be. */
export function createScan<T>(begin: (now: number) => Generator<undefined, T>, maxAge: number): Scan<T> {
  let running: { work: Generator<undefined, T>; at: number } | null = null
  let last: { result: T; at: number } | null = null
  const isWithin = (at: number, now: number, most: number) => now >= at && now - at <= most
  return {
    step(now) {
      if (last !== null && isWithin(last.at, now, maxAge)) return last.result
      if (running === null || !isWithin(running.at, now, abandonedMs)) running = { work: begin(now), at: now }
      const { work, at } = running
      const next = advance(work, () => (running = null))
      if (next.done !== true) return null
      running = null
      // It holds from its end on: a scan that takes longer than `maxAge` would never give a result.
      last = { result: next.value, at: Math.max(at, now) }
      return next.value
    },
  }
}

/** A scan that fails begins anew with the next call. */
function advance<T>(work: Generator<undefined, T>, onFailed: () => void): IteratorResult<undefined, T> {
  try {
    return work.next()
  } catch (thrown) {
    onFailed()
    throw thrown
  }
}

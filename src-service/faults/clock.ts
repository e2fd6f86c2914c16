/** The service's clock, which can be set wrong. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Sets the difference from the true time, ms. */
  skew(ms: number): void
}

export function startClock(trueTime: () => number): Clock {
  let off = 0
  return { now: () => trueTime() + off, skew: (ms) => void (off = ms) }
}

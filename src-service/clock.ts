/** The service's clock, which can be put wrong. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Off by so many milliseconds from the true time, from now on. */
  skew(ms: number): void
}

export function startClock(trueTime: () => number): Clock {
  let off = 0
  return { now: () => trueTime() + off, skew: (ms) => void (off = ms) }
}

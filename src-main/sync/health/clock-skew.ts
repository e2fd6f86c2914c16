import type { Clock } from '../../../src-shared/lib/clock.ts'

/** By less, no operator would be misled, and no service's `Date` can be told from one that took its time. */
const apartMs = 5 * 60_000

/** By how much this computer's clock is ahead of the service's (behind: negative), and since when that is known; ms. */
export interface ClockSkew {
  ms: number
  since: number
}

/** Compares the service's clock, as its answers tell it, with this computer's. */
export interface ClockSkewWatch {
  /** The header `Date` of an answer that has just come; null where there is none. */
  observe(date: string | null): void
  /** Null while they are within five minutes of each other, or the service does not tell. */
  skew(): ClockSkew | null
  /** Whether the service has told its time. */
  isKnown(): boolean
  /** Whether it has, and this computer's clock agreed with it and was not set since. */
  agrees(): boolean
}

export function watchClockSkew(clock: Clock, onChange: () => void): ClockSkewWatch {
  let skew: ClockSkew | null = null
  let known = false
  /** By how much the two clocks of this computer were apart when the service was heard. */
  let apart = 0
  return {
    observe(date) {
      const theirs = date === null ? Number.NaN : Date.parse(date)
      if (Number.isNaN(theirs)) return
      known = true
      const before = skew
      const now = clock.now()
      apart = now - clock.monotonic()
      skew = Math.abs(now - theirs) > apartMs ? { ms: now - theirs, since: before?.since ?? now } : null
      if ((before === null) !== (skew === null)) onChange()
    },
    skew: () => skew,
    isKnown: () => known,
    agrees: () => known && skew === null && Math.abs(clock.now() - clock.monotonic() - apart) < apartMs,
  }
}

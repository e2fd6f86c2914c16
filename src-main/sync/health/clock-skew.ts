import type { Clock } from '../../../src-shared/lib/clock.ts'

/** Smallest reported difference, ms: less misleads no operator, and may come from a slow answer. */
const minSkewMs = 5 * 60_000

/** How far this computer's clock is ahead of the service's (behind: negative), and since when that is known; ms. */
export interface ClockSkew {
  ms: number
  since: number
}

/** Compares the service's clock, as reported in its answers, with this computer's. */
export interface ClockSkewWatch {
  /** Observes the header `Date` of an answer that has just arrived; null where there is none. */
  observe(date: string | null): void
  /** Returns the difference; null while it is below five minutes, or the service does not report its time. */
  skew(): ClockSkew | null
  /** Returns whether the service has reported its time. */
  isKnown(): boolean
  /** Returns whether it has, and this computer's clock agreed with it and was not changed since. */
  agrees(): boolean
}

export function watchClockSkew(clock: Clock, onChange: () => void): ClockSkewWatch {
  let skew: ClockSkew | null = null
  let known = false
  /** Difference of this computer's two clocks at the service's last answer, ms. */
  let offset = 0
  return {
    observe(date) {
      const theirs = date === null ? Number.NaN : Date.parse(date)
      if (Number.isNaN(theirs)) return
      known = true
      const before = skew
      const now = clock.now()
      offset = now - clock.monotonic()
      skew = Math.abs(now - theirs) > minSkewMs ? { ms: now - theirs, since: before?.since ?? now } : null
      if ((before === null) !== (skew === null)) onChange()
    },
    skew: () => skew,
    isKnown: () => known,
    agrees: () => known && skew === null && Math.abs(clock.now() - clock.monotonic() - offset) < minSkewMs,
  }
}

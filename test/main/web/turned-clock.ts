import type { Clock } from '../../../src-shared/clock.ts'

/** A clock that stands still until a test turns it. */
export function turnedClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): Clock & { turn(ms: number): void } {
  let passed = 0
  const timers = new Set<{ at: number; run: () => void }>()
  return {
    now: () => start + passed,
    monotonic: () => passed,
    after: (ms, run) => {
      const timer = { at: passed + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    turn: (ms) => {
      const until = passed + ms
      for (;;) {
        const next = [...timers].filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        timers.delete(next)
        passed = next.at
        next.run()
      }
      passed = until
    },
  }
}

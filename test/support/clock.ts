import type { Clock } from '../../src-shared/lib/clock.ts'

/** A clock that a test turns by hand. `advance` runs what is due, in order, and lets promises settle in between. */
export interface ManualClock extends Clock {
  advance(ms: number): Promise<void>
  /** The wall clock jumps without time passing. */
  jump(ms: number): void
  /** Timers that are set. */
  pending(): number
}

export function manualClock(start = Date.parse('2026-11-21T03:00:00Z')): ManualClock {
  let now = start
  let monotonic = 0
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    monotonic: () => monotonic,
    after(ms, run) {
      const timer = { at: monotonic + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const end = monotonic + ms
      for (;;) {
        await settle()
        const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter((timer) => timer !== due)
        now += Math.max(0, due.at - monotonic)
        monotonic = Math.max(monotonic, due.at)
        due.run()
      }
      now += end - monotonic
      monotonic = end
      await settle()
    },
    jump(ms) {
      now += ms
    },
    pending: () => timers.length,
  }
}

/** Lets every promise that can go on do so. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
}

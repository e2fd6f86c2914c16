import type { Clock } from '../../../src-shared/lib/clock.ts'

/** A clock that is advanced by calls: weeks pass as fast as their events can be processed. */
export interface SimulatedClock extends Clock {
  /** Returns when the next timer is due, monotonic ms; infinity when none is set. */
  nextDue(): number
  /** Advances the time to that moment (monotonic ms). Due timers wait for `runDue`. */
  pass(until: number): void
  /** Runs the first due timer; returns whether there was one. */
  runDue(): boolean
  /** The computer sleeps: only the wall clock advances. */
  sleep(ms: number): void
}

interface Timer {
  at: number
  run: () => void
}

export function simulatedClock(start: number): SimulatedClock {
  let wall = start
  let monotonic = 0
  const timers = new Set<Timer>()
  const first = (): Timer | null => {
    let found: Timer | null = null
    for (const timer of timers) if (found === null || timer.at < found.at) found = timer
    return found
  }
  return {
    now: () => Math.round(wall),
    monotonic: () => monotonic,
    after(ms, run) {
      const timer = { at: monotonic + Math.max(0, ms), run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    nextDue: () => first()?.at ?? Infinity,
    pass(until) {
      wall += Math.max(0, until - monotonic)
      monotonic = Math.max(monotonic, until)
    },
    runDue() {
      const due = first()
      if (due === null || due.at > monotonic) return false
      timers.delete(due)
      due.run()
      return true
    },
    sleep(ms) {
      wall += ms
    },
  }
}

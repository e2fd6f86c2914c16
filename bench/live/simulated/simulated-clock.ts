import type { Clock } from '../../../src-shared/lib/clock.ts'

/** A clock that stands until it is turned: weeks pass as fast as what happens in them can be done. */
export interface SimulatedClock extends Clock {
  /** When the next timer is due, in monotonic ms; infinity when none is set. */
  nextDue(): number
  /** Time passes up to that moment (monotonic ms). What is due stays due until `runDue`. */
  pass(until: number): void
  /** Runs the timer that is due first, if one is. */
  runDue(): boolean
  /** The computer sleeps: the wall clock alone goes on. */
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

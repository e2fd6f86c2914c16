import type { Clock } from '../../../src-shared/lib/clock.ts'

/**
 * The clock of a process that is suspended: for `stood` real ms nothing ran and the monotonic clock stood still, and
 * the wall clock advanced by `ms`. Timers are delayed by the sleep, as on Linux.
 */
export interface SleepingClock extends Clock {
  slept(ms: number, stood: number): void
}

interface Timer {
  at: number
  run: () => void
  cancel: () => void
}

export function sleepingClock(): SleepingClock {
  let stoodInAll = 0
  let sleptInAll = 0
  const timers = new Set<Timer>()
  const monotonic = () => performance.now() - stoodInAll
  const arm = (timer: Timer) => {
    const fire = () => {
      // Node's timers may fire a fraction of a millisecond early, and those from before a sleep much too early.
      if (monotonic() + 1 < timer.at) return arm(timer)
      timers.delete(timer)
      timer.run()
    }
    const handle = setTimeout(fire, Math.min(Math.max(0, timer.at - monotonic()), 2 ** 31 - 1))
    timer.cancel = () => clearTimeout(handle)
  }
  return {
    now: () => Math.round(performance.timeOrigin + monotonic() + sleptInAll),
    monotonic,
    after(ms, run) {
      const timer: Timer = { at: monotonic() + ms, run, cancel: () => {} }
      timers.add(timer)
      arm(timer)
      return () => {
        timers.delete(timer)
        timer.cancel()
      }
    },
    slept(ms, stood) {
      stoodInAll += stood
      sleptInAll += ms
    },
  }
}

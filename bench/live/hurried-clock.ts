import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Clock } from '../../src-shared/clock.ts'

/**
 * The machine's clock, but for the time that is skipped. `hurry` lets minutes pass in moments: whatever is due meanwhile
 * runs at its time, and answers have a moment to come, so that Pings find their Pongs. `asleep` is what the sleep of a
 * computer is to a process: for `stood` real ms nothing ran and the steady clock stood still, and the wall clock went on by `ms`.
 */
export interface HurriedClock extends Clock {
  hurry(ms: number): Promise<void>
  asleep(ms: number, stood: number): void
}

interface Timer {
  at: number
  run: () => void
  cancel: () => void
}

/** Shorter than the deadline of a Pong. */
const stepMs = 4_000
/** Real time for answers over loopback, in each step. */
const restMs = 4

export function hurriedClock(): HurriedClock {
  let skipped = 0
  let slept = 0
  const timers = new Set<Timer>()
  const monotonic = () => performance.now() + skipped
  const arm = (timer: Timer) => {
    const fire = () => {
      // Node's timers may come a part of a millisecond early.
      if (monotonic() + 1 < timer.at) return arm(timer)
      timers.delete(timer)
      timer.run()
    }
    const handle = globalThis.setTimeout(fire, Math.min(Math.max(0, timer.at - monotonic()), 2 ** 31 - 1))
    timer.cancel = () => clearTimeout(handle)
  }
  const rearm = () => {
    for (const timer of timers) {
      timer.cancel()
      arm(timer)
    }
  }
  return {
    now: () => Math.round(performance.timeOrigin + performance.now() + skipped + slept),
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
    async hurry(ms) {
      for (let left = ms; left > 0; left -= stepMs) {
        skipped += Math.min(left, stepMs)
        rearm()
        await setTimeout(restMs)
        await setImmediate()
      }
    },
    asleep(ms, stood) {
      skipped -= stood
      slept += ms
      rearm()
    },
  }
}

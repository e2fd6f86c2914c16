import type { Clock } from '../../../src-shared/lib/clock.ts'

const checkEveryMs = 5_000
/** The clocks run apart by less, on any computer that is awake and whose clock nobody sets. */
const apartMs = 15_000
/** Where sleep counts for both clocks, a timer that is this late says so: nothing keeps an awake computer busy for as long. What is shorter the Pong's deadline finds out. */
const lateMs = 60_000

/** Hears of time that was lost: the computer slept, or its clock was set. */
export interface SleepDetection {
  /** Checks at once, for an event that has just arrived: it may have happened at any moment of the lost time. Returns whether time was lost. */
  check(): boolean
  /** The system says that the computer goes to sleep. */
  sleeps(): void
  /** The system says that it wakes, or that somebody is there again: whatever it slept is lost, however short; without a sleep that it told of, it looks. */
  wakes(): void
  stop(): void
}

/** Looks every five seconds. `onLost` hears once each time by how many ms the wall clock is off (back: negative), and when all was well the last time, ms since the epoch as the clock was then. */
export function detectSleep(clock: Clock, onLost: (ms: number, wellAt: number) => void): SleepDetection {
  let [wall, monotonic] = [clock.now(), clock.monotonic()]
  let cancel = () => {}
  let sleepsSince: number | null = null
  const check = (planned: number): boolean => {
    const [wallTook, took] = [clock.now() - wall, clock.monotonic() - monotonic]
    const apart = Math.abs(wallTook - took) >= apartMs
    if (!apart && took - planned < lateMs) return false
    lost(wallTook - Math.min(took, planned), sleepsSince ?? wall)
    return true
  }
  /** Called once for each sleep. */
  const lost = (ms: number, wellAt: number) => {
    sleepsSince = null
    plan()
    onLost(ms, wellAt)
  }
  const plan = () => {
    cancel()
    ;[wall, monotonic] = [clock.now(), clock.monotonic()]
    cancel = clock.after(checkEveryMs, () => {
      if (!check(checkEveryMs)) plan()
    })
  }
  plan()
  return {
    check: () => check(checkEveryMs),
    sleeps() {
      sleepsSince = clock.now()
    },
    wakes() {
      if (sleepsSince === null) check(checkEveryMs)
      else lost(Math.max(0, clock.now() - sleepsSince), sleepsSince)
    },
    stop: () => cancel(),
  }
}

import type { Clock } from '../../../src-shared/lib/clock.ts'

const checkEveryMs = 5_000
/** Largest difference of the clocks, ms, on a computer that is awake and whose clock is not changed. */
const apartMs = 15_000
/**
 * A timer that is later than this, ms, shows sleep where both clocks count it: no load delays it as long. The Pong's
 * deadline finds shorter sleep.
 */
const lateMs = 60_000

/** Detects lost time: the computer slept, or its clock was changed. */
export interface SleepDetection {
  /**
   * Checks at once, for an event that has just arrived: it may have happened at any moment of the lost time. Returns
   * whether time was lost.
   */
  check(): boolean
  /** Records that the system goes to sleep. */
  sleeps(): void
  /**
   * Records that the system wakes, or that the user is back: after a recorded sleep, however short, time is lost;
   * otherwise it checks.
   */
  wakes(): void
  stop(): void
}

/**
 * Checks every five seconds. Calls `onLost` once for each loss with the shift of the wall clock, ms (backwards:
 * negative), and the last good check, ms since the epoch by the clock at that time.
 */
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

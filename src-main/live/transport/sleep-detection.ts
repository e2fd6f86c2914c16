import type { Clock } from '../../../src-shared/lib/clock.ts'

const checkEveryMs = 5_000
/** Largest difference of the clocks, ms, on a computer that is awake and whose clock is not changed. */
const maxDriftMs = 15_000
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
export function detectSleep(clock: Clock, onLost: (ms: number, lastGoodAt: number) => void): SleepDetection {
  let [wall, monotonic] = [clock.now(), clock.monotonic()]
  let cancel = () => {}
  let asleepSince: number | null = null
  const check = (planned: number): boolean => {
    const [wallElapsed, elapsed] = [clock.now() - wall, clock.monotonic() - monotonic]
    const isApart = Math.abs(wallElapsed - elapsed) >= maxDriftMs
    if (!isApart && elapsed - planned < lateMs) return false
    lost(wallElapsed - Math.min(elapsed, planned), asleepSince ?? wall)
    return true
  }
  /** Called once for each sleep. */
  const lost = (ms: number, lastGoodAt: number) => {
    asleepSince = null
    plan()
    onLost(ms, lastGoodAt)
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
      asleepSince = clock.now()
    },
    wakes() {
      if (asleepSince === null) check(checkEveryMs)
      else lost(Math.max(0, clock.now() - asleepSince), asleepSince)
    },
    stop: () => cancel(),
  }
}

import type { Clock } from '../../../src-shared/lib/clock.ts'

/** Draws now, or as soon as the last time is `everyMs` ago. */
export interface Throttle {
  soon(): void
  /** At the latest after so many ms. */
  within(ms: number): void
  stop(): void
}

export function createThrottle(clock: Clock, everyMs: number, draw: () => void): Throttle {
  let timer: { at: number; cancel: () => void } | null = null
  let readyAt = -Infinity

  function run() {
    timer?.cancel()
    timer = null
    readyAt = clock.monotonic() + everyMs
    draw()
  }
  function within(ms: number) {
    const at = Math.max(clock.monotonic() + ms, readyAt)
    if (timer !== null && timer.at <= at) return
    timer?.cancel()
    timer = { at, cancel: clock.after(at - clock.monotonic(), run) }
  }
  return {
    soon: () => (readyAt <= clock.monotonic() ? run() : within(0)),
    within,
    stop: () => timer?.cancel(),
  }
}

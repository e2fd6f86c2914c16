/** Time comes in as an argument (design, invariant 13), so that a test turns it by hand and never sleeps. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. May jump. */
  now(): number
  /** Monotonic milliseconds. Never jumps; stands still or runs on in sleep, as the system likes. */
  monotonic(): number
  /** Calls `run` once after `ms`; returns the way to call it off. */
  after(ms: number, run: () => void): () => void
}

/** Resolves after `ms` of the clock's time; rejects with the signal's reason when it is aborted first. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** The clock of the machine, for the shells. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1))
    if (typeof timer === 'object' && 'unref' in timer) timer.unref()
    return () => clearTimeout(timer)
  },
}

/** A moment of the monotonic clock as ms since the epoch, as the wall clock stands now. */
export function wallTime(clock: Clock, monotonic: number): number {
  return Math.round(clock.now() + monotonic - clock.monotonic())
}

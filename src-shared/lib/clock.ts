/**
 * A source of time. It is passed as an argument (design, invariant 13), so that a test can turn it by hand and never
 * sleeps.
 */
export interface Clock {
  /** Returns the wall-clock time, in ms since the epoch. It may jump. */
  now(): number
  /** Returns monotonic time in ms. It never jumps; whether it advances during sleep depends on the system. */
  monotonic(): number
  /** Calls `run` once after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}

/** Resolves after `ms` of the clock's time. Rejects with the signal's reason when it is aborted first. */
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

/** Calls `run` every `ms`, first after `ms`. Returns a function that stops it. */
export function repeat(clock: Pick<Clock, 'after'>, ms: number, run: () => void): () => void {
  let cancel = () => {}
  const plan = () => {
    cancel = clock.after(ms, () => {
      run()
      plan()
    })
  }
  plan()
  return () => cancel()
}

/** The machine's clock, for the shells. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1))
    if (typeof timer === 'object' && 'unref' in timer) timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Converts a moment of the monotonic clock to ms since the epoch, by the present wall clock. */
export function wallTime(clock: Clock, monotonic: number): number {
  return Math.round(clock.now() + monotonic - clock.monotonic())
}

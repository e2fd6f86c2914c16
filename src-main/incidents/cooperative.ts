import type { Clock } from '../../src-shared/lib/clock.ts'

/** Work that may pause at each `yield`. No other code changes the data that it reads until it is done. */
export type Slices<T> = Generator<void, T, void>

/** The approximate longest time (ms) that work keeps the event loop busy. */
const sliceMs = 8

/** Runs work in slices and lets the event loop run in between. Rejects when the work throws. */
export async function runInSlices<T>(work: Slices<T>, clock: Pick<Clock, 'monotonic'>): Promise<T> {
  let until = clock.monotonic() + sliceMs
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (clock.monotonic() < until) continue
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    until = clock.monotonic() + sliceMs
  }
}

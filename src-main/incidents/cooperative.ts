import type { Clock } from '../../src-shared/lib/clock.ts'

/** Work that may rest wherever it yields: what it reads and makes is nobody else's until it is done. */
export type Slices<T> = Generator<void, T, void>

/** A turn of the loop is not to be kept waiting for longer than about this. */
const sliceMs = 8

/** Lets what else waits for the thread come in between. Rejects as the work throws. */
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

import { wait, type Clock } from '../../../src-shared/lib/clock.ts'

/** Stops in reverse order of the start, each awaited (invariant 12). */
export type Stops = (() => unknown)[]

/**
 * Stops everything once, however many reasons there are to end. Answers whether all of it ended in order: what hangs or
 * throws is not waited for for ever, since everything that matters is on disk already (invariant 2).
 */
export function shutdownOnce(stops: Stops, clock: Clock, deadlineMs = 5000): () => Promise<boolean> {
  let ending: Promise<boolean> | null = null
  return () => (ending ??= Promise.race([stopAll(stops), wait(clock, deadlineMs).then(() => false)]))
}

async function stopAll(stops: Stops): Promise<boolean> {
  let well = true
  for (const stop of stops.toReversed()) {
    try {
      await stop()
    } catch {
      // The next one is stopped all the same.
      well = false
    }
  }
  return well
}

import { wait, type Clock } from '../../../src-shared/lib/clock.ts'

/** Functions called in reverse order of the start, each awaited (invariant 12). */
export type Stops = (() => unknown)[]

/**
 * Returns a function that stops everything once. It resolves with whether all ended in order: functions that hang or
 * throw are abandoned, since all data is on disk already (invariant 2).
 */
export function shutdownOnce(stops: Stops, clock: Clock, deadlineMs = 5000): () => Promise<boolean> {
  let ending: Promise<boolean> | null = null
  return () => (ending ??= Promise.race([stopAll(stops), wait(clock, deadlineMs).then(() => false)]))
}

async function stopAll(stops: Stops): Promise<boolean> {
  let clean = true
  for (const stop of stops.toReversed()) {
    try {
      await stop()
    } catch {
      // The next one is stopped nevertheless.
      clean = false
    }
  }
  return clean
}

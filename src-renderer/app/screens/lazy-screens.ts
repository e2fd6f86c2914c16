import { useEffect, useState } from 'react'
import { systemClock, type Clock } from '../../../src-shared/lib/clock.ts'

const load = () => import('./lazy-bundle.ts')
export type LazyScreens = Awaited<ReturnType<typeof load>>['lazyScreens']

/** Loads the lazy screens and dialogs right after the first paint. Returns null until they are loaded. */
export function useLazyScreens(): LazyScreens | null {
  return useLoaded(load)?.lazyScreens ?? null
}

/** Loads a file of the build with the component. Returns null until it is loaded. `from`: always the same function. */
export function useLoaded<T>(from: () => Promise<T>): T | null {
  const [loaded, setLoaded] = useState<T | null>(null)
  useEffect(() => untilLoaded(from, systemClock, (module) => setLoaded(() => module)), [from])
  return loaded
}

/** Delay (ms) before the second try, which doubles for each further one, and its maximum. */
const [firstWait, longestWait] = [500, 15_000]

/**
 * Tries to load until it succeeds, because the core may be unreachable for a moment or a response may be cut. Returns a
 * function that stops it.
 */
export function untilLoaded<T>(
  from: () => Promise<T>,
  clock: Pick<Clock, 'after'>,
  onLoaded: (loaded: T) => void,
): () => void {
  let stop: (() => void) | null = null
  let stopped = false
  const attempt = (wait: number) => {
    from().then(
      (loaded) => {
        if (!stopped) onLoaded(loaded)
      },
      () => {
        if (!stopped) stop = clock.after(wait, () => attempt(Math.min(wait * 2, longestWait)))
      },
    )
  }
  attempt(firstWait)
  return () => {
    stopped = true
    stop?.()
  }
}

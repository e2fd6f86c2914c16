import { useEffect, useState } from 'react'
import { systemClock, type Clock } from '../../../src-shared/lib/clock.ts'

const load = () => import('./lazy-bundle.ts')
export type LazyScreens = Awaited<ReturnType<typeof load>>['lazyScreens']

/** The rooms and dialogs that nobody sees first: they come right after the first paint. Null until they are there. */
export function useLazyScreens(): LazyScreens | null {
  const [screens, setScreens] = useState<LazyScreens | null>(null)
  useEffect(() => untilLoaded(load, systemClock, ({ lazyScreens }) => setScreens(lazyScreens)), [])
  return screens
}

/** Milliseconds before the second try, twice as long before each further one, and at most. */
const [firstWait, longestWait] = [500, 15_000]

/** Tries until it is there: the core may be away for a moment, and a browser's answer may be cut. Returns the way to stop. */
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

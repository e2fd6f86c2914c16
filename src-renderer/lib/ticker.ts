import type { Clock } from '../../src-shared/lib/clock.ts'
import { createListeners } from '../../src-shared/lib/listeners.ts'

/** One beat a second for everything that shows an age; it runs only while something listens. */
export interface Ticker {
  /** The time of the last beat, so that all ages on the screen agree. */
  now(): number
  /** The time itself, for what is asked of the core: something may have happened since the last beat. */
  exact(): number
  subscribe(listener: () => void): () => void
}

export function createTicker(clock: Clock): Ticker {
  const listeners = createListeners()
  let now = clock.now()
  let cancel: (() => void) | null = null
  const beat = () => {
    now = clock.now()
    cancel = listeners.size() > 0 ? clock.after(1000 - (now % 1000), beat) : null
    listeners.emit()
  }
  return {
    now: () => now,
    exact: clock.now,
    subscribe(listener) {
      const off = listeners.on(listener)
      if (cancel === null) beat()
      return off
    },
  }
}

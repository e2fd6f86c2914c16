import type { Clock } from '../../src-shared/lib/clock.ts'
import { createListeners } from '../../src-shared/lib/listeners.ts'

/** A tick per second for all relative times. It runs only while it has subscribers. */
export interface Ticker {
  /** Returns the time of the last tick (ms), so that all ages on the screen agree. */
  now(): number
  /** Returns the exact time (ms), for calls to the core, because something may have happened since the last tick. */
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

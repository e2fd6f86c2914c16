import { createListeners } from '../../src-shared/lib/listeners.ts'
import { useSyncExternalStore } from 'react'

/** A value with listeners for its replacement. Values are never changed in place. */
export interface Store<T> {
  get(): T
  set(next: T): void
  /** Calls the listener after each replacement. Returns a function that removes it. */
  subscribe(listener: () => void): () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = createListeners()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      listeners.emit()
    },
    subscribe: listeners.on,
  }
}

/** Renders again when the selected part changes. `select` must return the same reference for the same value. */
export function useStore<T, P = T>(store: Store<T>, select: (value: T) => P = whole): P {
  const read = () => select(store.get())
  return useSyncExternalStore(store.subscribe, read, read)
}

function whole<T, P>(value: T): P {
  return value as unknown as P
}

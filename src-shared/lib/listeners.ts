/** Functions that are called with each value that is emitted. */
export interface Listeners<T extends unknown[]> {
  /** Adds a listener and returns the function that removes it. */
  on(listener: (...values: T) => void): () => void
  /** Calls every listener, in the order in which they were added. */
  emit(...values: T): void
  size(): number
}

export function createListeners<T extends unknown[] = []>(): Listeners<T> {
  const listeners = new Set<(...values: T) => void>()
  return {
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit(...values) {
      for (const listener of listeners) listener(...values)
    },
    size: () => listeners.size,
  }
}

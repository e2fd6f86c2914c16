/**
 * Returns a function that makes a value at its first call and returns the same value from then on, so that a start does
 * not wait for it.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

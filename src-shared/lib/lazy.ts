/** What is made when it is first asked for, and the same from then on: a start does not wait for what it may not need. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

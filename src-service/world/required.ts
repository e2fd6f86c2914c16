/** Returns the value. Throws where the world does not have it. */
export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RangeError(`The world has nothing ${what}`)
  return value
}

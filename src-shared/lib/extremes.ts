/** Replacements for `Math.max(...all)` and `Math.min(...all)`, which throw from about 100,000 numbers on. */

/** Returns the largest number; -Infinity when there are none. */
export const largest = (numbers: Iterable<number>): number => {
  let most = -Infinity
  for (const each of numbers) most = Math.max(most, each)
  return most
}

/** Returns the smallest number; Infinity when there are none. */
export const smallest = (numbers: Iterable<number>): number => {
  let least = Infinity
  for (const each of numbers) least = Math.min(least, each)
  return least
}

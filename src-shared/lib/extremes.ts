/** Of any number of numbers: `Math.max(...all)` throws from some 100,000 on. */

/** -Infinity when there are none. */
export const largest = (numbers: Iterable<number>): number => {
  let most = -Infinity
  for (const each of numbers) most = Math.max(most, each)
  return most
}

/** Infinity when there are none. */
export const smallest = (numbers: Iterable<number>): number => {
  let least = Infinity
  for (const each of numbers) least = Math.min(least, each)
  return least
}

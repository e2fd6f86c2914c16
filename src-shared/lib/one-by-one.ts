/**
 * Returns a function that runs changes one after the other, even after a failure. Each call returns the promise of its
 * own change.
 */
export function oneByOne(): <T>(change: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const mine = last.then(change, change)
    last = mine.catch(() => {})
    return mine
  }
}

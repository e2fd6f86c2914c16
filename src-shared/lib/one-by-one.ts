/** Runs one change after the other, whether or not the one before went well. Each promise is its own change's. */
export function oneByOne(): <T>(change: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const mine = last.then(change, change)
    last = mine.catch(() => {})
    return mine
  }
}

/**
 * Runs tasks that arrive together one at a time, with the rest of the event loop in between: four pages that arrive at
 * once would otherwise be parsed in one task and block it. Resolves when it is the caller's turn.
 */
export type Turns = () => Promise<void>

export function createTurns(): Turns {
  let last = Promise.resolve()
  return () => {
    last = last.then(
      () =>
        new Promise((resolve) => {
          setImmediate(resolve)
        }),
    )
    return last
  }
}

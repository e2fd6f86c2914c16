/**
 * Lets work that came in together be done one piece at a time, with everything else of the event loop in between: four
 * pages that arrive at once would otherwise be parsed and passed on in one stroke, and stall it. Resolves when it is the
 * caller's turn.
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

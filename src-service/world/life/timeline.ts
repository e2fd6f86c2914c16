/** Planned events on a time of its own, which begins at 0 and passes only by `advance`. */
export type Timeline = {
  /** Returns the present moment, ms since the beginning. */
  now(): number
  /** Plans `act` for that moment; one in the past runs with the next advance. */
  at(ms: number, act: () => void): void
  /**
   * Advances the time by `ms`: due events run in order, and may plan more. A failed one runs first with the next call.
   */
  advance(ms: number): void
}

export function startTimeline(): Timeline {
  const due: { at: number; act: () => void }[] = []
  let [now, end] = [0, 0]
  return {
    now: () => now,
    at(ms, act) {
      // Plans are mostly made in order, so the position is searched from the end.
      let place = due.length
      while (place > 0 && (due[place - 1]?.at ?? 0) > ms) place -= 1
      due.splice(place, 0, { at: ms, act })
    },
    advance(ms) {
      end += ms
      for (let next = due[0]; next && next.at <= end; next = due[0]) {
        now = Math.max(now, next.at)
        next.act()
        // Removed after it is done: a failed one stays due, and runs first with the next advance.
        due.splice(due.indexOf(next), 1)
      }
      now = end
    },
  }
}

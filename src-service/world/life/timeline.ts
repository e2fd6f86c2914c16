/** What is planned for moments of a time of its own, which begins at 0 and passes only when it is told to. */
export type Timeline = {
  /** The moment that it is now, ms since the beginning. */
  now(): number
  /** `act` is done at that moment; one that has passed already comes at once with the next advance. */
  at(ms: number, act: () => void): void
  /** Lets `ms` milliseconds pass: what is due is done in the order of its moments, and may plan more. What throws is done first with the next call. */
  advance(ms: number): void
}

export function startTimeline(): Timeline {
  const due: { at: number; act: () => void }[] = []
  let [now, end] = [0, 0]
  return {
    now: () => now,
    at(ms, act) {
      // Plans are mostly made in order, so their place is looked for from the end.
      let place = due.length
      while (place > 0 && (due[place - 1]?.at ?? 0) > ms) place -= 1
      due.splice(place, 0, { at: ms, act })
    },
    advance(ms) {
      end += ms
      for (let next = due[0]; next && next.at <= end; next = due[0]) {
        now = Math.max(now, next.at)
        next.act()
        // Not before it is done: what throws stays due, and comes first with the next advance.
        due.splice(due.indexOf(next), 1)
      }
      now = end
    },
  }
}

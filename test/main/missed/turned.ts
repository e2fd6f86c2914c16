import type { Clock } from '../../../src-shared/lib/clock.ts'

/** A clock that the story turns. Between two moments everything that can go on does, as far as the event loop's turns below. */
export interface TurnedClock extends Clock {
  advance(ms: number): Promise<void>
  /** The wall clock goes on while nothing runs: the computer slept. */
  sleep(ms: number): void
}

interface Timer {
  at: number
  run: () => void
}

/** An answer takes three turns from its arrival to its commit, and several wait for each other. */
const turns = 8

export async function settle(rounds = turns): Promise<void> {
  for (let round = 0; round < rounds; round += 1)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}

/** `rest` resolves when whatever can go on at this moment has gone on. */
export function turnedClock(
  start = Date.parse('2026-11-21T03:00:00Z'),
  rest: () => Promise<void> = settle,
): TurnedClock {
  let monotonic = 0
  let apart = start
  const timers = new Set<Timer>()
  const next = (until: number): Timer | null => {
    let first: Timer | null = null
    for (const timer of timers) if (timer.at <= until && (first === null || timer.at < first.at)) first = timer
    return first
  }
  return {
    now: () => apart + monotonic,
    monotonic: () => monotonic,
    after(ms, run) {
      const timer = { at: monotonic + Math.max(0, Math.round(ms)), run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const end = monotonic + ms
      await rest()
      for (let timer = next(end); timer !== null; timer = next(end)) {
        timers.delete(timer)
        monotonic = Math.max(monotonic, timer.at)
        timer.run()
        await rest()
      }
      monotonic = end
    },
    sleep(ms) {
      apart += ms
    },
  }
}

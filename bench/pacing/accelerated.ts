import { startRandom } from '../../src-service/world/random.ts'
import { systemClock, wait, type Clock } from '../../src-shared/lib/clock.ts'

/**
 * A clock that runs `factor` times as fast as the machine's from `start` (ms since the epoch): the same in all
 * processes with it.
 */
export interface Pace {
  factor: number
  start: number
}

export function clockAt({ factor, start }: Pace): Clock {
  return {
    now: () => Math.round(start + (Date.now() - start) * factor),
    monotonic: () => performance.now() * factor,
    after: (ms, run) => systemClock.after(ms / factor, run),
  }
}

/**
 * Returns a fetch with a seeded delay by this clock: mostly below half a second, one in ten 4 to 13 s. Answers arrive
 * out of order.
 */
export function lateFetch(fetch: typeof globalThis.fetch, clock: Clock, seed: number): typeof globalThis.fetch {
  const random = startRandom(seed)
  return async (input, init) => {
    const signal = init?.signal ?? undefined
    const late = random.chance(0.1) ? random.int(4_000, 13_000) : random.int(30, 430)
    await wait(clock, late / 2, signal)
    const response = await fetch(input, init)
    await wait(clock, late / 2, signal)
    return response
  }
}

/** An operation that was rejected for its points, with the values of its answer. */
export interface Rejected {
  /** By the clock in use, ms; and when its rate window ends. */
  at: number
  resetAt: number
  status: number
  cost: number
  remaining: number
}

/** Returns the same fetch; `onRejected` is called for each 429, and for each operation above the cost limit. */
export function watchedFetch(
  fetch: typeof globalThis.fetch,
  clock: Clock,
  onRejected: (rejected: Rejected) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const figure = (name: string): number => Number(response.headers.get(name) ?? Number.NaN)
    const [cost, at] = [figure('graphql-ratelimit-querycost'), clock.now()]
    if (response.status === 429 || cost > 10_000)
      onRejected({
        at,
        resetAt: at + figure('ratelimit-reset') * 1000,
        status: response.status,
        cost,
        remaining: figure('ratelimit-remaining'),
      })
    return response
  }
}

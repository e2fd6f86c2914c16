import type { Clock } from '../../../src-shared/lib/clock.ts'

/** How many events come, a second. */
export interface Rate {
  count(): void
  /** Returns the events a second, over the last five seconds. */
  perSecond(): number
  stop(): void
}

const overSeconds = 5

/** Calls `onChange` each second while there is a rate. */
export function createRate(clock: Clock, onChange: () => void): Rate {
  /** Events by their second. */
  const seconds = new Map<number, number>()
  let cancel: (() => void) | null = null
  const now = () => Math.floor(clock.monotonic() / 1000)
  const prune = () => {
    for (const second of seconds.keys()) if (second <= now() - overSeconds) seconds.delete(second)
  }
  const tick = () => {
    cancel = null
    prune()
    onChange()
    if (seconds.size > 0) cancel = clock.after(1000, tick)
  }
  return {
    count() {
      const second = now()
      seconds.set(second, (seconds.get(second) ?? 0) + 1)
      cancel ??= clock.after(1000, tick)
    },
    perSecond() {
      prune()
      return [...seconds.values()].reduce((sum, count) => sum + count, 0) / overSeconds
    },
    stop: () => cancel?.(),
  }
}

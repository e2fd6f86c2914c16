import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Log } from '../ports.ts'

/** A line of the core's log; `at` in ms by the wall clock. */
export interface LogLine {
  at: number
  level: Parameters<Log>[0]
  text: string
}

export interface RingLog {
  log: Log
  /** The lines of this span (ms, both ends with it) that are still remembered, in the order in which they were written. */
  lines(from: number, until: number): LogLine[]
}

/** A line that is longer is remembered in part: memory has a bound. */
const longest = 2000

/** A log that writes on, and remembers the last `keep` lines for evidence. What is noted for debugging would push out the rest: it is not remembered. */
export function ringLog(log: Log, clock: Pick<Clock, 'now'>, keep = 2000): RingLog {
  const kept: LogLine[] = []
  let next = 0
  return {
    log(level, text) {
      log(level, text)
      if (level === 'debug' || keep < 1) return
      kept[next] = { at: clock.now(), level, text: text.length > longest ? `${text.slice(0, longest)}…` : text }
      next = (next + 1) % keep
    },
    lines: (from, until) => [...kept.slice(next), ...kept.slice(0, next)].filter(({ at }) => from <= at && at <= until),
  }
}

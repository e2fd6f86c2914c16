import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Log } from '../ports.ts'

/** A line of the core's log; `at` is wall-clock time in ms. */
export interface LogLine {
  at: number
  level: Parameters<Log>[0]
  text: string
}

export interface RingLog {
  log: Log
  /** Returns the kept lines of a span (ms, both ends included), in the order in which they were written. */
  lines(from: number, until: number): LogLine[]
}

/** The maximum number of characters kept of a line, because memory is bounded. */
const longest = 2000

/**
 * Returns a log that writes to `log` and keeps the last `keep` lines for evidence, without those of level `debug`,
 * which would displace the others.
 */
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

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
  /** Returns the retained lines of a span (ms, both ends included), in the order in which they were written. */
  lines(from: number, until: number): LogLine[]
}

/** The maximum number of characters retained of a line, because memory is bounded. */
const maxLineLength = 2000

/**
 * Returns a log that writes to `log` and retains the last `maxLines` lines for evidence, without those of level `debug`,
 * which would displace the others.
 */
export function ringLog(log: Log, clock: Pick<Clock, 'now'>, maxLines = 2000): RingLog {
  const retained: LogLine[] = []
  let next = 0
  return {
    log(level, text) {
      log(level, text)
      if (level === 'debug' || maxLines < 1) return
      retained[next] = {
        at: clock.now(),
        level,
        text: text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text,
      }
      next = (next + 1) % maxLines
    },
    lines: (from, until) =>
      [...retained.slice(next), ...retained.slice(0, next)].filter(({ at }) => from <= at && at <= until),
  }
}

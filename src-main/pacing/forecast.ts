import type { Gauge } from '../../src-shared/gauge.ts'
import { windowMs } from './ledger.ts'

/** What has still to be paid. */
export interface Unpaid {
  points: number
  /** Time that the requests take beside waiting for points. */
  ms: number
}

type Means = Pick<Gauge, 'limit' | 'remaining' | 'resetAt' | 'reserve' | 'ceiling'>

/** The last moments of a window, when the reserve comes free: see `allowance.ts`. */
const releaseMs = 5_000

/** In how many further windows it is paid, and when it is done; `now` in ms since the epoch, as `resetAt`. */
export function forecast({ points, ms }: Unpaid, { limit, remaining, resetAt, reserve, ceiling }: Means, now: number): NonNullable<Gauge['forecast']> {
  const whole = Math.max(1, Math.min(limit, ceiling ?? limit))
  const early = Math.max(0, Math.min(remaining - reserve, ceiling ?? Infinity))
  const told = { points: Math.round(points) }
  if (points <= early) return { ...told, windows: 0, doneAt: Math.round(now + ms) }
  const reset = Math.max(now, resetAt ?? now + windowMs)
  const late = Math.max(early, Math.min(remaining, whole))
  if (points <= late) return { ...told, windows: 0, doneAt: Math.round(Math.max(now + ms, reset - releaseMs)) }
  const windows = Math.ceil((points - late) / whole)
  const rest = points - late - (windows - 1) * whole
  const inLast = rest <= whole - reserve ? Math.min(ms, windowMs) : windowMs - releaseMs
  return { ...told, windows, doneAt: Math.round(reset + (windows - 1) * windowMs + inLast) }
}

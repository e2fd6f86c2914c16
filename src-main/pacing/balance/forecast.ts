import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { releaseMs } from '../admission.ts'
import { windowMs } from './ledger.ts'

/** What has still to be paid. */
export interface Unpaid {
  points: number
  /** Time that the requests take beside waiting for points. */
  ms: number
}

/** Points that may be spent: in this window at once and by its end, and in each one after it. */
export interface Means {
  early: number
  late: number
  whole: number
  /** What comes free in the last moments of a window only. */
  reserve: number
  /** Ms since the epoch; null: nobody has named it. */
  resetAt: number | null
}

/** In how many further windows it is paid, and when it is done; `now` in ms since the epoch. */
export function forecast(
  { points, ms }: Unpaid,
  { early, late, whole, reserve, resetAt }: Means,
  now: number,
): NonNullable<Gauge['forecast']> {
  const result = { points: Math.round(points) }
  if (points <= early) return { ...result, windows: 0, doneAt: Math.round(now + ms) }
  const reset = Math.max(now, resetAt ?? now + windowMs)
  if (points <= late) return { ...result, windows: 0, doneAt: Math.round(Math.max(now + ms, reset - releaseMs)) }
  const windows = Math.ceil((points - late) / whole)
  const rest = points - late - (windows - 1) * whole
  const inLast = rest <= whole - reserve ? Math.min(ms, windowMs) : windowMs - releaseMs
  return { ...result, windows, doneAt: Math.round(reset + (windows - 1) * windowMs + inLast) }
}

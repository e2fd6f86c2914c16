import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { releaseMs } from '../admission.ts'
import { windowMs } from './ledger.ts'

/** The points and the time that a sync still needs. */
export interface Unpaid {
  points: number
  /** Time that the requests take without waiting for points, ms. */
  ms: number
}

/** Points that may be spent: `early` at once, `late` by the end of this rate window, `whole` in each later one. */
export interface Means {
  early: number
  late: number
  whole: number
  /** Points that are released only in the last moments of a rate window. */
  reserve: number
  /** Ms since the epoch; null: unknown. */
  resetAt: number | null
}

/**
 * Returns in how many further rate windows the points can be spent, and when the work is done; `now` in ms since the
 * epoch.
 */
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

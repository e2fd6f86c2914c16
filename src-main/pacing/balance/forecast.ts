import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { releaseMs } from '../admission.ts'
import { windowMs } from './ledger.ts'

/** The points and the time that a sync still needs. */
export interface RemainingWork {
  points: number
  /** Time that the requests take without waiting for points, ms. */
  ms: number
}

/** Points that may be spent: `early` at once, `late` by the end of this rate window, `perWindow` in each later one. */
export interface Budget {
  early: number
  late: number
  perWindow: number
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
  { points, ms }: RemainingWork,
  { early, late, perWindow, reserve, resetAt }: Budget,
  now: number,
): NonNullable<Gauge['forecast']> {
  const result = { points: Math.round(points) }
  if (points <= early) return { ...result, windows: 0, doneAt: Math.round(now + ms) }
  const reset = Math.max(now, resetAt ?? now + windowMs)
  if (points <= late) return { ...result, windows: 0, doneAt: Math.round(Math.max(now + ms, reset - releaseMs)) }
  const windows = Math.ceil((points - late) / perWindow)
  const rest = points - late - (windows - 1) * perWindow
  const inLast = rest <= perWindow - reserve ? Math.min(ms, windowMs) : windowMs - releaseMs
  return { ...result, windows, doneAt: Math.round(reset + (windows - 1) * windowMs + inLast) }
}

import { wallTime, type Clock } from '../../src-shared/lib/clock.ts'
import type { Gauge } from '../../src-shared/model/gauge.ts'
import type { Account, Item } from './balance/account.ts'
import {
  ceilingOf,
  decide,
  othersNow,
  reserveNow,
  reserveOf,
  unreportedShare,
  type AdmissionState,
} from './admission.ts'
import type { Budget } from './balance/forecast.ts'
import { queueOrder } from './queue.ts'

interface ReportSource {
  queue: readonly (Item & { since: number })[]
  account: Account
  options: { clock: Clock }
}

type Reported = Pick<Gauge, 'waiting' | 'waits' | 'reserve' | 'forOthers' | 'ceiling' | 'paused'>

/** Returns the waiting requests with their reasons, and the points kept for each party. */
export function report(source: ReportSource, admission: AdmissionState): Reported {
  const { policy } = admission
  const forOthers = othersNow(admission)
  return {
    waiting: source.queue.length,
    waits: waitsOf(source, admission),
    reserve: Math.round(reserveNow(admission) + forOthers),
    forOthers: Math.round(forOthers),
    ceiling: policy.backgroundLimitPercent >= 100 ? null : ceilingOf(admission),
    paused: policy.backgroundPaused,
  }
}

function waitsOf({ queue, account, options: { clock } }: ReportSource, admission: AdmissionState): Gauge['waits'] {
  const waits = new Map<string, Gauge['waits'][number]>()
  for (const entry of queueOrder(queue, clock.monotonic())) {
    const verdict = decide(entry.lane, account.maxCost(entry), admission)
    const why = verdict.go ? 'turn' : verdict.why
    const until = verdict.go || verdict.at === null ? null : wallTime(clock, verdict.at)
    const key = `${entry.lane} ${entry.name} ${why}`
    waits.set(key, { name: entry.name, lane: entry.lane, why, until, count: (waits.get(key)?.count ?? 0) + 1 })
  }
  return [...waits.values()]
}

/**
 * Returns the points that a sync may spend in this rate window and in later ones. `usual`: points that other clients
 * take of a window.
 */
export function budgetOf(clock: Clock, admission: AdmissionState, usual: number): Budget {
  const { balance, inBackground, inFlight } = admission
  const late = Math.max(
    0,
    Math.min(balance.remaining - inFlight - unreportedShare(admission), ceilingOf(admission) - inBackground),
  )
  return {
    perWindow: perWindow(admission, usual),
    late,
    early: Math.max(0, late - reserveNow(admission) - othersNow(admission)),
    reserve: reserveOf(admission),
    resetAt: balance.resetSpan === null ? null : wallTime(clock, balance.resetSpan.until),
  }
}

/**
 * Returns the points of a rate window that Muster may use: the reserve included, since it is released at the end,
 * without the share above the ceiling, the usual use of other clients, and the unused share where the service does not
 * report what is left.
 */
export function perWindow(admission: AdmissionState, usual: number): number {
  return Math.max(1, Math.min(ceilingOf(admission), admission.balance.limit - unreportedShare(admission) - usual))
}

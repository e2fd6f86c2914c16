import { wallTime, type Clock } from '../../src-shared/lib/clock.ts'
import type { Gauge } from '../../src-shared/model/gauge.ts'
import type { Account, Item } from './account.ts'
import {
  ceilingOf,
  decide,
  othersNow,
  reserveNow,
  reserveOf,
  unreportedShare,
  type AdmissionState,
} from './admission.ts'
import type { Means } from './forecast.ts'
import { queueOrder } from './queue.ts'

interface Line {
  queue: readonly (Item & { since: number })[]
  account: Account
  options: { clock: Clock }
}

type Reported = Pick<Gauge, 'waiting' | 'waits' | 'reserve' | 'forOthers' | 'ceiling' | 'paused'>

/** What waits and why, and what is kept for whom, as things stand. */
export function report(line: Line, standing: AdmissionState): Reported {
  const { policy } = standing
  const forOthers = othersNow(standing)
  return {
    waiting: line.queue.length,
    waits: waitsOf(line, standing),
    reserve: Math.round(reserveNow(standing) + forOthers),
    forOthers: Math.round(forOthers),
    ceiling: policy.ceilingPercent >= 100 ? null : ceilingOf(standing),
    paused: policy.backgroundPaused,
  }
}

function waitsOf({ queue, account, options: { clock } }: Line, standing: AdmissionState): Gauge['waits'] {
  const waits = new Map<string, Gauge['waits'][number]>()
  for (const entry of queueOrder(queue, clock.monotonic())) {
    const verdict = decide(entry.lane, account.mostOf(entry), standing)
    const why = verdict.go ? 'turn' : verdict.why
    const until = verdict.go || verdict.at === null ? null : wallTime(clock, verdict.at)
    const key = `${entry.lane} ${entry.name} ${why}`
    waits.set(key, { name: entry.name, lane: entry.lane, why, until, count: (waits.get(key)?.count ?? 0) + 1 })
  }
  return [...waits.values()]
}

/** What a reading has to go by, in this window and in those to come. `usual`: what others take of a window. */
export function means(clock: Clock, standing: AdmissionState, usual: number): Means {
  const { balance, byItself, kept } = standing
  const late = Math.max(
    0,
    Math.min(balance.remaining - kept - unreportedShare(standing), ceilingOf(standing) - byItself),
  )
  return {
    whole: perWindow(standing, usual),
    late,
    early: Math.max(0, late - reserveNow(standing) - othersNow(standing)),
    reserve: reserveOf(standing),
    resetAt: balance.turns === null ? null : wallTime(clock, balance.turns.until),
  }
}

/** The reserve comes free in the last moments, so all is Muster's but what lies above the ceiling, what others usually take, and a part of it where nobody tells what is left. */
export function perWindow(standing: AdmissionState, usual: number): number {
  return Math.max(1, Math.min(ceilingOf(standing), standing.balance.limit - unreportedShare(standing) - usual))
}

import type { Gauge, Lane, Cost } from '../../../src-shared/model/gauge.ts'
import { numberText, many } from './numbers.ts'
import { clockTime, countdown, span, type Times } from './time.ts'

export const laneLabels: Record<Lane, string> = {
  person: 'Your actions',
  reconcile: 'Reconciliation',
  visible: 'On screen',
  background: 'Background',
}

/** A lane of Muster's, or the other clients of a credential set. */
export type Party = Lane | 'others'
export const partyLabels: Record<Party, string> = { ...laneLabels, others: 'Other clients' }

/** Returns for example "84,200 of 100,000 points left", and says when the numbers are a guess. */
export function pointsText(gauge: Gauge): string {
  const words = `${numberText(gauge.remaining)} of ${numberText(gauge.limit)} points left`
  if (gauge.known) return words
  return hasAnswered(gauge) ? `${words}, a guess` : `${words}, a guess until the service answers`
}

/**
 * Returns whether the service has answered. A guess before that differs from one about a service that returns no
 * balance.
 */
export function hasAnswered({ basis, recent }: Gauge): boolean {
  return basis !== 'guess' || recent.length > 0
}

/**
 * Returns for example "resets in 23 s", or how long ago the reset was when nothing newer is known; '' before the first
 * answer.
 */
export function resetText({ resetAt }: Gauge, now: number): string {
  if (resetAt === null) return ''
  return resetAt > now ? `resets in ${countdown(resetAt, now)}` : `reset ${span(now - resetAt)} ago`
}

/**
 * Returns the gauge with the service's last own balance, without later estimates, for a service that no longer answers.
 */
export function lastKnownText(gauge: Gauge): Gauge {
  return gauge.reported === undefined ? gauge : { ...gauge, remaining: gauge.reported.remaining }
}

/**
 * Returns for example "last known at 19:31:07; reset since, so probably 100,000", for a balance that is no longer
 * updated. Returns "last known" when its time is unknown, and '' before the first answer.
 */
export function staleText({ reported, known, limit }: Gauge, now: number, times: Times): string {
  if (reported === undefined) return known ? 'last known' : ''
  return `last known at ${clockTime(reported.at, now, times)}${reported.resetAt > now ? '' : `; reset since, so probably ${numberText(limit)}`}`
}

/** Returns the short form of `staleText`: "at 19:31, reset since". */
export function staleShort({ reported, known }: Gauge, now: number, times: Times): string {
  if (reported === undefined) return known ? 'last known' : ''
  return `at ${clockTime(reported.at, now, times).slice(0, -3)}${reported.resetAt > now ? '' : ', reset since'}`
}

/** Returns the gauge with the smallest share of its limit left; undefined without one. */
export function scarcest(gauges: readonly Gauge[]): Gauge | undefined {
  return byShare(gauges)[0]
}

/** Returns the gauges, the scarcest first. */
export function byShare(gauges: readonly Gauge[]): Gauge[] {
  return gauges.toSorted((one, other) => share(one) - share(other))
}

/** Returns the remaining share of the limit, 0 to 1. */
export function share({ remaining, limit }: Pick<Gauge, 'remaining' | 'limit'>): number {
  return partOf(remaining, limit)
}

/** A balance below this share of a rate window is low: it pays for hardly more than one expensive operation. */
export const littleShare = 0.15

export function isLow(gauge: Pick<Gauge, 'remaining' | 'limit'>): boolean {
  return share(gauge) < littleShare
}

/** Returns the position of points on a meter, 0 to 1. */
export function partOf(points: number, limit: number): number {
  return limit <= 0 ? 0 : Math.max(0, Math.min(1, points / limit))
}

/** Returns the points that background work used in this rate window: all except the operator's actions. */
export function usedByItself({ burned }: Pick<Gauge, 'burned'>): number {
  return burned.reconcile + burned.visible + burned.background
}

/** Returns the points that will be left when background work has reached its limit; null without one. */
export function stopsAt(gauge: Gauge): number | null {
  if (gauge.ceiling === null) return null
  return Math.max(0, gauge.remaining - Math.max(0, gauge.ceiling - usedByItself(gauge)))
}

/** Returns for example "20k" or "1.5M", for the scale of a dial. */
export function shortNumber(points: number): string {
  return short.format(points).replace('K', 'k')
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Returns for example "420 devices, 2,400 points, about 3 s", with "perhaps" before points that are a guess. */
export function costText({ points, windows, ms, devices, known }: Cost): string {
  const spread = windows > 1 ? ` over ${many(windows, 'minute')}` : ''
  return `${many(devices, 'device')}, ${known ? '' : 'perhaps '}${many(points, 'point')}${spread}, about ${span(Math.max(1000, ms))}`
}

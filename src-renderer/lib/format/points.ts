import type { Gauge, Lane, Cost } from '../../../src-shared/model/gauge.ts'
import { numberText, many } from './numbers.ts'
import { clockTime, countdown, span, type Times } from './time.ts'

export const laneLabels: Record<Lane, string> = {
  person: 'Your actions',
  reconcile: 'Catching up',
  visible: 'On screen',
  background: 'Background',
}

/** "84,200 of 100,000 points left"; says when the figures are a guess. */
export function pointsText(gauge: Gauge): string {
  const words = `${numberText(gauge.remaining)} of ${numberText(gauge.limit)} points left`
  if (gauge.known) return words
  return hasAnswered(gauge) ? `${words}, a guess` : `${words}, a guess until the service answers`
}

/** A guess before the first answer is another than that about a service which tells no figures. */
export function hasAnswered({ basis, recent }: Gauge): boolean {
  return basis !== 'guess' || recent.length > 0
}

/** "resets in 23 s"; past that moment nothing newer is known, and it says so. "" before the first answer. */
export function resetText({ resetAt }: Gauge, now: number): string {
  if (resetAt === null) return ''
  return resetAt > now ? `resets in ${countdown(resetAt, now)}` : `reset ${span(now - resetAt)} ago`
}

/** The balance as the service said it last, without what was reckoned since: for one that no service tells any more. */
export function lastKnownText(gauge: Gauge): Gauge {
  return gauge.said === undefined ? gauge : { ...gauge, remaining: gauge.said.remaining }
}

/** "last known at 19:31:07; reset since, so probably 100,000": for a figure that no service tells any more. "last known" where the time is not; "" before the first answer. */
export function staleText({ said, known, limit }: Gauge, now: number, times: Times): string {
  if (said === undefined) return known ? 'last known' : ''
  return `last known at ${clockTime(said.at, now, times)}${said.resetAt > now ? '' : `; reset since, so probably ${numberText(limit)}`}`
}

/** The same where there is little room: "at 19:31, reset since". */
export function staleShort({ said, known }: Gauge, now: number, times: Times): string {
  if (said === undefined) return known ? 'last known' : ''
  return `at ${clockTime(said.at, now, times).slice(0, -3)}${said.resetAt > now ? '' : ', reset since'}`
}

/** The one with the least left, in share of its limit: what holds Muster up first. Undefined when there is none. */
export function scarcest(gauges: readonly Gauge[]): Gauge | undefined {
  return byShare(gauges)[0]
}

/** The scarcest first. */
export function byShare(gauges: readonly Gauge[]): Gauge[] {
  return gauges.toSorted((one, other) => share(one) - share(other))
}

/** 0 to 1. */
export function share({ remaining, limit }: Pick<Gauge, 'remaining' | 'limit'>): number {
  return partOf(remaining, limit)
}

/** Less than this share of a window is little: one dear operation, and hardly another. */
export const littleShare = 0.15

export function isLow(gauge: Pick<Gauge, 'remaining' | 'limit'>): boolean {
  return share(gauge) < littleShare
}

/** Where a meter of what is left marks points, 0 to 1. */
export function partOf(points: number, limit: number): number {
  return limit <= 0 ? 0 : Math.max(0, Math.min(1, points / limit))
}

/** What Muster used by itself in this window: all but the operator's own acts. */
export function usedByItself({ burned }: Pick<Gauge, 'burned'>): number {
  return burned.reconcile + burned.visible + burned.background
}

/** Points that will be left when Muster has used by itself all that the ceiling allows; null without a ceiling. */
export function stopsAt(gauge: Gauge): number | null {
  if (gauge.ceiling === null) return null
  return Math.max(0, gauge.remaining - Math.max(0, gauge.ceiling - usedByItself(gauge)))
}

/** "20k", "1.5M": for the scale of a dial. */
export function shortNumber(points: number): string {
  return short.format(points).replace('K', 'k')
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** "420 devices, 2,400 points, about 3 s"; "perhaps" before points that nothing similar was charged for. */
export function costText({ points, windows, ms, devices, known }: Cost): string {
  const spread = windows > 1 ? ` over ${many(windows, 'minute')}` : ''
  return `${many(devices, 'device')}, ${known ? '' : 'perhaps '}${many(points, 'point')}${spread}, about ${span(Math.max(1000, ms))}`
}

import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { lanes } from '../../../src-shared/model/gauge.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import type { Party } from '../../lib/format/points.ts'
import { clockTime, type Times } from '../../lib/format/time.ts'

export type SetHour = CallOutput<'points.hour'>['sets'][number]
type Minute = SetHour['minutes'][number]

export const minuteMs = 60_000
export const minutesShown = 60

/** Lanes and other clients, in the order in which they are stacked. */
export const parties: readonly Party[] = [...lanes, 'others']

export const pointsOf = (minute: Minute, party: Party): number =>
  party === 'others' ? minute.others : minute.burned[party]

export const usedIn = (minute: Minute): number => parties.reduce((sum, party) => sum + pointsOf(minute, party), 0)

/** Returns the parts of a minute's column from the bottom, in points; `from`: where it begins. */
export function stackOf(minute: Minute): { party: Party; from: number; points: number }[] {
  const parts: { party: Party; from: number; points: number }[] = []
  let from = 0
  for (const party of parties) {
    const points = pointsOf(minute, party)
    if (points > 0) parts.push({ party, from, points })
    from += points
  }
  return parts
}

/** Returns the start (ms) of the first minute of the hour that ends with this one. */
export const firstMinute = ({ until }: SetHour): number => until - (until % minuteMs) - (minutesShown - 1) * minuteMs

/** Returns the use of all minutes, from 0 where nothing was used; null before the record begins. */
export function usedByMinute(hour: SetHour): (number | null)[] {
  const [first, byMinute] = [firstMinute(hour), new Map(hour.minutes.map((minute) => [minute.at, minute]))]
  return Array.from({ length: minutesShown }, (_, index) => {
    const at = first + index * minuteMs
    const minute = byMinute.get(at)
    if (minute !== undefined) return usedIn(minute)
    return at + minuteMs <= hour.from ? null : 0
  })
}

/**
 * Returns the top of the chart, points: a little above the busiest minute, and never less than a tenth of the limit, so that a
 * little does not look like much.
 */
export function topOf({ limit, minutes }: SetHour): number {
  const most = minutes.reduce((high, minute) => Math.max(high, usedIn(minute)), 0)
  const steps = [0.1, 0.25, 0.5, 1].map((share) => share * limit)
  return steps.find((step) => most <= step) ?? most
}

/** Returns the sum of an hour: "12,400 points used, at most 3,100 of 100,000 in one minute (02:10). 2 queries were rejected." */
export function hourText(hour: SetHour, times: Times): string {
  const used = hour.minutes.reduce((sum, minute) => sum + usedIn(minute), 0)
  const busiest = hour.minutes.toSorted((one, other) => usedIn(other) - usedIn(one))[0]
  if (busiest === undefined || used === 0) return `Nothing was used${rejectedText(hour)}.`
  const when = clockTime(busiest.at, hour.until, times).slice(0, -3)
  return `${many(used, 'point')} used, at most ${numberText(usedIn(busiest))} of ${numberText(hour.limit)} in one minute (${when})${rejectedText(hour)}.`
}

function rejectedText(hour: SetHour): string {
  const rejected = rejectedOf(hour)
  return rejected === 0 ? '' : `; ${many(rejected, 'query was', 'queries were')} rejected`
}

export const rejectedOf = ({ minutes }: SetHour): number => minutes.reduce((sum, { rejected }) => sum + rejected, 0)

/** Returns the credential sets, those with rejections first, then by the share of their limit in their busiest minute. */
export function byNeed(sets: readonly SetHour[]): SetHour[] {
  const most = ({ minutes, limit }: SetHour) =>
    limit <= 0 ? 0 : minutes.reduce((high, minute) => Math.max(high, usedIn(minute)), 0) / limit
  return sets.toSorted((one, other) => rejectedOf(other) - rejectedOf(one) || most(other) - most(one))
}

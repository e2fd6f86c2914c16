import { assertNever } from '../../../src-shared/model/fault.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { numberText, many } from './numbers.ts'
import { inventoryName } from './operations.ts'
import { hasAnswered, usedByItself } from './points.ts'
import { age, clockTime, countdown, type Times } from './time.ts'

type Wait = Gauge['waits'][number]

/** Returns why a request waits, and until when: "Waiting for the reset, in 23 s". */
export function waitReasonText({ why, until }: Pick<Wait, 'why' | 'until'>, now: number): string {
  const when = until === null || until <= now ? '' : `, in ${countdown(until, now)}`
  switch (why) {
    case 'service':
      return `The service asks to wait${when}`
    case 'points':
      return `Waiting for the reset${when}`
    case 'reserve':
      return `Reserved for you until the last seconds${when}`
    // It is considered again every second, so a time would say nothing.
    case 'others':
      return 'Left to other clients'
    case 'ceiling':
      return `Background limit reached; after the reset${when}`
    case 'paused':
      return 'You paused background work'
    case 'turn':
      return 'Waiting for its turn'
    default:
      return assertNever(why)
  }
}

/** Returns the remaining cost of the running sync and its end; '' when none runs or nothing is known of it. */
export function forecastText({ forecast, paused, waits }: Gauge, now: number, times: Times): string {
  if (forecast === null || forecast.points <= 0) return ''
  const head = `The running sync still needs ${numberText(forecast.points)} points`
  if (isSyncPaused({ paused, waits })) return `${head}, once you resume background work.`
  const span = forecast.windows === 0 ? 'done before the reset' : `done after ${many(forecast.windows, 'more reset')}`
  return `${head}: ${span}, ${forecast.doneAt <= now ? 'any moment now' : `at about ${clockTime(forecast.doneAt, now, times)}`}.`
}

/** Returns the source of the numbers. */
export function basisText(gauge: Gauge): string {
  if (!hasAnswered(gauge)) return 'No response yet. Muster starts with one query at a time.'
  switch (gauge.basis) {
    case 'headers':
      return gauge.known
        ? 'The service reports the points with each response.'
        : 'The service reports each query’s cost, but no balance. Muster adds up the costs.'
    case 'field':
      return gauge.known
        ? 'The service reports the points on request. Muster asks with each query.'
        : 'Muster asks for each query’s cost. The service reports no balance; Muster adds up the costs.'
    case 'guess':
      return 'The service reports no points. Muster uses half of the usual limit.'
    default:
      return assertNever(gauge.basis)
  }
}

/** Returns for example "Other clients used at least 3,200 points."; '' when none did as far as is known. */
export function othersText({ others }: Pick<Gauge, 'others'>): string {
  return others > 0 ? `Other clients of this credential set used at least ${many(others, 'point')}.` : ''
}

/** Returns the rejected operations; '' when there were none. */
export function rejectionText({ rejections }: Pick<Gauge, 'rejections'>, now: number): string {
  if (rejections.count === 0) return ''
  const last =
    rejections.at === null ? '' : `, ${rejections.count === 1 ? '' : 'the last time '}${age(rejections.at, now)}`
  return `Since Muster started, the service rejected ${many(rejections.count, 'query', 'queries')} for lack of points${last}. Muster asks again after the reset.`
}

/** Returns the points that background work leaves, and for whom: "10,000 points, and 3,200 for other clients". */
export function reserveText({ reserve, forOthers }: Pick<Gauge, 'reserve' | 'forOthers'>): string {
  const own = reserve - forOthers
  if (reserve <= 0) return 'none'
  if (own <= 0) return `none for you; ${many(forOthers, 'point')} for other clients`
  return `${many(own, 'point')}${forOthers > 0 ? `, and ${numberText(forOthers)} for other clients` : ''}`
}

/** Returns for example "60,000 per minute, 15,800 used", or "none" without a limit. */
export function ceilingText(gauge: Pick<Gauge, 'ceiling' | 'burned'>): string {
  return gauge.ceiling === null
    ? 'none'
    : `${numberText(gauge.ceiling)} per minute, ${numberText(usedByItself(gauge))} used`
}

/**
 * Returns whether a sync of the inventory waits because the operator paused background work. Extra columns may wait for
 * that while a sync goes on.
 */
export function isSyncPaused({ paused, waits }: Pick<Gauge, 'paused' | 'waits'>): boolean {
  return paused && waits.some(({ name, why }) => why === 'paused' && name === inventoryName)
}

import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import type { Check, LinkState } from '../../../src-shared/model/connection.ts'
import type { ClockSkew } from './clock-skew.ts'

/**
 * The monitoring checks (design, section 4, invariant 4): before a device counts as down, Muster checks whether its own
 * monitoring works. Pure.
 */

/** The input of a connection's checks. Times in ms since the epoch; null where it does not apply. */
export interface Facts {
  link: LinkState
  /** Since when neither the live connection nor polling works. */
  downSince: number | null
  /** The reason. */
  fault: Fault | null
  /** Since when events cannot be written, and the reason. */
  unwritten: { since: number; fault: Fault } | null
  /** Since when a subscription is missing that the service has ended, and that is requested again. */
  subscriptionLostSince: number | null
  /** With polling only: true while polls succeed. */
  readable: boolean
  /** Since when a Ping has no answer, once that is late. */
  lateSince: number | null
  token: { since: number; fault: Fault } | null
  /** When lost time was found, until the service has answered again. */
  lostAt: number | null
  skew: ClockSkew | null
  /** True when an answer has reported the service's time in this run; no points are known before. */
  hasServiceTime: boolean
  /** Since when a comparison waits for points. */
  comparingSince: number | null
  /** True when it waits because the service asks to, and not for points. */
  isAskedToWait: boolean
}

/**
 * A check, and its effect on the devices that only this connection sees. `lost`: they are unknown until they are
 * compared again. `uncertain`: unknown until the doubt has passed, and then as before. `visible`: none.
 */
export interface Finding extends Check {
  visibility: 'visible' | 'uncertain' | 'lost'
}

/** Returns the five checks, in the order of the model. */
export function findings(facts: Facts): Finding[] {
  return [linkOf(facts), tokenOf(facts), heartbeatOf(facts), clockOf(facts), balanceOf(facts)]
}

export const checkOf = ({ check, state, since, detail }: Finding): Check => ({ check, state, since, detail })

const ok = (check: Check['check'], detail: string): Finding => ({
  check,
  state: 'ok',
  since: null,
  detail,
  visibility: 'visible',
})
const doubt = (
  check: Check['check'],
  since: number | null,
  detail: string,
  visibility: Finding['visibility'],
): Finding => ({
  check,
  state: 'doubt',
  since,
  detail,
  visibility,
})

function linkOf({ link, downSince, fault, unwritten, subscriptionLostSince, readable }: Facts): Finding {
  if (link.state === 'live') {
    // Events wait, in order: the shown status may be wrong.
    if (unwritten !== null)
      return doubt(
        'link',
        unwritten.since,
        `Events of the service cannot be stored on this computer. ${explain(unwritten.fault).title}`,
        'uncertain',
      )
    // The data thread gets the ids of the devices concerned.
    if (subscriptionLostSince !== null)
      return doubt(
        'link',
        subscriptionLostSince,
        'The service has ended a subscription. Muster asks for it again.',
        'visible',
      )
    if (link.partly !== undefined)
      return ok(
        'link',
        `The live connection covers ${link.partly.live} of ${link.partly.of} devices. The others are polled.`,
      )
    return ok('link', 'The live connection is up.')
  }
  if (link.state === 'polling' && readable)
    return ok(
      'link',
      `${link.failing === undefined ? 'The service has no live stream.' : `The live connection fails. ${explain(link.failing).title}`} Its readings succeed.`,
    )
  return doubt('link', downSince, fault === null ? 'The live connection is not up yet.' : explain(fault).title, 'lost')
}

function tokenOf({ token, hasServiceTime }: Facts): Finding {
  if (token === null && !hasServiceTime) return ok('token', 'No access token was used yet.')
  return token === null
    ? ok('token', 'Nothing is wrong with the access token.')
    : doubt('token', token.since, explain(token.fault).title, 'lost')
}

function heartbeatOf({ link, lateSince }: Facts): Finding {
  if (lateSince !== null)
    return doubt('heartbeat', lateSince, 'The service has not yet answered the last Ping.', 'uncertain')
  return ok('heartbeat', link.state === 'live' ? 'The service answers.' : 'No answer is waited for.')
}

/**
 * Returns the check of the clock. After lost time monitoring is lost until the service answers. A wrong clock is only
 * reported: the status of devices does not depend on it, and a console without monitoring would miss every drop.
 */
function clockOf({ lostAt, skew, hasServiceTime }: Facts): Finding {
  if (lostAt !== null)
    return doubt(
      'clock',
      lostAt,
      'This computer slept, or its clock was set. What happened meanwhile is not known yet.',
      'lost',
    )
  if (!hasServiceTime) return ok('clock', 'The service has not reported its time yet.')
  if (skew === null) return ok('clock', 'This computer’s clock does not differ much from the service’s.')
  return doubt('clock', skew.since, skewText(skew), 'visible')
}

/** Returns the difference of the clocks as text; in hours or days where it is large. */
export function skewText({ ms }: Pick<ClockSkew, 'ms'>): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minutes']
      : minutes < 48 * 60
        ? [Math.round(minutes / 60), 'hours']
        : [Math.round(minutes / (24 * 60)), 'days']
  return `This computer’s clock is ${count} ${unit} ${ms > 0 ? 'ahead of' : 'behind'} the service’s.`
}

/**
 * Returns the check of the balance. Devices that wait to be compared are unknown: they had no event since the link is
 * live.
 */
function balanceOf({ comparingSince, isAskedToWait, hasServiceTime }: Facts): Finding {
  if (comparingSince === null && !hasServiceTime) return ok('balance', 'The service has not reported its points yet.')
  if (comparingSince === null) return ok('balance', 'There are points for what has to be compared.')
  if (isAskedToWait)
    return doubt(
      'balance',
      comparingSince,
      'The service is unavailable, and asks to wait. What was missed is compared when that is over.',
      'visible',
    )
  return doubt(
    'balance',
    comparingSince,
    'The points are used up. What was missed is compared when the balance resets.',
    'visible',
  )
}

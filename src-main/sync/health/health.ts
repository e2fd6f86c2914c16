import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import type { Check, LinkState } from '../../../src-shared/model/connection.ts'
import type { ClockSkew } from './clock-skew.ts'

/**
 * "Is it me?" (design, section 4, invariant 4): before a device is called down, Muster looks whether it is itself that
 * cannot see. Pure.
 */

/** The facts that the checks of a connection need. Times in ms since the epoch; null where it is not so. */
export interface Facts {
  link: LinkState
  /** Since when neither a live connection nor readings in its place stand. */
  downSince: number | null
  /** Why not. */
  fault: Fault | null
  /** Since when events cannot be written, and why. */
  unwritten: { since: number; fault: Fault } | null
  /** Since when the service has a subscription ended that is asked for again. */
  subscriptionLostSince: number | null
  /** Where readings are all there is: whether they succeed. */
  readable: boolean
  /** Since when a Ping has had no answer, once that is late. */
  lateSince: number | null
  token: { since: number; fault: Fault } | null
  /** When time was found to be lost of which the service has not yet been heard since. */
  lostAt: number | null
  skew: ClockSkew | null
  /** Whether an answer of the service has told its time in this run; none could tell its points before. */
  timeTold: boolean
  /** Since when a comparison waits because there are no points. */
  comparingSince: number | null
  /** It waits because the service asks for that, and not for points. */
  isAskedToWait: boolean
}

/**
 * A check, and what it means for the devices that only this connection sees. `blind`: they are unknown until they are
 * compared again. `holds`: unknown until the doubt has passed, and then as they were. `sees`: nothing, as a whole.
 */
export interface Finding extends Check {
  visibility: 'sees' | 'holds' | 'blind'
}

/** The five checks, in the order of the model. */
export function findings(facts: Facts): Finding[] {
  return [linkOf(facts), tokenOf(facts), heartbeatOf(facts), clockOf(facts), balanceOf(facts)]
}

export const checkOf = ({ check, state, since, detail }: Finding): Check => ({ check, state, since, detail })

const ok = (check: Check['check'], detail: string): Finding => ({
  check,
  state: 'ok',
  since: null,
  detail,
  visibility: 'sees',
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
    // It waits, in order: what is shown until then may be wrong.
    if (unwritten !== null)
      return doubt(
        'link',
        unwritten.since,
        `What the service tells cannot be kept on this computer. ${explain(unwritten.fault).title}`,
        'holds',
      )
    // Which devices that concerns the data thread is told by their ids.
    if (subscriptionLostSince !== null)
      return doubt(
        'link',
        subscriptionLostSince,
        'The service has ended a subscription. Muster asks for it again.',
        'sees',
      )
    if (link.partly !== undefined)
      return ok(
        'link',
        `The live connection stands for ${link.partly.live} of ${link.partly.of} devices. The others are read again and again.`,
      )
    return ok('link', 'The live connection stands.')
  }
  if (link.state === 'polling' && readable)
    return ok(
      'link',
      `${link.failing === undefined ? 'The service has no live stream.' : `The live connection fails. ${explain(link.failing).title}`} Its readings succeed.`,
    )
  return doubt(
    'link',
    downSince,
    fault === null ? 'The live connection does not stand yet.' : explain(fault).title,
    'blind',
  )
}

function tokenOf({ token, timeTold }: Facts): Finding {
  if (token === null && !timeTold) return ok('token', 'No access token was used yet.')
  return token === null
    ? ok('token', 'Nothing is wrong with the access token.')
    : doubt('token', token.since, explain(token.fault).title, 'blind')
}

function heartbeatOf({ link, lateSince }: Facts): Finding {
  if (lateSince !== null)
    return doubt('heartbeat', lateSince, 'The service has not yet answered the last Ping.', 'holds')
  return ok('heartbeat', link.state === 'live' ? 'The service answers.' : 'No answer is waited for.')
}

/**
 * Lost time blinds until the service is heard again. A clock that is merely wrong is told and blinds nobody: what the
 * service says of a device does not hang on it, and a console that were grey for as long would miss every drop.
 */
function clockOf({ lostAt, skew, timeTold }: Facts): Finding {
  if (lostAt !== null)
    return doubt(
      'clock',
      lostAt,
      'This computer slept, or its clock was set. What happened meanwhile is not known yet.',
      'blind',
    )
  if (!timeTold) return ok('clock', 'The service has not reported its time yet.')
  if (skew === null) return ok('clock', 'This computer’s clock does not differ much from the service’s.')
  return doubt('clock', skew.since, skewText(skew), 'sees')
}

/** Returns by how much the clocks differ, in words; in hours and days where minutes say little. */
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

/** A device that waits to be compared is unknown as it is: nothing was heard of it since the link stands. */
function balanceOf({ comparingSince, isAskedToWait, timeTold }: Facts): Finding {
  if (comparingSince === null && !timeTold) return ok('balance', 'The service has not reported its points yet.')
  if (comparingSince === null) return ok('balance', 'There are points for what has to be compared.')
  if (isAskedToWait)
    return doubt(
      'balance',
      comparingSince,
      'The service is unavailable, and asks to wait. What was missed is compared when that is over.',
      'sees',
    )
  return doubt(
    'balance',
    comparingSince,
    'The points are used up. What was missed is compared when the balance resets.',
    'sees',
  )
}

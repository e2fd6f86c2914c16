import { explain } from '../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { checkLabels } from '../../src-shared/text/checks.ts'
import { code, inline } from './markdown.ts'
import type { Stamps } from './stamps.ts'

/** The properties of a connection that reports contain, without its secret and client id. */
export type ConnectionFacts = Pick<
  ConnectionState,
  | 'id'
  | 'name'
  | 'graphqlUrl'
  | 'subscriptionUrl'
  | 'hasSubscription'
  | 'paused'
  | 'link'
  | 'lastEventAt'
  | 'lastReadingAt'
  | 'heardAt'
  | 'faults'
  | 'checks'
>

/** The maximum number of faults that are listed; the number of the others is added. */
const maxFaults = 10

/** Writes times into a text. */
type Times = Pick<Stamps, 'at'>

/** Returns the state of a connection's live link as text. */
export function statusItem({ paused, link }: Pick<ConnectionFacts, 'paused' | 'link'>, stamps: Times): string {
  if (paused) return 'paused by the operator'
  switch (link.state) {
    case 'off':
      return 'off'
    case 'connecting':
      return `connecting, attempt ${link.attempt + 1}`
    case 'live':
      return `live since ${stamps.at(link.since)}`
    case 'waiting':
      return `broken: attempt ${link.attempt + 1} at ${stamps.at(link.retryAt)}`
    case 'polling':
      return `${link.failing === undefined ? 'no live stream' : 'the live connection fails'}: changes are seen at readings`
  }
}

export const timeOr = (at: number | null, stamps: Times, none = 'never'): string => (at === null ? none : stamps.at(at))

/** Returns the faults of a connection, oldest first, as list items. */
export function faultItems({ faults }: Pick<ConnectionFacts, 'faults'>, stamps: Times): string[] {
  const shown = faults.slice(0, maxFaults).map(({ where, fault, at }) => {
    const detail = fault.detail === '' ? '' : ` ${inline(fault.detail)}`
    return `${stamps.at(at)}, ${inline(where)}: ${explain(fault).title}${detail}`
  })
  return faults.length > maxFaults ? [...shown, `${faults.length - maxFaults} more faults`] : shown
}

/** Returns the state of a connection as list items. */
export function connectionItems(connection: ConnectionFacts, stamps: Stamps): string[] {
  const { graphqlUrl, subscriptionUrl, hasSubscription, heardAt, lastEventAt, lastReadingAt } = connection
  const faults = faultItems(connection, stamps)
  return [
    `Queries go to ${addressText(graphqlUrl)}, subscriptions to ${addressText(subscriptionUrl)}`,
    ...(hasSubscription ? ['It has a subscription document of its own, which is not the one below'] : []),
    `Live link: ${statusItem(connection, stamps)}`,
    `Last answer of the service: ${timeOr(heardAt, stamps)}`,
    `Last event: ${timeOr(lastEventAt, stamps)}`,
    `Last sync: ${timeOr(lastReadingAt, stamps)}`,
    ...selfCheckItems(connection, stamps),
    ...(faults.length === 0 ? ['No faults'] : faults.map((fault) => `Fault: ${fault}`)),
  ]
}

/** Returns Muster's doubts about its own checks of a connection, as list items. */
function selfCheckItems({ checks }: Pick<ConnectionFacts, 'checks'>, stamps: Stamps): string[] {
  if (checks.length === 0) return []
  const doubts = checks.filter(({ state }) => state === 'doubt')
  if (doubts.length === 0)
    return [`Monitoring healthy: checked ${checks.map(({ check }) => checkLabels[check]).join(', ')}`]
  return doubts.map(
    ({ check, since, detail }) =>
      `Muster may be wrong because of its own ${checkLabels[check]}${since === null ? '' : ` since ${stamps.at(since)}`}: ${inline(detail)}`,
  )
}

/** Returns an address as text without the parts that may contain secrets. */
function addressText(address: string): string {
  const url = URL.parse(address)
  return url === null
    ? 'an address that cannot be read'
    : code(`${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`)
}

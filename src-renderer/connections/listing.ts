import type { ConnectionState } from '../../src-shared/model.ts'
import { isBlind } from '../words/link.ts'
import { inTrouble, worstFault } from '../words/trouble.ts'

/** Heads of the list of connections that it can be sorted by. */
export const columns = ['name', 'link', 'reading', 'event', 'fault'] as const
export type Column = (typeof columns)[number]

export interface Listing {
  /** Every word must be found in name, addresses or client id; case does not count. */
  text: string
  /** Only those in trouble. */
  troubled: boolean
  column: Column
  direction: 'ascending' | 'descending'
}

export const firstListing: Listing = { text: '', troubled: false, column: 'name', direction: 'ascending' }

/** The connections that the listing asks for, in its order; those that are equal in it stand by name. */
export function listed(connections: readonly ConnectionState[], { text, troubled, column, direction }: Listing): ConnectionState[] {
  const words = text.toLowerCase().split(/\s+/u).filter((word) => word !== '')
  const sign = direction === 'ascending' ? 1 : -1
  return connections
    .filter((connection) => (!troubled || inTrouble(connection)) && words.every((word) => haystack(connection).includes(word)))
    .toSorted((one, other) => sign * orders[column](one, other) || byName(one, other))
}

function haystack({ name, tokenUrl, graphqlUrl, subscriptionUrl, clientId }: ConnectionState): string {
  return [name, tokenUrl, graphqlUrl, subscriptionUrl, clientId].join('\n').toLowerCase()
}

const collator = new Intl.Collator('en', { numeric: true })
const byName = (one: ConnectionState, other: ConnectionState) => collator.compare(one.name, other.name)

/** Ascending puts first what asks for the operator: trouble, the oldest, a fault. */
const orders: Record<Column, (one: ConnectionState, other: ConnectionState) => number> = {
  name: byName,
  link: (one, other) => rank(one) - rank(other),
  reading: (one, other) => (one.lastReadingAt ?? 0) - (other.lastReadingAt ?? 0),
  event: (one, other) => (one.lastEventAt ?? 0) - (other.lastEventAt ?? 0),
  fault: (one, other) => Number(worstFault(one) === null) - Number(worstFault(other) === null),
}

function rank(connection: ConnectionState): number {
  if (inTrouble(connection)) return 0
  if (connection.paused) return 3
  return isBlind(connection) ? 1 : 2
}

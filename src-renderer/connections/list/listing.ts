import type { Gauge } from '../../../src-shared/model/gauge.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { total } from '../../lib/format/numbers.ts'
import { isBlind } from '../../lib/format/connection-status.ts'
import { faultText, isFaulty } from '../../lib/format/faults.ts'

/** Heads of the list of connections that it can be sorted by. */
export const columns = ['name', 'link', 'devices', 'offline', 'points', 'reading', 'event', 'fault'] as const
export type Column = (typeof columns)[number]

export interface Listing {
  /** Every word must be found in name, addresses or client id; case does not count. */
  text: string
  /** Only those in trouble. */
  faulty: boolean
  column: Column
  direction: 'ascending' | 'descending'
}

export const firstListing: Listing = { text: '', faulty: false, column: 'name', direction: 'ascending' }

/** What the list shows of each connection beside its state, by its id; null: not known. */
export interface Metrics {
  devices(id: string): number | null
  offline(id: string): number | null
  /** Points left in the present rate window of its credential set. */
  points(id: string): number | null
}

export function metricsOf(counts: ReadonlyMap<string, Counts> | null, gauges: readonly Gauge[]): Metrics {
  const known = (id: string): Counts | null => counts?.get(id) ?? null
  const points = new Map(
    gauges.flatMap(({ connections, known: told, remaining }) =>
      told ? connections.map((id) => [id, remaining] as const) : [],
    ),
  )
  return {
    devices(id) {
      const found = known(id)
      return found && total(found)
    },
    offline: (id) => known(id)?.disconnected ?? null,
    points: (id) => points.get(id) ?? null,
  }
}

/** The connections that the listing asks for, in its order; those that are equal in it stand by name. */
export function listed(
  connections: readonly ConnectionState[],
  { text, faulty, column, direction }: Listing,
  metrics: Metrics,
): ConnectionState[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  const sign = direction === 'ascending' ? 1 : -1
  return connections
    .filter(
      (connection) => (!faulty || isFaulty(connection)) && words.every((word) => haystack(connection).includes(word)),
    )
    .toSorted((one, other) => sign * orders[column](one, other, metrics) || byName(one, other))
}

function haystack({ name, tokenUrl, graphqlUrl, subscriptionUrl, clientId }: ConnectionState): string {
  return [name, tokenUrl, graphqlUrl, subscriptionUrl, clientId].join('\n').toLowerCase()
}

const collator = new Intl.Collator('en', { numeric: true })
const byName = (one: ConnectionState, other: ConnectionState) => collator.compare(one.name, other.name)

type Order = (one: ConnectionState, other: ConnectionState, metrics: Metrics) => number

/** What is not known comes before all numbers. */
const byMetric =
  (name: keyof Metrics): Order =>
  (one, other, metrics) =>
    (metrics[name](one.id) ?? -1) - (metrics[name](other.id) ?? -1)

/** Ascending puts first what asks for the operator: trouble, the oldest, a fault; numbers go up. */
const orders: Record<Column, Order> = {
  name: byName,
  devices: byMetric('devices'),
  offline: byMetric('offline'),
  points: byMetric('points'),
  link: (one, other) => rank(one) - rank(other),
  reading: (one, other) => (one.lastReadingAt ?? 0) - (other.lastReadingAt ?? 0),
  event: (one, other) => (one.lastEventAt ?? 0) - (other.lastEventAt ?? 0),
  fault: (one, other) => Number(faultText(one) === null) - Number(faultText(other) === null),
}

function rank(connection: ConnectionState): number {
  if (isFaulty(connection)) return 0
  if (connection.paused) return 3
  return isBlind(connection) ? 1 : 2
}

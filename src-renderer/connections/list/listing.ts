import type { Gauge } from '../../../src-shared/model/gauge.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { total } from '../../lib/format/numbers.ts'
import { isMonitoringLost } from '../../lib/format/connection-status.ts'
import { faultText, isFaulty } from '../../lib/format/faults.ts'

/** The columns by which the list can be sorted. */
export const columns = ['name', 'link', 'devices', 'offline', 'points', 'reading', 'event', 'fault'] as const
export type Column = (typeof columns)[number]

export interface Listing {
  /** Words that name, addresses or client id must contain, regardless of case. */
  text: string
  /** Lists only connections with errors. */
  faulty: boolean
  column: Column
  direction: 'ascending' | 'descending'
}

export const firstListing: Listing = { text: '', faulty: false, column: 'name', direction: 'ascending' }

/** Metrics of each connection by its id; null when unknown. */
export interface Metrics {
  devices(id: string): number | null
  offline(id: string): number | null
  /** Returns the remaining points of its credential set in the present rate window. */
  points(id: string): number | null
}

export function metricsOf(counts: ReadonlyMap<string, Counts> | null, gauges: readonly Gauge[]): Metrics {
  const known = (id: string): Counts | null => counts?.get(id) ?? null
  const points = new Map(
    gauges.flatMap(({ connections, known: isKnown, remaining }) =>
      isKnown ? connections.map((id) => [id, remaining] as const) : [],
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

/** Returns the listed connections in order. Equal ones are sorted by name. */
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

/** Sorts by a metric. Unknown values come before all numbers. */
const byMetric =
  (name: keyof Metrics): Order =>
  (one, other, metrics) =>
    (metrics[name](one.id) ?? -1) - (metrics[name](other.id) ?? -1)

/**
 * The ascending orders. The connections that need the operator come first: errors, the oldest, faults. Numbers go up.
 */
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
  return isMonitoringLost(connection) ? 1 : 2
}

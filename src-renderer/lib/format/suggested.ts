import { isolated } from '../../../src-shared/text/direction.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'

type Connection = Pick<ConnectionState, 'name' | 'notOffered'>

/** Returns which services do not offer the field of a column or a device's detail; '' when all of them do. */
export function suggestionText(field: string, connections: readonly Connection[]): string {
  const lacking = connections.filter(({ notOffered = [] }) => notOffered.includes(field))
  if (lacking.length === 0) return ''
  if (lacking.length === connections.length)
    return connections.length === 1 ? 'Not offered by this service' : 'Not offered by these services'
  const [first, ...others] = lacking
  return `Not offered by ${isolated(first?.name ?? '')}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** Returns the service's field of a base column. */
export const fieldOf = (column: string): string => (column === 'status' ? 'connected' : column)

/**
 * Returns the name of a line of the tree. When no service that lists the tenant offers sites or rooms, it says so
 * instead of "No site".
 */
export function placeName(
  { kind, name, connections: ids }: Pick<TreeRow, 'kind' | 'name' | 'connections'>,
  connections: readonly (Connection & { id: string })[],
): string {
  if (ids === undefined || (kind !== 'site' && kind !== 'room')) return name
  const listing = connections.filter(({ id }) => ids.includes(id))
  if (listing.length === 0 || !listing.every(({ notOffered = [] }) => notOffered.includes(kind))) return name
  return `${kind === 'site' ? 'Site' : 'Room'} not offered by ${listing.length === 1 ? 'this service' : 'these services'}`
}

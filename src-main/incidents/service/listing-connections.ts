import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'

export interface ListingDeps {
  data: Pick<InventoryData, 'locations'>
  connections: () => readonly ConnectionState[]
}

/** Returns the connections that list any of these tenants. `tenants`: their keys. */
export async function listingConnections(
  { data, connections }: ListingDeps,
  tenants: ReadonlySet<string>,
): Promise<ConnectionState[]> {
  const known = await data.locations({ keys: [], paused: [] })
  const ids = new Set(known.tenants.filter(({ key }) => tenants.has(key)).flatMap((tenant) => tenant.connections))
  return connections().filter(({ id }) => ids.has(id))
}

/** Returns the keys of the tenants that an incident concerns, as `listingConnections` takes them. */
export const tenantKeysOf = (about: readonly string[]): string[] => about.map((key) => key.replace(/\/$/u, ''))

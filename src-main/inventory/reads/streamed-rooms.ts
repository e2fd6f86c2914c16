import { isPlaceless } from '../engine/places.ts'
import type { Store } from '../store.ts'
import type { StreamedTenant } from '../thread/place-protocol.ts'

/** Returns the rooms of the tenants that a connection lists. */
export function streamedRooms({ inventory: { tenants, places } }: Store, connection: string): StreamedTenant[] {
  const byTenant = new Map<string, StreamedTenant>()
  for (const tenant of tenants.values())
    if (tenant.connections.has(connection))
      byTenant.set(tenant.key, { key: tenant.key, id: tenant.id, node: '', name: tenant.name, rooms: [] })
  for (const place of places.byIndex) {
    const tenant = place === null || place.tenant === null ? undefined : byTenant.get(place.tenant.key)
    if (place === null || tenant === undefined) continue
    if (place.kind === 'tenant') tenant.node = place.id
    const { kind, id, ref, name, parent, facts } = place
    if (kind !== 'room' || ref === null) continue
    const site = parent === null || isPlaceless(parent) ? '' : parent.name
    tenant.rooms.push({ id, ref, name, site, capacity: facts?.capacity ?? null })
  }
  return [...byTenant.values()]
}

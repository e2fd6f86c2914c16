import { at, codes, connectedAt } from './engine/columns.ts'
import { type Inventory, roomOf, slotsOf } from './engine/inventory.ts'
import { isPlaceless, type Place, rowCount, tenantPlace } from './engine/places.ts'
import { isSeen, type Tenant } from './engine/tenants.ts'
import { rowAt } from './engine/view.ts'
import type { Whereabouts } from './protocol.ts'

/** Where devices are and how they stand, each place named once (protocol.ts, `whereabouts`). */
export function whereabouts({ inventory }: { inventory: Inventory }, { keys }: { keys: string[] }): Whereabouts {
  const nodes: Whereabouts['nodes'] = []
  const known = new Map<Place, number>()
  const nodeOf = (place: Place): number => {
    const before = known.get(place)
    if (before !== undefined) return before
    const parent = place.parent ? nodeOf(place.parent) : null
    nodes.push({ id: place.id, kind: place.kind, name: place.name, placeless: isPlaceless(place), parent, devices: rowCount(place) })
    known.set(place, nodes.length - 1)
    return nodes.length - 1
  }
  return {
    devices: keys.flatMap((key) => {
      const slot = inventory.rows.slotOf.get(key)
      if (slot === undefined) return []
      const { name, connected, status } = rowAt(inventory, slot)
      return [{ key, name, connected, status, node: nodeOf(roomOf(inventory, slot)) }]
    }),
    tenants: [...inventory.tenants.values()].map((tenant) => sightOf(inventory, tenant, tenantPlace(inventory.places, tenant))),
    nodes,
  }
}

function sightOf(inventory: Inventory, tenant: Tenant, place: Place): Whereabouts['tenants'][number] {
  const { sessionStart, sessionConfirmed } = tenant.span
  return {
    key: tenant.key, id: place.id, name: tenant.name, devices: rowCount(place), seen: isSeen(tenant), read: tenant.lastFull !== null,
    behind: isSeen(tenant) && place.counts[codes.unknown] > 0 ? behindIn(inventory, tenant) : 0,
    seenSince: sessionStart, lastSeen: sessionConfirmed, connections: [...tenant.connections.keys()],
  }
}

function behindIn(inventory: Inventory, tenant: Tenant): number {
  const { rows } = inventory
  return slotsOf(inventory, tenant).filter((slot) => at(rows.status, slot) === codes.unknown && connectedAt(rows, slot) !== null && rows.doubted[slot] === 0).length
}

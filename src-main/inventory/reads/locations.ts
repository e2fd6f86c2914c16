import { claimsAt, visibleSinceAt } from '../engine/claims.ts'
import { at, statusCodes, connectedAt } from '../engine/columns/columns.ts'
import type { Journal } from '../../storage/journal/journal.ts'
import { type Inventory, roomOf, slotsOf } from '../engine/inventory.ts'
import { hasSpareTag, noteReader } from '../engine/notes.ts'
import { isPlaceless, onlyAccountAt, type Place, rowCount, tenantPlace, titleOf } from '../engine/places.ts'
import { asShown, notVisible, isVisible, type Tenant } from '../engine/tenants.ts'
import { rowAt } from '../engine/view.ts'
import type { DeviceLocations } from '../thread/protocol.ts'

/** Places and status of devices, each place once (protocol.ts, `locations`). */
export function locations(
  { inventory, journal }: { inventory: Inventory; journal: Pick<Journal, 'withdrawn'> },
  { keys, paused }: { keys: string[]; paused: string[] },
): DeviceLocations {
  const pausedConnections = new Set(paused)
  const nodes: DeviceLocations['nodes'] = []
  const known = new Map<Place, number>()
  const notesOf = noteReader(inventory)
  const nodeOf = (place: Place): number => {
    const before = known.get(place)
    if (before !== undefined) return before
    const parent = place.parent ? nodeOf(place.parent) : null
    nodes.push({
      id: place.id,
      kind: place.kind,
      name: titleOf(inventory.places, place),
      placeless: isPlaceless(place),
      parent,
      devices: rowCount(place),
      offline: at(place.counts, statusCodes.disconnected),
      ...onlyAccountAt(place),
    })
    known.set(place, nodes.length - 1)
    return nodes.length - 1
  }
  return {
    devices: keys.flatMap((key) => {
      const slot = inventory.rows.slotOf.get(key)
      if (slot === undefined) return []
      const { name, hardwareModel, connected, status } = rowAt(inventory, slot)
      const isSpare = hasSpareTag(notesOf(slot))
      const node = nodeOf(roomOf(inventory, slot))
      return [{ key, name, hardwareModel, connected, status, ...(isSpare && { isSpare }), node }]
    }),
    tenants: [...inventory.tenants.values()].map((tenant) =>
      visibilityOf(inventory, tenant, tenantPlace(inventory.places, tenant), pausedConnections),
    ),
    nodes,
    withdrawn: journal.withdrawn.keys().filter((key) => !inventory.tenants.has(key)),
  }
}

function visibilityOf(
  inventory: Inventory,
  tenant: Tenant,
  place: Place,
  paused: ReadonlySet<string>,
): DeviceLocations['tenants'][number] {
  const { sessionStart, sessionConfirmed } = tenant.sessions
  const shown = asShown(tenant, inventory.shown)
  const { unseen, behind } = notVisibleIn(inventory, shown, place, paused)
  return {
    key: tenant.key,
    id: place.id,
    name: tenant.name,
    region: tenant.region,
    devices: rowCount(place),
    seen: isVisible(shown) && unseen === 0,
    unseen,
    outdated: behind,
    read: tenant.lastSyncAt !== null,
    seenSince: sessionStart,
    lastSeen: sessionConfirmed,
    connections: [...tenant.connections.keys()],
  }
}

function notVisibleIn(
  inventory: Inventory,
  tenant: Tenant,
  place: Place,
  paused: ReadonlySet<string>,
): { unseen: number; behind: number } {
  const { rows } = inventory
  const found = { unseen: 0, behind: 0 }
  if (place.counts[statusCodes.unknown] === 0) return found
  if (!isVisible(tenant) && ![...tenant.connections.keys()].some((id) => paused.has(id)))
    return { ...found, unseen: rowCount(place) }
  for (const slot of slotsOf(inventory, tenant)) {
    if (at(rows.status, slot) !== statusCodes.unknown) continue
    if (visibleSinceAt(rows, slot, tenant) !== notVisible)
      found.behind += Number(connectedAt(rows, slot) !== null && rows.unconfirmed[slot] === 0)
    else found.unseen += Number(claimsAt(rows, slot).some(({ connection }) => !paused.has(connection)))
  }
  return found
}

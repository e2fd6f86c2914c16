import type { CacheReader } from '../storage/cache/cache.ts'
import type { StoredListing, StoredSight, StoredTenant } from '../storage/cache/rows.ts'
import { type Inventory, newInventory, newTouched, putRow, putTenant, refreshStatus } from './engine/inventory.ts'
import { directoryFrom, setDirectory } from './engine/listed-places.ts'
import { rename } from './engine/places.ts'
import { newTenant, notVisible, type Tenant } from './engine/tenants.ts'
import { deviceKey, tenantKey } from './keys.ts'
import { newRecentUpdates, type RecentUpdates, restoreUpdate } from './writes/recent-updates.ts'

/** The memory that a cache is read into. */
export interface ReadMemory extends CacheReader {
  readonly inventory: Inventory
  readonly recentUpdates: RecentUpdates
}

/**
 * Returns what reads a cache into memory. `isShared`: it is a copy of the team's, in which what was seen, and which report is
 * the later one, is as it was, so that it decides as all other copies do. Alone, each run begins anew: until a connection is
 * up, all cached devices are unknown.
 */
export function createCacheReader(isShared: boolean): ReadMemory {
  const inventory = newInventory()
  const recentUpdates = newRecentUpdates()
  if (isShared) inventory.shown = new Set()
  const touched = newTouched()
  return {
    inventory,
    recentUpdates,
    tenant(stored, listings) {
      const tenant = tenantFrom(stored, listings)
      if (isShared) restoreVisibility(tenant, stored, listings)
      putTenant(inventory, tenant, touched)
    },
    places(of, connection, stored) {
      const tenant = inventory.tenants.get(tenantKey(of.service, of.id))
      if (!tenant) return
      const directory = directoryFrom(tenant, isShared ? stored : { ...stored, requestOrder: 0 })
      setDirectory(inventory, tenant, connection, directory, touched)
    },
    device(of, stored, sight) {
      const tenant = inventory.tenants.get(tenantKey(of.service, of.id))
      if (!tenant) return
      const requestOrder = isShared ? stored.requestOrder : 0
      const { since, seenAt, placedAt, claims, staleFields } = stored
      putRow(
        inventory,
        tenant,
        {
          fields: stored,
          since,
          seenAt,
          placedAt,
          claims,
          requestOrder,
          // The names of listed places, which have order 0, are newer.
          namesOrder: -1,
          ...(staleFields !== undefined && { staleFields }),
        },
        touched,
      )
      if (isShared) restoreSight(inventory, tenant, stored.id, sight)
    },
    placeName(node, name, order) {
      const place = inventory.places.byId.get(node)
      if (!isShared || !place?.tenant) return
      place.nameOrder = order
      place.tenant.latestNameOrder = Math.max(place.tenant.latestNameOrder, order)
      rename(inventory.places, place, name)
    },
    recentUpdate(device, text) {
      if (isShared) restoreUpdate(recentUpdates, device, text)
    },
  }
}

function tenantFrom(stored: StoredTenant, listings: readonly StoredListing[]): Tenant {
  const { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed } = stored
  return {
    ...newTenant(stored.service, stored),
    lastSyncAt: stored.lastSyncAt,
    connections: new Map(listings.map(({ connection }) => [connection, notVisible])),
    sessions: { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed },
    syncedInSession: true,
  }
}

function restoreVisibility(tenant: Tenant, stored: StoredTenant, listings: readonly StoredListing[]): void {
  tenant.syncedInSession = stored.syncedInSession
  for (const { connection, visibleSince, suspended, unsubscribed } of listings) {
    tenant.connections.set(connection, visibleSince ?? notVisible)
    if (suspended) tenant.suspended.add(connection)
    if (unsubscribed.length > 0) tenant.unsubscribed.set(connection, new Set(unsubscribed))
  }
}

function restoreSight(
  inventory: Inventory,
  tenant: Tenant,
  id: string,
  { unconfirmed, handedOver, subscribedUntil }: StoredSight,
): void {
  const { rows } = inventory
  const slot = rows.slotOf.get(deviceKey(tenant.key, id))
  if (slot === undefined || !(unconfirmed || handedOver || subscribedUntil !== null)) return
  rows.unconfirmed[slot] = Number(unconfirmed)
  rows.handedOver[slot] = Number(handedOver)
  if (subscribedUntil !== null) rows.subscribedUntil.set(slot, subscribedUntil)
  refreshStatus(inventory, tenant, slot, newTouched())
}

import { claimsAt } from '../engine/claims.ts'
import type { Inventory } from '../engine/inventory.ts'
import { setUnconfirmed } from '../engine/visibility.ts'
import { notVisible, visibleSince, type Tenant } from '../engine/tenants.ts'
import type { InventoryData } from '../thread/protocol.ts'
import type { Change } from '../thread/change.ts'
import { commit, isShared, slotIn, type Store, tenantsListedBy, writeCache } from '../store.ts'

/** Makes devices unknown whose subscription was lost (protocol.ts, `subscriptionLost`). */
export function subscriptionLost(
  store: Store,
  { service, connection, ids, at }: Parameters<InventoryData['subscriptionLost']>[0],
): Change {
  const { inventory } = store
  const listed = tenantsListedBy(store, connection, service)
  return commit(store, {
    entries: [],
    keys: [],
    cache: null,
    memory(touched) {
      for (const tenant of listed) {
        for (const id of ids) {
          const slot = slotIn(store, tenant, id)
          if (slot === null || isSeenByAnother(inventory, slot, tenant, connection)) continue
          inventory.rows.subscribedUntil.set(slot, Math.min(inventory.rows.subscribedUntil.get(slot) ?? at, at))
          setUnconfirmed(inventory, tenant, slot, touched)
        }
      }
    },
  })
}

/** Sets the devices of a connection that have no subscription (protocol.ts, `unsubscribed`). */
export function unsubscribed(
  store: Store,
  { service, connection, ids }: Parameters<InventoryData['unsubscribed']>[0],
): void {
  const all = new Set(ids)
  const listed = tenantsListedBy(store, connection, service)
  if (isShared(store)) writeCache(store, (to) => listed.forEach((tenant) => to.unsubscribed(tenant, connection, ids)))
  for (const tenant of listed)
    if (all.size === 0) tenant.unsubscribed.delete(connection)
    else tenant.unsubscribed.set(connection, all)
}

/** True when another connection sees the row. A row of the shared claimant is seen by all. */
function isSeenByAnother({ rows }: Inventory, slot: number, tenant: Tenant, connection: string): boolean {
  const by = claimsAt(rows, slot).map((claim) => claim.connection)
  const others = by.includes('') ? [...tenant.connections.keys()] : by
  return others.some((other) => other !== connection && visibleSince(tenant, other) !== notVisible)
}

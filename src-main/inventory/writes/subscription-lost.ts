import { claimsAt } from '../engine/claims.ts'
import type { Inventory } from '../engine/inventory.ts'
import { doubtRow } from '../engine/visibility.ts'
import { blind, seenFrom, type Tenant } from '../engine/tenants.ts'
import type { Change, InventoryData } from '../thread/protocol.ts'
import { commit, slotIn, type Store } from '../store.ts'

/** Nobody hears of these devices for a while (protocol.ts, `subscriptionLost`). */
export function subscriptionLost(
  store: Store,
  { service, connection, ids, at }: Parameters<InventoryData['subscriptionLost']>[0],
): Change {
  const { inventory } = store
  const listed = [...inventory.tenants.values()].filter(
    (tenant) => tenant.service === service && tenant.connections.has(connection),
  )
  return commit(store, {
    entries: [],
    keys: [],
    disk: null,
    memory(touched) {
      for (const tenant of listed) {
        for (const id of ids) {
          const slot = slotIn(store, tenant, id)
          if (slot === null || isSeenByAnother(inventory, slot, tenant, connection)) continue
          inventory.rows.heardUntil.set(slot, Math.min(inventory.rows.heardUntil.get(slot) ?? at, at))
          doubtRow(inventory, tenant, slot, touched)
        }
      }
    },
  })
}

/** Nobody tells this connection of these devices (protocol.ts, `watched`). */
export function unsubscribed(
  { inventory }: Store,
  { service, connection, ids }: Parameters<InventoryData['unsubscribed']>[0],
): void {
  const all = new Set(ids)
  for (const tenant of inventory.tenants.values()) {
    if (tenant.service !== service || !tenant.connections.has(connection)) continue
    if (all.size === 0) tenant.watched.delete(connection)
    else tenant.watched.set(connection, all)
  }
}

/** A row that somebody without a name has brought is everybody's. */
function isSeenByAnother({ rows }: Inventory, slot: number, tenant: Tenant, connection: string): boolean {
  const by = claimsAt(rows, slot).map((claim) => claim.by)
  const others = by.includes('') ? [...tenant.connections.keys()] : by
  return others.some((other) => other !== connection && seenFrom(tenant, other) !== blind)
}

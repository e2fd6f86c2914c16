import { connectedAt, textAt } from '../engine/columns/columns.ts'
import { slotsOf } from '../engine/inventory.ts'
import type { InventoryData } from '../thread/protocol.ts'
import { tenantAt, type Store } from '../store.ts'

/** The devices and tenants of a service to sync first (protocol.ts, `priorities`). */
export function priorities(
  store: Store,
  { service, keys }: Parameters<InventoryData['priorities']>[0],
): Awaited<ReturnType<InventoryData['priorities']>> {
  const { rows, tenants } = store.inventory
  const first = new Map<string, string[]>()
  for (const key of keys) {
    const slot = rows.slotOf.get(key)
    if (slot === undefined) continue
    const tenant = tenantAt(store, slot)
    if (tenant.service === service) first.set(tenant.id, [...(first.get(tenant.id) ?? []), textAt(rows.id, slot)])
  }
  const own = [...tenants.values()].filter((tenant) => tenant.service === service)
  return {
    tenants: own.map((tenant) => ({
      id: tenant.id,
      first: first.get(tenant.id) ?? [],
      online: slotsOf(store.inventory, tenant).filter((slot) => connectedAt(rows, slot) === true).length,
    })),
  }
}

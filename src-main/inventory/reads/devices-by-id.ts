import { at } from '../engine/columns/columns.ts'
import type { Inventory } from '../engine/inventory.ts'
import { deviceKey } from '../keys.ts'
import type { InventoryData } from '../thread/protocol.ts'
import { tenantAt, type Store } from '../store.ts'

type Input = Parameters<InventoryData['devicesById']>[0]

/** The devices with these ids (protocol.ts, `devicesById`). */
export function devicesById(
  store: Store,
  { ids, connection }: Input,
): Awaited<ReturnType<InventoryData['devicesById']>> {
  const { inventory } = store
  const tenants = [...inventory.tenants.values()].filter(
    ({ connections }) => connection === null || connections.has(connection),
  )
  const keys = new Map<string, string[]>()
  const add = (id: string, key: string) => keys.set(id, [...(keys.get(id) ?? []), key])
  // Few ids are looked up in each tenant; of many all rows are read once.
  if (ids.length * tenants.length <= inventory.rows.top)
    for (const { key: tenant } of tenants)
      for (const id of new Set(ids)) {
        const key = deviceKey(tenant, id)
        if (inventory.rows.slotOf.has(key)) add(id, key)
      }
  else readAll(store, inventory, new Set(ids), new Set(tenants), add)
  return { devices: [...keys].map(([id, found]) => ({ id, keys: found })) }
}

function readAll(
  store: Store,
  { rows }: Inventory,
  ids: ReadonlySet<string>,
  tenants: ReadonlySet<ReturnType<typeof tenantAt>>,
  add: (id: string, key: string) => void,
): void {
  for (let slot = 0; slot < rows.top; slot += 1) {
    const id = rows.id[slot] ?? ''
    if (at(rows.alive, slot) === 1 && ids.has(id) && tenants.has(tenantAt(store, slot))) add(id, rows.key[slot] ?? '')
  }
}

import { at, textAt } from '../engine/columns/columns.ts'
import { rowCount, roomsBelow } from '../engine/places.ts'
import { deviceOfNode } from '../keys.ts'
import type { InventoryData } from '../thread/protocol.ts'
import { tenantAt, type Store } from '../store.ts'

/** The devices of a node that is smaller than a tenant (protocol.ts, `scopeDevices`). */
export function scopeDevices(
  store: Store,
  { scope, limit }: Parameters<InventoryData['scopeDevices']>[0],
): Awaited<ReturnType<InventoryData['scopeDevices']>>['devices'] {
  const { rows } = store.inventory
  const slots = slotsBelow(store, scope, limit)
  return (
    slots &&
    slots.map((slot) => {
      const { service, id } = tenantAt(store, slot)
      return { service, tenant: id, id: textAt(rows.id, slot) }
    })
  )
}

function slotsBelow({ inventory: { rows, places } }: Store, scope: string, limit: number): number[] | null {
  const device = deviceOfNode(scope)
  if (device !== null) return [rows.slotOf.get(device) ?? []].flat()
  const place = places.byId.get(scope)
  if (place === undefined || place.kind === 'region' || place.kind === 'tenant' || rowCount(place) > limit) return null
  const slots: number[] = []
  roomsBelow(place, (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) slots.push(slot)
  })
  return slots
}

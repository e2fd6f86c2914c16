import { at } from '../engine/columns/columns.ts'
import { claimsAt } from '../engine/claims.ts'
import { newTouched } from '../engine/inventory.ts'
import type { InventoryData } from '../thread/protocol.ts'
import type { Change } from '../thread/change.ts'
import { changeOf, commit, slotIn, type Store, tenantIn } from '../store.ts'
import { type Departures, applyDepartures, gonePlan, writeDepartures } from './departures.ts'
import { updateSince } from './recent-updates.ts'

/** Removes a connection's claims on devices that a complete list of ids lacks (protocol.ts, `departed`). */
export function departed(store: Store, input: Parameters<InventoryData['departed']>[0]): Change {
  const { service, connection, ids, requestOrder } = input
  const tenant = tenantIn(store, service, input.tenant)
  if (!tenant?.connections.has(connection)) return changeOf(store, newTouched())
  const { rows } = store.inventory
  const departures: Departures = { gone: [], changed: [] }
  for (const id of new Set(ids)) {
    const slot = slotIn(store, tenant, id)
    if (slot === null || at(rows.requestOrder, slot) > requestOrder) continue
    if (updateSince(store.recentUpdates, service, tenant.id, id, requestOrder)) continue
    const before = claimsAt(rows, slot)
    const claims = before.filter((claim) => claim.connection !== connection && claim.connection !== '')
    if (claims.length === 0) departures.gone.push(slot)
    else if (claims.length < before.length) departures.changed.push({ slot, claims })
  }
  if (departures.gone.length + departures.changed.length === 0) return changeOf(store, newTouched())
  return commit(store, {
    entries: [],
    ...gonePlan(store, departures, input.at),
    cache: (to) => writeDepartures(store, tenant, departures, to),
    memory: (touched) => {
      applyDepartures(store, tenant, departures, touched)
      touched.structure = true
    },
  })
}

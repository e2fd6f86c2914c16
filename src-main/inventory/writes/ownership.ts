import { type Claims, claimsAt } from '../engine/claims.ts'
import { newTouched, slotsOf } from '../engine/inventory.ts'
import { textAt } from '../engine/columns/columns.ts'
import { type Departures, takeDepartures, writeDepartures } from './departures.ts'
import type { Change, InventoryData } from '../thread/protocol.ts'
import { changeOf, commit, type Store, tenantIn } from '../store.ts'

/** Makes what one connection claims of a tenant the whole of what another one claims (protocol.ts, `adopt`). */
export function adopt(store: Store, { service, tenant: id, from, to }: Parameters<InventoryData['adopt']>[0]): Change {
  const tenant = tenantIn(store, service, id)
  if (!tenant || from === to || !tenant.connections.has(from) || !tenant.connections.has(to))
    return changeOf(store, newTouched())
  const { rows } = store.inventory
  const shared: Departures = { gone: [], changed: [] }
  for (const slot of slotsOf(store.inventory, tenant)) {
    const before = claimsAt(rows, slot)
    const claims = claimsLike(before, from, to)
    if (claims.length === 0) shared.gone.push(slot)
    else if (claims !== before) shared.changed.push({ slot, claims })
  }
  return commit(store, {
    entries: [],
    keys: shared.gone.map((slot) => textAt(rows.key, slot)),
    disk: shared.gone.length + shared.changed.length === 0 ? null : (to) => writeDepartures(store, tenant, shared, to),
    memory: (touched) => takeDepartures(store, tenant, shared, touched),
  })
}

/** The same list when nothing changes: then nothing is written. */
function claimsLike(before: Claims, from: string, to: string): Claims {
  const theirs = before.find(({ by }) => by === from)
  const claimed = before.some(({ by }) => by === to)
  if (theirs !== undefined && !claimed) return [...before, { by: to, generation: theirs.generation }]
  return theirs === undefined && claimed ? before.filter(({ by }) => by !== to) : before
}

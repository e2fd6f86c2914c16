import { type Claims, claimsAt } from '../engine/claims.ts'
import { newTouched, slotsOf } from '../engine/inventory.ts'
import { setDirectory } from '../engine/listed-places.ts'
import type { Tenant } from '../engine/tenants.ts'
import { type Departures, applyDepartures, gonePlan, writeDepartures } from './departures.ts'
import { writeDirectory } from './places.ts'
import type { InventoryData } from '../thread/protocol.ts'
import type { Change } from '../thread/change.ts'
import { changeOf, commit, type Store, tenantIn } from '../store.ts'

/** Gives one connection the claims and the places of another one on a tenant (protocol.ts, `adopt`). */
export function adopt(
  store: Store,
  { service, tenant: id, from, to, at }: Parameters<InventoryData['adopt']>[0],
): Change {
  const tenant = tenantIn(store, service, id)
  if (!tenant || from === to || !tenant.connections.has(from) || !tenant.connections.has(to))
    return changeOf(store, newTouched())
  const { rows } = store.inventory
  const shared: Departures = { gone: [], changed: [] }
  for (const slot of slotsOf(store.inventory, tenant)) {
    const before = claimsAt(rows, slot)
    const claims = adoptedClaims(before, from, to)
    if (claims.length === 0) shared.gone.push(slot)
    else if (claims !== before) shared.changed.push({ slot, claims })
  }
  const listed = listedBy(tenant, from)
  const list = listed === listedBy(tenant, to) ? null : listed
  return commit(store, {
    entries: [],
    ...gonePlan(store, shared, at),
    cache:
      shared.gone.length + shared.changed.length === 0 && list === null
        ? null
        : (writer) => {
            writeDepartures(store, tenant, shared, writer)
            if (list) writeDirectory(store, tenant, list, listedBy(tenant, to), writer.places(tenant, to))
          },
    memory: (touched) => {
      applyDepartures(store, tenant, shared, touched)
      if (list) setDirectory(store.inventory, tenant, to, list, touched)
    },
  })
}

const listedBy = ({ directories }: Tenant, connection: string) => directories.get(connection) ?? null

/** The claims after that; the same list when nothing changes. */
function adoptedClaims(before: Claims, from: string, to: string): Claims {
  const source = before.find(({ connection }) => connection === from)
  const claimed = before.some(({ connection }) => connection === to)
  if (source !== undefined && !claimed) return [...before, { connection: to, generation: source.generation }]
  return source === undefined && claimed ? before.filter(({ connection }) => connection !== to) : before
}

import type { CacheWriter } from '../../storage/cache/cache.ts'
import { type Claims, claimsAt } from '../engine/claims.ts'
import { textAt } from '../engine/columns/columns.ts'
import { removeRow, slotsOf, type Touched } from '../engine/inventory.ts'
import { setRowClaims } from '../engine/visibility.ts'
import type { Tenant } from '../engine/tenants.ts'
import type { Store, WritePlan } from '../store.ts'

/** The effect of removed claims on a tenant's rows: rows without claims are removed. */
export interface Departures {
  gone: number[]
  changed: { slot: number; claims: Claims }[]
}

export function departuresOf({ inventory }: Store, tenant: Tenant, after: (before: Claims) => Claims): Departures {
  const departures: Departures = { gone: [], changed: [] }
  for (const slot of slotsOf(inventory, tenant)) {
    const before = claimsAt(inventory.rows, slot)
    const claims = after(before)
    if (claims.length === 0) departures.gone.push(slot)
    else if (claims.length < before.length) departures.changed.push({ slot, claims })
  }
  return departures
}

/** The removed rows in a write: their keys, and the end of their names and places in the journal at `at` (ms). */
export function gonePlan(
  { inventory: { rows } }: Store,
  { gone }: Departures,
  at: number,
): Pick<WritePlan, 'keys' | 'departures'> {
  const keys = gone.map((slot) => textAt(rows.key, slot))
  return { keys, departures: { keys, prefixes: [], at } }
}

export function writeDepartures(
  { inventory: { rows } }: Store,
  tenant: Tenant,
  { gone, changed }: Departures,
  to: CacheWriter,
): void {
  for (const slot of gone) to.removeDevice(tenant, textAt(rows.id, slot))
  for (const { slot, claims } of changed) to.claims(tenant, textAt(rows.id, slot), claims)
}

export function applyDepartures(
  { inventory }: Store,
  tenant: Tenant,
  { gone, changed }: Departures,
  touched: Touched,
): void {
  for (const { slot, claims } of changed) setRowClaims(inventory, tenant, slot, claims, touched)
  for (const slot of gone) removeRow(inventory, slot, touched)
}

import { textAt } from '../engine/columns/columns.ts'
import { slotsOf } from '../engine/inventory.ts'
import { tenantKey } from '../keys.ts'
import type { Store } from '../store.ts'

/** The connections (ids) of each tenant (key) before a snapshot replaces a copy. */
export type Listing = ReadonlyMap<string, ReadonlySet<string>>

export function listingOf({ inventory, journal }: Store): Listing {
  const listing = new Map<string, Set<string>>()
  const add = (tenant: string, connection: string) =>
    listing.set(tenant, (listing.get(tenant) ?? new Set()).add(connection))
  for (const { key, connections } of inventory.tenants.values()) for (const id of connections.keys()) add(key, id)
  for (const connection of journal.withdrawn.connections())
    for (const { key } of journal.withdrawn.of(connection)) add(key, connection)
  return listing
}

/**
 * Erases of this member's own what is about connections that the team has removed while it was away, and about those of their
 * tenants and devices that a snapshot has nothing of, inside the transaction that has taken it in. The memory and `before` are those
 * of the copy that it has replaced. Returns whether anything may be left of that in the files.
 */
export function eraseElsewhere({ inventory, cache, journal }: Store, before: Listing): boolean {
  const removed = new Set(journal.erasures.removed())
  const runs = [...removed].map((id) => journal.keptQueries.forgetRuns(id))
  const listed = cache.db.prepare('SELECT service, id FROM tenant').all()
  const known = journal.erasures.tenants()
  for (const { service, id } of listed) known.add(tenantKey(String(service), String(id)))
  // A failover of the database loses tenants that nobody has removed.
  const touched = [...before].filter(([, by]) => [...by].some((id) => removed.has(id))).map(([key]) => key)
  const gone = touched.filter((key) => !known.has(key))
  const devices = touched
    .flatMap((key) => inventory.tenants.get(key) ?? [])
    .filter(({ key }) => known.has(key))
    .flatMap((tenant) => slotsOf(inventory, tenant).map((slot) => textAt(inventory.rows.key, slot)))
    .filter((key) => !journal.erasures.isStored(key))
  const isAny = gone.length + devices.length > 0
  if (isAny)
    journal.eraseOwn(
      gone.map((key) => `${key}/`),
      devices,
    )
  return isAny || runs.some((count) => count > 0)
}

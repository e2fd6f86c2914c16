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
 * Erases of this member's own what is about connections that the team has removed while it was away, and about their tenants that a
 * snapshot has nothing of, inside the transaction that has taken it in. `before`: the listing of the copy that it has replaced.
 * Returns whether anything may be left of that in the files.
 */
export function eraseElsewhere({ journal }: Pick<Store, 'journal'>, before: Listing): boolean {
  const removed = new Set(journal.erasures.removed())
  const runs = [...removed].map((id) => journal.keptQueries.forgetRuns(id))
  const known = journal.erasures.tenants()
  // A failover of the database loses tenants that nobody has removed.
  const gone = [...before].filter(([key, by]) => !known.has(key) && [...by].some((id) => removed.has(id)))
  journal.eraseOwn(gone.map(([key]) => `${key}/`))
  return gone.length > 0 || runs.some((count) => count > 0)
}

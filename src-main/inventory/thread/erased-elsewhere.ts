import type { Store } from '../store.ts'

/** What a copy has of the team before a snapshot replaces it. */
export interface Had {
  erasures: number
  tenants: ReadonlySet<string>
  connections: readonly string[]
}

export const had = ({ journal }: Pick<Store, 'journal'>): Had => ({
  erasures: journal.erasures.count(),
  tenants: journal.erasures.tenants(),
  connections: idsOf(journal.sharedConnections.all()),
})

/**
 * Erases of this member's own what is about connections and tenants whose data was erased while it was away, inside the transaction
 * that has replaced its copy. Returns the ids of the connections.
 */
export function eraseElsewhere({ journal }: Pick<Store, 'journal'>, before: Had): string[] {
  const now = had({ journal })
  // A failover of the database loses connections without an erasure.
  if (now.erasures <= before.erasures) return []
  const connections = before.connections.filter((id) => !now.connections.includes(id))
  for (const id of connections) journal.keptQueries.forgetRuns(id)
  journal.eraseOwn([...before.tenants].filter((key) => !now.tenants.has(key)).map((key) => `${key}/`))
  return connections
}

const idsOf = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const { id } = (record ?? {}) as { id?: unknown }
    return typeof id === 'string' ? [id] : []
  })

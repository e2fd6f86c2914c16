import type { Counts } from '../../../src-shared/model/inventory.ts'
import { at, type Columns, statusCodes, statusNames, textAt } from './columns/columns.ts'
import { notVisible, visibleSince, type Tenant } from './tenants.ts'

/**
 * A connection whose full sync has brought a row, and the generation of that sync. Connections of one service may see
 * different parts of a tenant: a row that one of them no longer brings may still be claimed by another. '' is the
 * shared claimant of calls without a connection; a named one takes over from it.
 */
export interface Claim {
  connection: string
  generation: number
}

/** Never empty: a row without claims is removed. */
export type Claims = readonly Claim[]

/** The claims of a row. Most rows have one, which is in the columns; only rows with more have a list. */
export function claimsAt(rows: Columns, slot: number): Claims {
  return (
    rows.claims.get(slot) ?? [
      { connection: textAt(rows.claimants, at(rows.claimant, slot)), generation: at(rows.generation, slot) },
    ]
  )
}

export function setClaims(rows: Columns, slot: number, claims: Claims): void {
  const first = claims[0] ?? { connection: '', generation: 0 }
  rows.claimant[slot] = claimantIndex(rows, first.connection)
  rows.generation[slot] = first.generation
  if (claims.length > 1) rows.claims.set(slot, claims)
  else rows.claims.delete(slot)
}

function claimantIndex({ claimants }: Columns, connection: string): number {
  const known = claimants.indexOf(connection)
  return known === -1 ? claimants.push(connection) - 1 : known
}

/** Since when the row is visible, ms: to the first of the connections that claim it; `notVisible` to none. */
export function visibleSinceAt(rows: Columns, slot: number, tenant: Tenant): number {
  const claims = rows.claims.size === 0 ? undefined : rows.claims.get(slot)
  if (claims === undefined) return visibleSince(tenant, textAt(rows.claimants, at(rows.claimant, slot)))
  return claims.reduce((earliest, { connection }) => Math.min(earliest, visibleSince(tenant, connection)), notVisible)
}

/**
 * Notes whether a row is visible, and returns its status. Unknown is a row that none of its claimants sees (invariant 4), one
 * that the last full sync has left out, and one that only connections see which are not shown here.
 */
export function statusCode(
  { rows, shown }: { rows: Columns; shown: ReadonlySet<string> | null },
  slot: number,
  tenant: Tenant,
  connected: boolean | null,
  seenAt: number,
): number {
  const from = connected === null || rows.unconfirmed[slot] === 1 ? notVisible : visibleSinceAt(rows, slot, tenant)
  const isVisible = from !== notVisible && (seenAt >= from || rows.handedOver[slot] === 1)
  rows.visible[slot] = Number(isVisible)
  if (!isVisible || (shown !== null && !isSeenBy(rows, slot, tenant, shown))) return statusCodes.unknown
  return connected === true ? statusCodes.connected : statusCodes.disconnected
}

/** Returns whether one of these connections claims the row, or its tenant where the claimant is the shared one, and sees it. */
function isSeenBy(rows: Columns, slot: number, tenant: Tenant, connections: ReadonlySet<string>): boolean {
  return connectionsAt(rows, slot, tenant).some(
    (connection) => connections.has(connection) && visibleSince(tenant, connection) !== notVisible,
  )
}

/** True when all connections that list the tenant claim the row: then the tenant's sessions are the row's. */
export function isClaimedByAll(rows: Columns, slot: number, { connections }: Tenant): boolean {
  const claims = claimsAt(rows, slot)
  return claims.length >= connections.size || claims.some(({ connection }) => connection === '')
}

/**
 * Ids of the connections that claim the row and still list its tenant; for the shared claimant, of all that list it.
 */
export function connectionsAt(rows: Columns, slot: number, { connections }: Tenant): string[] {
  const claimants = claimsAt(rows, slot).map(({ connection }) => connection)
  return claimants.includes('') ? [...connections.keys()] : claimants.filter((id) => connections.has(id))
}

/** The claims after a connection has read the row. A generation never counts down. */
export function claimsWith(before: Claims, connection: string, generation: number): Claims {
  const ownGeneration = before.find((claim) => claim.connection === connection)?.generation ?? 0
  const others = before.filter((claim) => claim.connection !== connection && claim.connection !== '')
  return [...others, { connection, generation: Math.max(ownGeneration, generation) }]
}

/** The claims that remain when a connection's sync of this generation has ended: without its older ones. */
export function claimsAfterSync(before: Claims, connection: string, generation: number): Claims {
  return before.filter(
    (claim) => (claim.connection !== connection && claim.connection !== '') || claim.generation >= generation,
  )
}

export const newestGeneration = (rows: Columns, slot: number) =>
  claimsAt(rows, slot).reduce((newest, { generation }) => Math.max(newest, generation), 0)

/** Device counts of each connection: a row counts with every connection that claims it. */
export function countsByClaimant(rows: Columns): Map<string, Counts> {
  const found = new Map<string, Counts>()
  const countsOf = (connection: string): Counts => {
    const counts = found.get(connection) ?? { connected: 0, disconnected: 0, unknown: 0 }
    found.set(connection, counts)
    return counts
  }
  const first = rows.claimants.map(countsOf)
  for (let slot = 0; slot < rows.top; slot += 1) {
    if (at(rows.alive, slot) === 0) continue
    const status = statusNames[at(rows.status, slot) as 0 | 1 | 2]
    const claims = rows.claims.size === 0 ? undefined : rows.claims.get(slot)
    if (claims !== undefined) for (const { connection } of claims) countsOf(connection)[status] += 1
    else {
      const counts = first[at(rows.claimant, slot)]
      if (counts !== undefined) counts[status] += 1
    }
  }
  return found
}

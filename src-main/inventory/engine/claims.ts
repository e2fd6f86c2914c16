import type { Counts } from '../../../src-shared/model/inventory.ts'
import { at, type Columns, statusNames, textAt } from './columns/columns.ts'
import { notVisible, visibleSince, type Tenant } from './tenants.ts'

/**
 * Which connection's full reading has brought a row, and under which generation. Connections of one service may see
 * different parts of a tenant: what one of them no longer brings, another may still claim. '' is the one claimant that
 * all share who name no connection; a named one takes over from it.
 */
export interface Claim {
  connection: string
  generation: number
}

/** Never empty: a row that nobody claims goes. */
export type Claims = readonly Claim[]

/** Most rows have one claimant: that one lies in the columns, and only rows with more have a list. */
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

/** From when on the row is seen, ms: by the first of those that claim it. Others may see another part of the tenant. */
export function visibleSinceAt(rows: Columns, slot: number, tenant: Tenant): number {
  const claims = rows.claims.size === 0 ? undefined : rows.claims.get(slot)
  if (claims === undefined) return visibleSince(tenant, textAt(rows.claimants, at(rows.claimant, slot)))
  return claims.reduce((earliest, { connection }) => Math.min(earliest, visibleSince(tenant, connection)), notVisible)
}

/** Whether all that list the tenant claim the row: then its span of sight is the row's as well. */
export function isClaimedByAll(rows: Columns, slot: number, { connections }: Tenant): boolean {
  const claims = claimsAt(rows, slot)
  return claims.length >= connections.size || claims.some(({ connection }) => connection === '')
}

/** The connections whose own reading brings the row and that list its tenant still; for a claimant without a name all that list it. */
export function connectionsAt(rows: Columns, slot: number, { connections }: Tenant): string[] {
  const claimants = claimsAt(rows, slot).map(({ connection }) => connection)
  return claimants.includes('') ? [...connections.keys()] : claimants.filter((id) => connections.has(id))
}

/** The claims after `by` has read the row. A generation never counts down. */
export function claimsWith(before: Claims, connection: string, generation: number): Claims {
  const ownGeneration = before.find((claim) => claim.connection === connection)?.generation ?? 0
  const others = before.filter((claim) => claim.connection !== connection && claim.connection !== '')
  return [...others, { connection, generation: Math.max(ownGeneration, generation) }]
}

/** The claims that are left when a reading of `by` under this generation has ended: its own older ones have not. */
export function claimsAfterSync(before: Claims, connection: string, generation: number): Claims {
  return before.filter(
    (claim) => (claim.connection !== connection && claim.connection !== '') || claim.generation >= generation,
  )
}

export const newestGeneration = (rows: Columns, slot: number) =>
  claimsAt(rows, slot).reduce((newest, { generation }) => Math.max(newest, generation), 0)

/** Devices of each connection, by how they stand: a row counts with every connection that claims it. */
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

import { type Claims, seenFromAt, setClaims } from './claims.ts'
import { at, codes } from './columns/columns.ts'
import { type Inventory, restate, slotsOf, type Touched } from './inventory.ts'
import { blind, type Tenant } from './tenants.ts'

/** Brings the status of all rows of a tenant in step with its sight. */
export function applySight(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  for (const slot of slotsOf(inventory, tenant)) resight(inventory, tenant, slot, touched)
}

/**
 * What one connection saw until now and another one sees, stays in sight: who took over listened before the other one
 * ended, or compares at once (sync/assignments/sharing.ts, `onTake`).
 */
function resight(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  const { rows } = inventory
  const wasSeen = at(rows.status, slot) !== codes.unknown
  rows.carried[slot] = Number(wasSeen && seenFromAt(rows, slot, tenant) !== blind)
  restate(inventory, tenant, slot, touched)
}

/**
 * The same when one of those that see it begins or ceases to doubt itself. What another one sees meanwhile stays in sight;
 * what nobody else does is as it was when the doubt has passed.
 */
export function holdSight(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  const { rows } = inventory
  for (const slot of slotsOf(inventory, tenant)) {
    if (at(rows.status, slot) !== codes.unknown && seenFromAt(rows, slot, tenant) !== blind) rows.carried[slot] = 1
    restate(inventory, tenant, slot, touched)
  }
}

/** Vouches for a row no longer, until a page, a reading or an event tells of it. */
export function doubtRow(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  inventory.rows.doubted[slot] = 1
  restate(inventory, tenant, slot, touched)
}

/** Before somebody begins to see: what nobody sees and was heard of later than `now` was so by a clock that has been set back since. */
export function doubtAhead(inventory: Inventory, tenant: Tenant, now: number, touched: Touched): void {
  const { rows } = inventory
  for (const slot of slotsOf(inventory, tenant)) {
    if (at(rows.seenAt, slot) > now && at(rows.status, slot) === codes.unknown)
      doubtRow(inventory, tenant, slot, touched)
  }
}

/** Gives a row, which is there, other claimants: whether it is seen is a question of theirs. */
export function claimRow(inventory: Inventory, tenant: Tenant, slot: number, claims: Claims, touched: Touched): void {
  setClaims(inventory.rows, slot, claims)
  resight(inventory, tenant, slot, touched)
}

import { type Claims, visibleSinceAt, setClaims } from './claims.ts'
import { at, statusCodes } from './columns/columns.ts'
import { type Inventory, refreshStatus, slotsOf, type Touched } from './inventory.ts'
import { notVisible, type Tenant } from './tenants.ts'

/** Brings the status of all rows of a tenant in step with its sight. */
export function applyVisibility(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  for (const slot of slotsOf(inventory, tenant)) refreshVisibility(inventory, tenant, slot, touched)
}

/**
 * What one connection saw until now and another one sees, stays in sight: who took over listened before the other one
 * ended, or compares at once (sync/assignments/sharing.ts, `onTake`).
 */
function refreshVisibility(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  const { rows } = inventory
  const wasVisible = at(rows.status, slot) !== statusCodes.unknown
  rows.handedOver[slot] = Number(wasVisible && visibleSinceAt(rows, slot, tenant) !== notVisible)
  refreshStatus(inventory, tenant, slot, touched)
}

/**
 * The same when one of those that see it begins or ceases to doubt itself. What another one sees meanwhile stays in sight;
 * what nobody else does is as it was when the doubt has passed.
 */
export function applySuspension(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  const { rows } = inventory
  for (const slot of slotsOf(inventory, tenant)) {
    if (at(rows.status, slot) !== statusCodes.unknown && visibleSinceAt(rows, slot, tenant) !== notVisible)
      rows.handedOver[slot] = 1
    refreshStatus(inventory, tenant, slot, touched)
  }
}

/** Vouches for a row no longer, until a page, a reading or an event tells of it. */
export function markUnconfirmed(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  inventory.rows.unconfirmed[slot] = 1
  refreshStatus(inventory, tenant, slot, touched)
}

/** Before somebody begins to see: what nobody sees and was heard of later than `now` was so by a clock that has been set back since. */
export function markFutureUnconfirmed(inventory: Inventory, tenant: Tenant, now: number, touched: Touched): void {
  const { rows } = inventory
  for (const slot of slotsOf(inventory, tenant)) {
    if (at(rows.seenAt, slot) > now && at(rows.status, slot) === statusCodes.unknown)
      markUnconfirmed(inventory, tenant, slot, touched)
  }
}

/** Gives a row, which is there, other claimants: whether it is seen is a question of theirs. */
export function setRowClaims(
  inventory: Inventory,
  tenant: Tenant,
  slot: number,
  claims: Claims,
  touched: Touched,
): void {
  setClaims(inventory.rows, slot, claims)
  refreshVisibility(inventory, tenant, slot, touched)
}

import { type Claims, visibleSinceAt, setClaims } from './claims.ts'
import { at } from './columns/columns.ts'
import { type Inventory, refreshStatus, slotsOf, type Touched } from './inventory.ts'
import { notVisible, type Tenant } from './tenants.ts'

/** Updates the status of all rows of a tenant after a change of its visibility. */
export function applyVisibility(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  for (const slot of slotsOf(inventory, tenant)) refreshVisibility(inventory, tenant, slot, touched)
}

/**
 * A row stays visible when one connection takes it over from another: it subscribed before the other one ended, or
 * reconciles at once (sync/assignments/sharing.ts, `onTake`).
 */
function refreshVisibility(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  setHandedOver(inventory, slot, isKeptVisible(inventory, tenant, slot))
  refreshStatus(inventory, tenant, slot, touched)
}

/**
 * The same when a connection is suspended or resumed. Rows that another connection sees stay visible; all others are
 * unknown in between, and then as before.
 */
export function applySuspension(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  for (const slot of slotsOf(inventory, tenant)) {
    if (isKeptVisible(inventory, tenant, slot)) setHandedOver(inventory, slot, true)
    refreshStatus(inventory, tenant, slot, touched)
  }
}

/** Returns whether a row that is visible is seen by a connection which has not reported it yet. */
function isKeptVisible({ rows }: Inventory, tenant: Tenant, slot: number): boolean {
  if (rows.visible[slot] === 0) return false
  const from = visibleSinceAt(rows, slot, tenant)
  return from !== notVisible && at(rows.seenAt, slot) < from
}

function setHandedOver({ rows }: Inventory, slot: number, isHandedOver: boolean): void {
  if (rows.handedOver[slot] !== Number(isHandedOver)) rows.unsaved?.add(slot)
  rows.handedOver[slot] = Number(isHandedOver)
}

/** Makes a row unknown until a page, a reconciliation or an event reports it. */
export function setUnconfirmed(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  inventory.rows.unconfirmed[slot] = 1
  inventory.rows.unsaved?.add(slot)
  refreshStatus(inventory, tenant, slot, touched)
}

/**
 * Makes rows unknown that no connection sees and that were last updated after `now`: the clock has been set back
 * since.
 */
export function setFutureUnconfirmed(inventory: Inventory, tenant: Tenant, now: number, touched: Touched): void {
  const { rows } = inventory
  for (const slot of slotsOf(inventory, tenant)) {
    if (at(rows.seenAt, slot) > now && rows.visible[slot] === 0) setUnconfirmed(inventory, tenant, slot, touched)
  }
}

/** Sets the connections whose devices are shown as these see them (`Inventory.shown`). */
export function setShown(inventory: Inventory, shown: ReadonlySet<string> | null, touched: Touched): void {
  inventory.shown = shown
  for (const tenant of inventory.tenants.values())
    for (const slot of slotsOf(inventory, tenant)) refreshStatus(inventory, tenant, slot, touched)
}

/** Sets the claims of an existing row and updates its visibility. */
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

import type { Counts, DeviceRow, InventoryQuery, NamedRef } from '../../../src-shared/model/inventory.ts'
import { deviceOfNode, everything } from '../keys.ts'
import { at, connectedAt, type Columns, plainValuesAt, sinceAt, statusNames, textAt } from './columns/columns.ts'
import { extraAt } from './columns/extras.ts'
import { type Inventory, roomOf } from './inventory.ts'
import type { Match } from './filter/filters.ts'
import { shownNotes } from './notes.ts'
import { countsOf, type Place, placeAt } from './places.ts'
import { refOf, type Tenant } from './tenants.ts'

/** A row in the contract's form. */
export function rowAt(inventory: Inventory, slot: number): DeviceRow {
  const { rows } = inventory
  const room = roomOf(inventory, slot)
  const { tenant } = room
  if (!tenant) throw new Error('a row without a tenant')
  return {
    ...plainValuesAt(rows, slot),
    key: textAt(rows.key, slot),
    id: textAt(rows.id, slot),
    name: textAt(rows.name, slot),
    status: statusNames[at(rows.status, slot) as 0 | 1 | 2],
    connected: connectedAt(rows, slot),
    account: namedRef(accountAbove(room)),
    site: namedRef(room.parent),
    room: namedRef(room),
    tenant: refOf(tenant),
    since: sinceAt(rows, slot),
    seenAt: at(rows.seenAt, slot),
    placedAt: at(rows.placedAt, slot),
    ...(rows.staleFields.has(slot) && { staleFields: { ...rows.staleFields.get(slot) } }),
    extra: extrasAt(inventory, slot),
    ...shownNotes(inventory, slot),
  }
}

function extrasAt({ extras }: Inventory, slot: number): DeviceRow['extra'] {
  return Object.fromEntries(
    [...extras.columns].flatMap(([name, column]) => {
      const value = extraAt(column, slot)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function accountAbove({ parent }: Place): Place | null {
  const above = parent?.parent ?? null
  return above?.kind === 'account' ? above : null
}

function namedRef(place: Place | null): NamedRef | null {
  return place && place.ref !== null ? { id: place.ref, name: place.name } : null
}

/**
 * The slots of a page of a query's rows, and how many rows match it. Sorted by the query's columns, then by name,
 * then by key; nulls come last in both directions. An unknown scope matches nothing.
 */
export function pageOf(
  inventory: Inventory,
  query: InventoryQuery,
  now: number,
  offset: number,
  limit: number,
): { total: number; slots: number[] } {
  const match = inventory.filters.matching(query, now)
  if (match?.count === 0) return { total: 0, slots: [] }
  const order = inventory.orders.sorted(query.sort)
  if (!match) return { total: order.length, slots: [...order.subarray(offset, offset + limit)] }
  return { total: match.count, slots: matchingSlots(order, match, offset, Math.min(limit, match.count - offset)) }
}

/** Walks from the end of the order that is nearer to the page. */
function matchingSlots(order: Int32Array, match: Match, offset: number, count: number): number[] {
  if (count <= 0) return []
  if (offset <= match.count / 2) return walk(order, match.mask, 0, 1, offset, count)
  return walk(order, match.mask, order.length - 1, -1, match.count - offset - count, count).toReversed()
}

function walk(order: Int32Array, mask: Uint8Array, from: number, step: number, skip: number, count: number): number[] {
  const slots: number[] = []
  let left = skip
  for (let i = from; slots.length < count && i >= 0 && i < order.length; i += step) {
    const slot = order[i] as number
    if (mask[slot] !== 1) continue
    if (left === 0) slots.push(slot)
    else left -= 1
  }
  return slots
}

/** Returns the position of a row among a query's rows, from 0; null when it is not among them. */
export function indexIn(inventory: Inventory, query: InventoryQuery, now: number, key: string): number | null {
  const wanted = inventory.rows.slotOf.get(key)
  if (wanted === undefined) return null
  const match = inventory.filters.matching(query, now)
  if (match && match.mask[wanted] !== 1) return null
  const order = inventory.orders.sorted(query.sort)
  if (!match) return order.indexOf(wanted)
  let index = 0
  for (const slot of order) {
    if (slot === wanted) return index
    index += match.mask[slot] as number
  }
  return null
}

/** Returns the rows among these that a query does not match, and those that do not exist. */
export function hiddenIn(
  inventory: Inventory,
  query: InventoryQuery,
  now: number,
  keys: readonly string[],
): { hidden: string[]; gone: string[] } {
  const match = inventory.filters.matching(query, now)
  const slotOf = (key: string) => inventory.rows.slotOf.get(key)
  const hidden = keys.filter((key) => {
    const slot = slotOf(key)
    return slot !== undefined && match !== null && match.mask[slot] !== 1
  })
  return { hidden, gone: keys.filter((key) => slotOf(key) === undefined) }
}

/** Counts of a scope; null when there is none of this name. */
export function countsIn(inventory: Inventory, scope: string): Counts | null {
  if (scope === everything) return countsOf(inventory.places.totals)
  const place = placeAt(inventory.places, scope)
  if (place) return countsOf(place.counts)
  const slot = inventory.rows.slotOf.get(deviceOfNode(scope) ?? '')
  return slot === undefined ? null : countsOfRow(inventory.rows, slot)
}

/** The tenants in or around a node; none when the node is gone. */
export function tenantsIn(inventory: Inventory, scope: string): Tenant[] {
  const { places, rows, tenants } = inventory
  if (scope === everything) return [...tenants.values()]
  const slot = rows.slotOf.get(deviceOfNode(scope) ?? '')
  const place = slot === undefined ? placeAt(places, scope) : roomOf(inventory, slot)
  if (!place) return []
  return place.tenant ? [place.tenant] : place.children.flatMap(({ tenant }) => tenant ?? [])
}

/** The number of tenants in a scope, and of those that were never fully synced. */
export function syncedTenants(inventory: Inventory, scope: string): { all: number; unread: number } {
  const tenants = tenantsIn(inventory, scope)
  return { all: tenants.length, unread: tenants.filter(({ lastSyncAt }) => lastSyncAt === null).length }
}

export function countsOfRow(rows: Columns, slot: number): Counts {
  const status = statusNames[at(rows.status, slot) as 0 | 1 | 2]
  return { connected: 0, disconnected: 0, unknown: 0, [status]: 1 }
}

import { textFields, type TextField, timeFields, type TimeField } from '../../../src-shared/model/base-fields.ts'
import type { DeviceFields, Since } from '../../../src-shared/model/inventory.ts'
import { deviceKey } from '../keys.ts'
import { type Changes, newChanges, recordChange, type Topic } from './changes.ts'
import { type Claims, setClaims, statusCode } from './claims.ts'
import {
  at,
  timeCell,
  type Columns,
  connectedAt,
  clearSearchText,
  freeSlot,
  newColumns,
  setStaleFields,
  allocateSlot,
  refreshField,
  textAt,
  textIndex,
  connectedCode,
} from './columns/columns.ts'
import {
  addToCounts,
  removeTenantPlace,
  isPlaceless,
  type Place,
  type Places,
  newPlaces,
  moveToRegion,
  prune,
  rename,
  roomPlace,
  roomsBelow,
  tenantPlace,
} from './places.ts'
import { type Extras, clearExtras, newExtras } from './columns/extras.ts'
import type { NotesByNode } from './notes.ts'
import { type FilterCache, newFilters } from './filter/filters.ts'
import { newOrders, type OrderCache } from './sort/orders.ts'
import type { Tenant } from './tenants.ts'

/** The fleet in memory: rows, places, tenants, and what is derived from them on demand. */
export interface Inventory {
  readonly rows: Columns
  readonly places: Places
  readonly tenants: Map<string, Tenant>
  readonly extras: Extras
  /** The operator's notes; writes/notes.ts changes them. */
  readonly notes: NotesByNode
  readonly changes: Changes
  readonly orders: OrderCache
  readonly filters: FilterCache
  /** The connections whose devices are shown as these see them; those of all others are unknown here. Null: all. */
  shown: ReadonlySet<string> | null
}

export function newInventory(): Inventory {
  const base = { rows: newColumns(), places: newPlaces(), extras: newExtras(), notes: new Map() }
  const changes = newChanges()
  return {
    ...base,
    changes,
    tenants: new Map(),
    orders: newOrders(base, changes),
    filters: newFilters(base, changes),
    shown: null,
  }
}

/** The rows that a write changed, for its answer. `seenAt` alone is no change. */
export interface Touched {
  readonly rows: Set<number>
  structure: boolean
  /** More rows than are worth naming, which are not in `rows`. */
  many: boolean
}

export const newTouched = (): Touched => ({ rows: new Set(), structure: false, many: false })

/** The new state of a row. `fields.connected` and `fields.name` are final: newer events are already applied. */
export interface RowState {
  fields: DeviceFields
  since: Since | null
  seenAt: number
  /** When name, site and room were reported, ms: the oldest of them. */
  placedAt: number
  claims: Claims
  requestOrder: number
  /** Order of the request that brought the names of site and room; default: `requestOrder`. */
  namesOrder?: number
  /** True when `connected` was not reported: the former status stays, with its age. */
  retainsState?: boolean
  /** When the fields that this answer left out were last reported, ms, by name. */
  staleFields?: Readonly<Record<string, number>>
}

/** Adds a tenant, or replaces it. */
export function putTenant(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  const known = inventory.tenants.get(tenant.key)
  inventory.tenants.set(tenant.key, tenant)
  if (!known) touched.structure = true
  tenantPlace(inventory.places, tenant)
}

/** Renames a tenant or moves it to another region. */
export function changeTenant(
  inventory: Inventory,
  tenant: Tenant,
  name: string,
  region: string | null,
  touched: Touched,
): void {
  const { places } = inventory
  const place = tenantPlace(places, tenant)
  if (tenant.name !== name) {
    tenant.name = name
    rename(places, place, name)
    touchPlace(inventory, place, touched)
  }
  if (tenant.region !== region) moveTenant(inventory, tenant, region, touched)
}

/** A region of another name is another node: the tenant moves below it with all its places. */
function moveTenant(inventory: Inventory, tenant: Tenant, region: string | null, touched: Touched): void {
  tenant.region = region
  moveToRegion(inventory.places, tenant)
  touchPlace(inventory, tenantPlace(inventory.places, tenant), touched)
}

export function removeTenant(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  for (const slot of slotsOf(inventory, tenant)) removeRow(inventory, slot, touched)
  removeTenantPlace(inventory.places, tenantPlace(inventory.places, tenant))
  inventory.tenants.delete(tenant.key)
  touched.structure = true
}

export function slotsOf(inventory: Inventory, tenant: Tenant): number[] {
  const found: number[] = []
  roomsBelow(tenantPlace(inventory.places, tenant), (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(inventory.rows.next, slot)) found.push(slot)
  })
  return found
}

/** Visits the slot of every device at or below a place, room after room. */
export function slotsBelow({ rows }: Pick<Inventory, 'rows'>, place: Place, visit: (slot: number) => void): void {
  roomsBelow(place, (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(rows.next, slot)) visit(slot)
  })
}

export function roomOf(inventory: Inventory, slot: number): Place {
  const room = inventory.places.byIndex[at(inventory.rows.room, slot)]
  if (!room) throw new Error('a row without a room')
  return room
}

/** Adds a row or updates it. Only differences are recorded. */
export function putRow(inventory: Inventory, tenant: Tenant, state: RowState, touched: Touched): void {
  const { rows, places } = inventory
  const key = deviceKey(tenant.key, state.fields.id)
  const room = roomPlace(places, tenant, state.fields.site, state.fields.room)
  const known = rows.slotOf.get(key)
  if (known === undefined) addRow(inventory, tenant, key, room, state, touched)
  else changeRow(inventory, tenant, known, room, state, touched)
  renamePlaces(inventory, room, state.fields, state.namesOrder ?? state.requestOrder, touched)
}

function addRow(
  inventory: Inventory,
  tenant: Tenant,
  key: string,
  room: Place,
  state: RowState,
  touched: Touched,
): void {
  const { rows, changes } = inventory
  const { fields } = state
  const slot = allocateSlot(rows, key, fields.id)
  rows.name[slot] = fields.name
  for (const field of textFields) rows.texts[field].values[slot] = textIndex(rows.texts[field], fields[field])
  for (const field of timeFields) rows.times[field][slot] = timeCell(fields[field])
  rows.connected[slot] = connectedCode(fields.connected)
  setSince(rows, slot, state.since)
  setSyncState(rows, slot, state)
  rows.status[slot] = statusCode(inventory, slot, tenant, fields.connected, state.seenAt)
  linkRow(inventory, slot, room)
  recordChange(changes, 'rows', slot)
  touched.rows.add(slot)
  touched.structure = true
}

function setSyncState(rows: Columns, slot: number, state: RowState): void {
  rows.seenAt[slot] = state.seenAt
  rows.placedAt[slot] = state.placedAt
  setClaims(rows, slot, state.claims)
  rows.requestOrder[slot] = state.requestOrder
  setStaleFields(rows, slot, state.staleFields ?? {})
}

function changeRow(
  inventory: Inventory,
  tenant: Tenant,
  slot: number,
  room: Place,
  state: RowState,
  touched: Touched,
): void {
  const { rows } = inventory
  const { fields } = state
  if (at(rows.room, slot) !== room.index) relinkRow(inventory, slot, room, touched)
  for (const field of textFields) setText(inventory, field, slot, fields[field], touched)
  for (const field of timeFields) setTime(inventory, field, slot, fields[field], touched)
  setClaims(rows, slot, state.claims)
  setStaleFields(rows, slot, state.staleFields ?? {})
  if (state.retainsState !== true)
    return applyReport(inventory, tenant, slot, { ...state, name: fields.name, connected: fields.connected }, touched)
  setName(inventory, slot, fields.name, touched)
  setPlacedAt(inventory, slot, state.placedAt)
  refreshStatus(inventory, tenant, slot, touched)
}

/** Takes a row from its room into this one. */
export function relinkRow(inventory: Inventory, slot: number, room: Place, touched: Touched): void {
  const before = roomOf(inventory, slot)
  unlinkRow(inventory, slot)
  linkRow(inventory, slot, room)
  prune(inventory.places, before)
  noteChange(inventory, 'place', slot, touched)
  touched.structure = true
}

/** The report of an event or a reconciliation about a row. */
export interface RowReport {
  name: string
  connected: boolean | null
  since: Since | null
  seenAt: number
  /** As in `RowState`. */
  placedAt: number
  requestOrder: number
  /** False when only the name was reported: the status is confirmed as before. Default: true. */
  hasState?: boolean
}

export function applyReport(inventory: Inventory, tenant: Tenant, slot: number, to: RowReport, touched: Touched): void {
  const { rows } = inventory
  setName(inventory, slot, to.name, touched)
  if (at(rows.connected, slot) !== connectedCode(to.connected)) {
    rows.connected[slot] = connectedCode(to.connected)
    noteChange(inventory, 'status', slot, touched)
  }
  if (to.hasState !== false) {
    if (rows.unconfirmed[slot] === 1 || rows.subscribedUntil.has(slot)) rows.unsaved?.add(slot)
    rows.unconfirmed[slot] = 0
    rows.subscribedUntil.delete(slot)
  }
  setStatus(inventory, slot, statusCode(inventory, slot, tenant, to.connected, to.seenAt), touched)
  if (setSince(rows, slot, to.since)) noteChange(inventory, 'since', slot, touched)
  if (at(rows.seenAt, slot) !== to.seenAt) recordChange(inventory.changes, 'seenAt', slot)
  rows.seenAt[slot] = to.seenAt
  setPlacedAt(inventory, slot, to.placedAt)
  rows.requestOrder[slot] = to.requestOrder
}

function setPlacedAt({ rows, changes }: Inventory, slot: number, placedAt: number): void {
  if (at(rows.placedAt, slot) !== placedAt) recordChange(changes, 'placedAt', slot)
  rows.placedAt[slot] = placedAt
}

function setName(inventory: Inventory, slot: number, name: string, touched: Touched): void {
  const { rows } = inventory
  if (textAt(rows.name, slot) === name) return
  rows.name[slot] = name
  refreshField(rows, slot, 'name')
  clearSearchText(rows, slot)
  roomOf(inventory, slot).sortedRows = null
  noteChange(inventory, 'name', slot, touched)
  touched.structure = true
}

function setText(inventory: Inventory, field: TextField, slot: number, text: string, touched: Touched): void {
  const column = inventory.rows.texts[field]
  const index = textIndex(column, text)
  if (at(column.values, slot) === index) return
  column.values[slot] = index
  noteChange(inventory, field, slot, touched)
}

export function setTime(
  inventory: Inventory,
  field: TimeField,
  slot: number,
  time: number | null,
  touched: Touched,
): void {
  const column = inventory.rows.times[field]
  if (Object.is(at(column, slot), timeCell(time))) return
  column[slot] = timeCell(time)
  refreshField(inventory.rows, slot, field)
  noteChange(inventory, field, slot, touched)
}

function setSince(rows: Columns, slot: number, since: Since | null): boolean {
  const time = timeCell(since?.at ?? null)
  const seen = Number(since?.kind === 'seen')
  if (Object.is(at(rows.sinceAt, slot), time) && at(rows.sinceSeen, slot) === seen) return false
  rows.sinceAt[slot] = time
  rows.sinceSeen[slot] = seen
  return true
}

function setStatus(inventory: Inventory, slot: number, status: number, touched: Touched): void {
  const { rows, places } = inventory
  const before = at(rows.status, slot)
  if (before === status) return
  const room = roomOf(inventory, slot)
  addToCounts(places, room, before, -1)
  addToCounts(places, room, status, 1)
  rows.status[slot] = status
  noteChange(inventory, 'status', slot, touched)
}

function noteChange(inventory: Inventory, topic: Topic, slot: number, touched: Touched): void {
  recordChange(inventory.changes, topic, slot)
  // A row has the notes of the places that it is in.
  if (topic === 'place' && inventory.notes.size > 0) recordChange(inventory.changes, 'notes', slot)
  touched.rows.add(slot)
}

export function refreshStatus(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  const { rows } = inventory
  const status = statusCode(inventory, slot, tenant, connectedAt(rows, slot), at(rows.seenAt, slot))
  setStatus(inventory, slot, status, touched)
}

/** Adds a row to its room's chain and counts. */
function linkRow(inventory: Inventory, slot: number, room: Place): void {
  const { rows } = inventory
  rows.room[slot] = room.index
  rows.next[slot] = room.firstRow
  rows.prev[slot] = -1
  if (room.firstRow !== -1) rows.prev[room.firstRow] = slot
  room.firstRow = slot
  room.sortedRows = null
  addToCounts(inventory.places, room, at(rows.status, slot), 1)
}

function unlinkRow(inventory: Inventory, slot: number): void {
  const { rows } = inventory
  const room = roomOf(inventory, slot)
  const next = at(rows.next, slot)
  const prev = at(rows.prev, slot)
  if (prev === -1) room.firstRow = next
  else rows.next[prev] = next
  if (next !== -1) rows.prev[next] = prev
  room.sortedRows = null
  addToCounts(inventory.places, room, at(rows.status, slot), -1)
}

export function removeRow(inventory: Inventory, slot: number, touched: Touched): void {
  const room = roomOf(inventory, slot)
  unlinkRow(inventory, slot)
  freeSlot(inventory.rows, slot)
  clearExtras(inventory.extras, slot)
  prune(inventory.places, room)
  recordChange(inventory.changes, 'rows', slot)
  touched.rows.delete(slot)
  touched.structure = true
}

/** Gives a room and its site these names. */
export function renamePlaces(
  inventory: Inventory,
  room: Place,
  fields: Pick<DeviceFields, 'site' | 'room'>,
  order: number,
  touched: Touched,
): void {
  if (fields.room) renamePlace(inventory, room, fields.room.name, order, touched)
  if (room.parent && fields.site) renamePlace(inventory, room.parent, fields.site.name, order, touched)
}

/** The latest name of a site or room counts for all devices in it. `order`: that of the request that brought it. */
export function renamePlace(inventory: Inventory, place: Place, name: string, order: number, touched: Touched): void {
  if (isPlaceless(place) || order < place.nameOrder) return
  place.nameOrder = order
  inventory.places.unsaved?.add(place.id)
  if (place.tenant !== null) place.tenant.latestNameOrder = Math.max(place.tenant.latestNameOrder, order)
  if (rename(inventory.places, place, name)) touchPlace(inventory, place, touched)
}

function touchPlace(inventory: Inventory, place: Place, touched: Touched): void {
  roomsBelow(place, (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(inventory.rows.next, slot))
      noteChange(inventory, 'place', slot, touched)
  })
  touched.structure = true
}

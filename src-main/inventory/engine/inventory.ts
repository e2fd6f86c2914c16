import { textFields, type TextField, timeFields, type TimeField } from '../../../src-shared/model/base-fields.ts'
import type { DeviceFields, Since } from '../../../src-shared/model/inventory.ts'
import { deviceKey } from '../keys.ts'
import { type Changes, newChanges, note, type Topic } from './changes.ts'
import { type Claims, seenFromAt, setClaims } from './claims.ts'
import {
  at,
  cell,
  type Columns,
  codes,
  connectedAt,
  forgetText,
  freeSlot,
  newColumns,
  setOlder,
  takeSlot,
  tellField,
  textAt,
  textIndex,
  word,
} from './columns/columns.ts'
import {
  count,
  dropTenant,
  isPlaceless,
  type Place,
  type Places,
  newPlaces,
  prune,
  rename,
  roomPlace,
  roomsBelow,
  tenantPlace,
} from './places.ts'
import { type Extras, forgetExtras, newExtras } from './columns/extras.ts'
import { type FilterCache, newFilters } from './filter/filters.ts'
import { newOrders, type OrderCache } from './sort/orders.ts'
import { blind, type Tenant } from './tenants.ts'

/** All that Muster knows of the estate, in memory: rows, places, and what is derived from them on demand. */
export interface Inventory {
  readonly rows: Columns
  readonly places: Places
  readonly tenants: Map<string, Tenant>
  readonly extras: Extras
  readonly changes: Changes
  readonly orders: OrderCache
  readonly filters: FilterCache
}

export function newInventory(): Inventory {
  const rows = newColumns()
  const places = newPlaces()
  const changes = newChanges()
  const extras = newExtras()
  return {
    rows,
    places,
    extras,
    changes,
    tenants: new Map(),
    orders: newOrders(rows, places, extras, changes),
    filters: newFilters(rows, places, extras, changes),
  }
}

/** What a write changed, gathered row by row for its answer. `seenAt` alone is no change (see write.ts). */
export interface Touched {
  readonly rows: Set<number>
  structure: boolean
}

export const newTouched = (): Touched => ({ rows: new Set(), structure: false })

/** The state of a row as it shall be. `fact.connected` and `fact.name` are final: events have been weighed already. */
export interface RowState {
  fact: DeviceFields
  since: Since | null
  seenAt: number
  claims: Claims
  asked: number
  /** There is no word on `connected`: what was said of it before stands as it did, neither newer nor less doubtful. */
  isKept?: boolean
  /** When fields were told that this answer has left out, by name. */
  older?: Readonly<Record<string, number>>
}

/** Puts a tenant into the tree, or takes on its new name and region. */
export function putTenant(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  const known = inventory.tenants.get(tenant.key)
  inventory.tenants.set(tenant.key, tenant)
  if (!known) touched.structure = true
  tenantPlace(inventory.places, tenant)
}

/** Renames a tenant or moves it to another region. True when anything changed. */
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

/** A region of another name is another node: the tenant and all below it are put there anew. */
function moveTenant(inventory: Inventory, tenant: Tenant, region: string | null, touched: Touched): void {
  const { places } = inventory
  const homes = slotsOf(inventory, tenant).map((slot) => {
    const place = roomOf(inventory, slot)
    const home = { slot, site: ref(place.parent), room: ref(place) }
    unhang(inventory, slot)
    prune(places, place)
    return home
  })
  dropTenant(places, tenantPlace(places, tenant))
  tenant.region = region
  tenantPlace(places, tenant)
  for (const { slot, site, room } of homes) {
    const place = roomPlace(places, tenant, site, room)
    hang(inventory, slot, place)
    note(inventory.changes, 'place', slot)
    touched.rows.add(slot)
    nameplaces(inventory, place, { site, room }, touched)
  }
  touched.structure = true
}

function ref(place: Place | null) {
  return place && place.ref !== null ? { id: place.ref, name: place.name } : null
}

export function removeTenant(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  for (const slot of slotsOf(inventory, tenant)) removeRow(inventory, slot, touched)
  dropTenant(inventory.places, tenantPlace(inventory.places, tenant))
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

export function roomOf(inventory: Inventory, slot: number): Place {
  const room = inventory.places.byIndex[at(inventory.rows.room, slot)]
  if (!room) throw new Error('a row without a room')
  return room
}

/** Puts a row in, or brings it up to date. Only what differs is noted and touched. */
export function putRow(inventory: Inventory, tenant: Tenant, state: RowState, touched: Touched): void {
  const { rows, places } = inventory
  const key = deviceKey(tenant.key, state.fact.id)
  const room = roomPlace(places, tenant, state.fact.site, state.fact.room)
  const known = rows.slotOf.get(key)
  if (known === undefined) addRow(inventory, tenant, key, room, state, touched)
  else changeRow(inventory, tenant, known, room, state, touched)
  nameplaces(inventory, room, state.fact, touched)
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
  const { fact } = state
  const slot = takeSlot(rows, key, fact.id)
  rows.name[slot] = fact.name
  for (const field of textFields) rows.texts[field].values[slot] = textIndex(rows.texts[field], fact[field])
  for (const field of timeFields) rows.times[field][slot] = cell(fact[field])
  rows.connected[slot] = word(fact.connected)
  setSince(rows, slot, state.since)
  setReading(rows, slot, state)
  rows.status[slot] = statusCode(rows, slot, tenant, fact.connected, state.seenAt)
  hang(inventory, slot, room)
  note(changes, 'rows', slot)
  touched.rows.add(slot)
  touched.structure = true
}

function setReading(rows: Columns, slot: number, state: RowState): void {
  rows.seenAt[slot] = state.seenAt
  setClaims(rows, slot, state.claims)
  rows.asked[slot] = state.asked
  setOlder(rows, slot, state.older ?? {})
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
  const { fact } = state
  if (at(rows.room, slot) !== room.index) {
    const before = roomOf(inventory, slot)
    unhang(inventory, slot)
    hang(inventory, slot, room)
    prune(inventory.places, before)
    noted(inventory, 'place', slot, touched)
    touched.structure = true
  }
  for (const field of textFields) setText(inventory, field, slot, fact[field], touched)
  for (const field of timeFields) setTime(inventory, field, slot, fact[field], touched)
  setClaims(rows, slot, state.claims)
  setOlder(rows, slot, state.older ?? {})
  if (state.isKept !== true)
    return setWord(inventory, tenant, slot, { ...state, name: fact.name, connected: fact.connected }, touched)
  setName(inventory, slot, fact.name, touched)
  restate(inventory, tenant, slot, touched)
}

/** What an event or a reading can tell of a row. */
export interface Word {
  name: string
  connected: boolean | null
  since: Since | null
  seenAt: number
  asked: number
  /** False: it tells of the name alone, and who vouches for its state is as before. Left out: true. */
  ofState?: boolean
}

export function setWord(inventory: Inventory, tenant: Tenant, slot: number, to: Word, touched: Touched): void {
  const { rows } = inventory
  setName(inventory, slot, to.name, touched)
  if (at(rows.connected, slot) !== word(to.connected)) {
    rows.connected[slot] = word(to.connected)
    noted(inventory, 'status', slot, touched)
  }
  if (to.ofState !== false) {
    rows.doubted[slot] = 0
    rows.heardUntil.delete(slot)
  }
  setStatus(inventory, slot, statusCode(rows, slot, tenant, to.connected, to.seenAt), touched)
  if (setSince(rows, slot, to.since)) noted(inventory, 'since', slot, touched)
  if (at(rows.seenAt, slot) !== to.seenAt) note(inventory.changes, 'seenAt', slot)
  rows.seenAt[slot] = to.seenAt
  rows.asked[slot] = to.asked
}

function setName(inventory: Inventory, slot: number, name: string, touched: Touched): void {
  const { rows } = inventory
  if (textAt(rows.name, slot) === name) return
  rows.name[slot] = name
  tellField(rows, slot, 'name')
  forgetText(rows, slot)
  roomOf(inventory, slot).sortedRows = null
  noted(inventory, 'name', slot, touched)
  touched.structure = true
}

function setText(inventory: Inventory, field: TextField, slot: number, text: string, touched: Touched): void {
  const column = inventory.rows.texts[field]
  const index = textIndex(column, text)
  if (at(column.values, slot) === index) return
  column.values[slot] = index
  noted(inventory, field, slot, touched)
}

export function setTime(
  inventory: Inventory,
  field: TimeField,
  slot: number,
  time: number | null,
  touched: Touched,
): void {
  const column = inventory.rows.times[field]
  if (Object.is(at(column, slot), cell(time))) return
  column[slot] = cell(time)
  tellField(inventory.rows, slot, field)
  noted(inventory, field, slot, touched)
}

function setSince(rows: Columns, slot: number, since: Since | null): boolean {
  const time = cell(since?.at ?? null)
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
  count(places, room, before, -1)
  count(places, room, status, 1)
  rows.status[slot] = status
  noted(inventory, 'status', slot, touched)
}

function noted(inventory: Inventory, topic: Topic, slot: number, touched: Touched): void {
  note(inventory.changes, topic, slot)
  touched.rows.add(slot)
}

/** What none of its claimants sees is unknown (design, invariant 4), and so is what a full reading that has just ended has left out. */
function statusCode(rows: Columns, slot: number, tenant: Tenant, connected: boolean | null, seenAt: number): number {
  if (connected === null || rows.doubted[slot] === 1) return codes.unknown
  const from = seenFromAt(rows, slot, tenant)
  if (from === blind || (seenAt < from && rows.carried[slot] === 0)) return codes.unknown
  return connected ? codes.connected : codes.disconnected
}

export function restate(inventory: Inventory, tenant: Tenant, slot: number, touched: Touched): void {
  const { rows } = inventory
  setStatus(inventory, slot, statusCode(rows, slot, tenant, connectedAt(rows, slot), at(rows.seenAt, slot)), touched)
}

/** Hangs a row into its room's chain and counts it there. */
function hang(inventory: Inventory, slot: number, room: Place): void {
  const { rows } = inventory
  rows.room[slot] = room.index
  rows.next[slot] = room.firstRow
  rows.prev[slot] = -1
  if (room.firstRow !== -1) rows.prev[room.firstRow] = slot
  room.firstRow = slot
  room.sortedRows = null
  count(inventory.places, room, at(rows.status, slot), 1)
}

function unhang(inventory: Inventory, slot: number): void {
  const { rows } = inventory
  const room = roomOf(inventory, slot)
  const next = at(rows.next, slot)
  const prev = at(rows.prev, slot)
  if (prev === -1) room.firstRow = next
  else rows.next[prev] = next
  if (next !== -1) rows.prev[next] = prev
  room.sortedRows = null
  count(inventory.places, room, at(rows.status, slot), -1)
}

export function removeRow(inventory: Inventory, slot: number, touched: Touched): void {
  const room = roomOf(inventory, slot)
  unhang(inventory, slot)
  freeSlot(inventory.rows, slot)
  forgetExtras(inventory.extras, slot)
  prune(inventory.places, room)
  note(inventory.changes, 'rows', slot)
  touched.rows.delete(slot)
  touched.structure = true
}

/** The latest word on the name of a site or room counts for all devices in it. */
function nameplaces(
  inventory: Inventory,
  room: Place,
  fact: Pick<DeviceFields, 'site' | 'room'>,
  touched: Touched,
): void {
  renamed(inventory, room, fact.room?.name, touched)
  if (room.parent) renamed(inventory, room.parent, fact.site?.name, touched)
}

function renamed(inventory: Inventory, place: Place, name: string | undefined, touched: Touched): void {
  if (name === undefined || isPlaceless(place)) return
  if (rename(inventory.places, place, name)) touchPlace(inventory, place, touched)
}

function touchPlace(inventory: Inventory, place: Place, touched: Touched): void {
  roomsBelow(place, (room) => {
    for (let slot = room.firstRow; slot !== -1; slot = at(inventory.rows.next, slot))
      noted(inventory, 'place', slot, touched)
  })
  touched.structure = true
}

import type { Extra } from '../storage/cache/rows.ts'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { InventoryQuery } from '../../src-shared/model/inventory.ts'
import { own } from '../../src-shared/lib/own.ts'
import { recordChange } from './engine/changes.ts'
import { at } from './engine/columns/columns.ts'
import {
  compactExtra,
  type ExtraValues,
  type LoadedColumn,
  newExtraColumn,
  setExtra,
  unread,
  valueAt,
} from './engine/columns/extras.ts'
import { type Inventory, newTouched, roomOf, slotsOf, type Touched } from './engine/inventory.ts'
import { rowCount, tenantPlace } from './engine/places.ts'
import type { Tenant } from './engine/tenants.ts'
import { deviceKey, tenantKey } from './keys.ts'
import type { InventoryData } from './thread/protocol.ts'
import type { Change } from './thread/change.ts'
import { changeOf, commit, slotIn, type Store, tenantIn } from './store.ts'

/** Sets the loaded extra columns (protocol.ts, `extraColumns`). */
export function loadColumns(store: Store, { columns }: { columns: LoadedColumn[] }): Change {
  const { extras } = store.inventory
  const touched = newTouched()
  const before = new Map(extras.columns)
  const loaded = columns.map((column) => reusedColumn(before.get(column.name), column) ?? newExtraColumn(column))
  const added = loaded.filter((column) => before.get(column.name) !== column)
  if (added.length > 0) loadValues(store, added)
  extras.columns.clear()
  for (const column of loaded) extras.columns.set(column.name, column)
  if (added.length > 0 || loaded.length !== before.size) {
    extras.epoch += 1
    extras.counts = null
    touched.structure = true
  }
  return changeOf(store, touched)
}

function reusedColumn(known: ExtraValues | undefined, { type, services }: LoadedColumn): ExtraValues | null {
  if (!known || known.type !== type) return null
  known.services = services
  return known
}

/** Loads the values of some columns from the cache. */
function loadValues({ inventory, cache }: Store, columns: ExtraValues[]): void {
  const { rows } = inventory
  cache.extras((tenant, id, extra) => {
    const slot = rows.slotOf.get(deviceKey(tenantKey(tenant.service, tenant.id), id))
    if (slot === undefined) return
    for (const column of columns) {
      const value = own(extra, column.name)
      if (value !== undefined) setExtra(column, slot, value, rows.capacity)
    }
  })
}

/** Writes values of extra fields (protocol.ts, `extraValues`). */
export function writeExtraValues(store: Store, input: Parameters<InventoryData['extraValues']>[0]): Change {
  const tenant = tenantIn(store, input.service, input.tenant)
  if (!tenant) return changeOf(store, newTouched())
  const known = input.devices.filter(({ id }) => slotIn(store, tenant, id) !== null)
  return commit(store, {
    entries: [],
    keys: [],
    cache:
      known.length === 0
        ? null
        : (to) => {
            for (const { id, values } of known) to.extra(tenant, id, values)
          },
    memory: (touched) => {
      for (const { id, values } of known) applyExtra(store.inventory, tenant, id, values, touched)
    },
  })
}

/** Applies the values of loaded columns to the memory. */
function applyExtra(inventory: Inventory, tenant: Tenant, id: string, extra: Extra, touched: Touched): void {
  const {
    rows,
    extras: { columns },
    changes,
  } = inventory
  const slot = rows.slotOf.get(deviceKey(tenant.key, id))
  if (slot === undefined) return
  for (const [name, value] of Object.entries(extra)) {
    const column = columns.get(name)
    if (!column) inventory.extras.counts = null
    if (!column || !setExtra(column, slot, value, rows.capacity)) continue
    compactExtra(column, rows.count)
    recordChange(changes, 'extra', slot)
    touched.rows.add(slot)
  }
}

/**
 * Returns the number of devices for which columns were read (protocol.ts, `coverage`): loaded ones are counted in
 * memory.
 */
export function coverage(
  store: Store,
  input: Parameters<InventoryData['coverage']>[0],
): Awaited<ReturnType<InventoryData['coverage']>> {
  const { inventory } = store
  const devices = devicesByService(inventory)
  const columns = input.columns.map(({ name, services }) => {
    const loaded = inventory.extras.columns.get(name)
    if (loaded) return { name, ...countIn(inventory, loaded, new Set(services), inventory.rows.alive) }
    const counts = (inventory.extras.counts ??= countValues(store))
    const sum = (of: (service: string) => number | undefined) =>
      services.reduce((all, service) => all + (of(service) ?? 0), 0)
    return { name, read: sum((service) => counts.get(service)?.get(name)), of: sum((service) => devices.get(service)) }
  })
  return { rev: store.rev, columns }
}

/** Returns the columns that were not read for all devices of a tenant (protocol.ts, `unreadColumns`). */
export function unreadColumns(
  store: Store,
  { service, tenants, names }: Parameters<InventoryData['unreadColumns']>[0],
): Awaited<ReturnType<InventoryData['unreadColumns']>> {
  const { inventory } = store
  return {
    tenants: tenants.map((id) => {
      const tenant = tenantIn(store, service, id)
      const slots = tenant ? slotsOf(inventory, tenant) : []
      const isUnread = (column: ExtraValues | undefined) =>
        column === undefined || slots.some((slot) => valueAt(column, slot) === unread)
      return { id, names: names.filter((name) => isUnread(inventory.extras.columns.get(name))) }
    }),
  }
}

function countValues({ cache }: Store): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>()
  for (const { service, name, read } of cache.extraCounts()) {
    const names = counts.get(service) ?? new Map<string, number>()
    counts.set(service, names.set(name, read))
  }
  return counts
}

function devicesByService({ tenants, places }: Inventory): Map<string, number> {
  const devices = new Map<string, number>()
  for (const tenant of tenants.values())
    devices.set(tenant.service, (devices.get(tenant.service) ?? 0) + rowCount(tenantPlace(places, tenant)))
  return devices
}

/**
 * The extra columns that a query sorts or filters by and that are not read for all devices of its scope (those of
 * services that offer the field). A column that is not loaded counts as unread.
 */
export function unreadIn(
  inventory: Inventory,
  query: InventoryQuery,
  now: number,
): CallOutput<'inventory.rows'>['unread'] {
  const sorted = query.sort.flatMap(({ column }) => (column.startsWith('extra:') ? [column.slice(6)] : []))
  const names = [...new Set([...inventory.filters.extraColumns(query.filter), ...sorted])].sort()
  return names.flatMap((name) => {
    const { read, of } = coverageIn(inventory, name, query.scope, now)
    return read < of ? [{ column: `extra:${name}` as const, read, of }] : []
  })
}

function coverageIn(inventory: Inventory, name: string, scope: string, now: number): { read: number; of: number } {
  const {
    rows,
    extras: { columns },
    filters,
  } = inventory
  const column = columns.get(name)
  const match = filters.matching({ scope, filter: '' }, now)
  if (!column) return { read: 0, of: match?.count ?? rows.count }
  return countIn(inventory, column, new Set(column.services), match?.mask ?? rows.alive)
}

/** Counts the rows of the mask of some services (`of`) and those with a value of the column (`read`). */
function countIn(
  inventory: Inventory,
  column: ExtraValues,
  services: ReadonlySet<string>,
  mask: Uint8Array,
): { read: number; of: number } {
  const counted = { read: 0, of: 0 }
  for (let slot = 0, { top } = inventory.rows; slot < top; slot += 1) {
    if (at(mask, slot) !== 1 || !services.has(roomOf(inventory, slot).tenant?.service ?? '')) continue
    counted.of += 1
    if (valueAt(column, slot) !== unread) counted.read += 1
  }
  return counted
}

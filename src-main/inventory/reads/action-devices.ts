import { own } from '../../../src-shared/lib/own.ts'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { connectionsAt } from '../engine/claims.ts'
import { at, textAt } from '../engine/columns/columns.ts'
import { extraAt } from '../engine/columns/extras.ts'
import { isPlaceless, type Place } from '../engine/places.ts'
import { pageOf, rowAt } from '../engine/view.ts'
import { tenantAt, type Store } from '../store.ts'
import type { ActionDevice, ActionPlace } from '../thread/job-protocol.ts'
import type { InventoryData } from '../thread/protocol.ts'

type Devices = Parameters<InventoryData['actionDevices']>[0]
type Places = Parameters<InventoryData['actionPlaces']>[0]

/** The devices of a sheet (job-protocol.ts, `actionDevices`). */
export function actionDevices(
  store: Store,
  { of, limit, now }: Devices,
): Awaited<ReturnType<InventoryData['actionDevices']>> {
  const { total, slots } = slotsOfTargets(store, of, limit, now)
  return { total, devices: slots.map((slot) => actionDevice(store, slot)) }
}

/** Returns the number of devices of an action, and the first `limit` of them. */
export function slotsOfTargets(
  { inventory }: Store,
  of: Devices['of'],
  limit: number,
  now: number,
): { total: number; slots: number[] } {
  if ('query' in of) return pageOf(inventory, of.query, now, 0, limit)
  const slots =
    'ids' in of
      ? slotsOfIds(inventory.rows, new Set(of.ids))
      : of.keys.flatMap((key) => inventory.rows.slotOf.get(key) ?? [])
  return { total: slots.length, slots: slots.slice(0, limit) }
}

/** Returns the devices with these ids, at most two for each: then it is known to fit several. */
function slotsOfIds(rows: Store['inventory']['rows'], ids: ReadonlySet<string>): number[] {
  const found = new Map<string, number>()
  const slots: number[] = []
  if (ids.size === 0) return slots
  for (let slot = 0; slot < rows.top; slot += 1) {
    if (at(rows.alive, slot) === 0) continue
    const id = textAt(rows.id, slot)
    const before = ids.has(id) ? (found.get(id) ?? 0) : 2
    if (before === 2) continue
    found.set(id, before + 1)
    slots.push(slot)
  }
  return slots
}

function actionDevice(store: Store, slot: number): ActionDevice {
  const { key, id, name, site, room, status, hardwareModel } = rowAt(store.inventory, slot)
  const tenant = tenantAt(store, slot)
  return {
    key,
    id,
    service: tenant.service,
    tenant: { key: tenant.key, name: tenant.name },
    name,
    site,
    room,
    status,
    hardwareModel,
    serial: serialAt(store, slot, id),
    connections: connectionsAt(store.inventory.rows, slot, tenant),
  }
}

/** Names of the extra field with the serial number, the usual one first. */
const serialFields = ['serialNumber', 'serial']

/** Returns the serial number: of a loaded column, or else as last read; '' where it is not known. */
function serialAt(store: Store, slot: number, id: string): string {
  const { columns } = store.inventory.extras
  const loaded = serialFields.flatMap((name) => columns.get(name) ?? [])
  for (const column of loaded) {
    const value = extraAt(column, slot)
    if (value !== undefined && value !== null && value !== '') return value
  }
  if (loaded.length > 0) return ''
  const extra = store.cache.extra(tenantAt(store, slot), id)
  return serialFields.map((name) => own(extra, name) ?? '').find((value) => value !== '') ?? ''
}

/** The places that a sheet names (job-protocol.ts, `actionPlaces`). */
export function actionPlaces(
  { inventory: { places } }: Store,
  { tenants, words }: Places,
): Awaited<ReturnType<InventoryData['actionPlaces']>> {
  const [inside, wanted] = [new Set(tenants), new Set(words)]
  const found: ActionPlace[] = []
  const elsewhere: Record<ActionPlace['kind'], Set<string>> = { account: new Set(), site: new Set(), room: new Set() }
  for (const place of wanted.size === 0 ? [] : places.byIndex) {
    const listed = place === null ? null : listedPlace(place)
    if (listed === null || (!wanted.has(listed.id) && !wanted.has(listed.name))) continue
    if (inside.has(listed.tenant)) found.push(listed)
    else for (const word of [listed.id, listed.name]) if (wanted.has(word)) elsewhere[listed.kind].add(word)
  }
  const kinds = ['account', 'site', 'room'] as const
  return { places: found, elsewhere: kinds.flatMap((kind) => [...elsewhere[kind]].map((word) => ({ kind, word }))) }
}

function listedPlace(place: Place): ActionPlace | null {
  const { kind, ref, name, tenant, parent, facts } = place
  if (tenant === null || ref === null || kind === 'tenant' || kind === 'region') return null
  const site = kind === 'room' && parent !== null && !isPlaceless(parent) ? refOf(parent) : null
  const account = kind === 'site' ? (tenant.accounts.bySite.get(ref) ?? null) : null
  return { tenant: tenant.key, kind, id: ref, name, site, account, facts }
}

const refOf = ({ ref, name }: Place): NamedRef | null => (ref === null ? null : { id: ref, name })

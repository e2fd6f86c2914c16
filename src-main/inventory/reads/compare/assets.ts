import type { Asset } from '../../../../src-shared/model/comparison.ts'
import type { DeviceRow } from '../../../../src-shared/model/inventory.ts'
import { firmwareColumns } from '../../../../src-shared/model/firmware.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { DevicePlace } from '../../../storage/journal/device-places.ts'
import type { Inventory } from '../../engine/inventory.ts'
import { type Place, placeAt } from '../../engine/places.ts'
import { tenantsIn, rowAt } from '../../engine/view.ts'
import { accountNode, everything, idOfKey, roomNode, siteNode, tenantNode } from '../../keys.ts'
import type { Store } from '../../store.ts'
import { walkedBelow, walkedDevices } from '../overview/timelines.ts'
import { macOf } from './match.ts'

/** Devices that are read in one part. */
const atOnce = 3000

/** Names of the extra columns that hold what identifies a device and its firmware, as services call them. */
const extraNames = {
  serial: ['serialNumber', 'serial'],
  mac: ['macAddress', 'mac', 'ethernetMacAddress'],
  firmware: firmwareColumns,
} as const

function extraOf({ extra }: DeviceRow, names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(extra, name) ? extra[name] : null
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** Returns a device as it is now. An id that is a MAC address counts as one. */
export function assetOf(row: DeviceRow): Asset {
  const { key, id, name, hardwareModel, tenant, site, room } = row
  const mac = extraOf(row, extraNames.mac)
  return {
    key,
    line: null,
    id,
    serial: extraOf(row, extraNames.serial),
    mac: mac === '' && macOf(id) !== '' ? id : mac,
    name,
    tenant: tenant.name,
    site: site?.name ?? '',
    room: room?.name ?? '',
    place: '',
    model: hardwareModel,
    firmware: extraOf(row, extraNames.firmware),
  }
}

/** Returns the place of a side; null for all tenants. Throws a fault of kind `input` for one that is not known. */
export function placeOf(inventory: Inventory, { place }: { place: string }): Place | null {
  if (place === everything) return null
  const found = placeAt(inventory.places, place)
  if (found === undefined) throw new FaultError('input', 'place: Muster does not know it.')
  return found
}

/** Reads the devices of a place as they are now, part by part. */
export function* presentAssets(store: Store, place: Place | null): Generator<undefined, Asset[]> {
  const { inventory } = store
  const { keys } = place === null ? yield* walkedDevices(store) : walkedBelow(store, place)
  const assets: Asset[] = []
  for (const [index, key] of keys.entries()) {
    if (index % atOnce === atOnce - 1) yield undefined
    const slot = inventory.rows.slotOf.get(key)
    if (slot !== undefined) assets.push(assetOf(rowAt(inventory, slot)))
  }
  return assets
}

/** What was in a place at a time. */
export interface Past {
  assets: Asset[]
  /** What was elsewhere then, by key. */
  elsewhere: ReadonlyMap<string, Asset>
  /** Since when names and places of each tenant are recorded, ms, by its key. */
  recordedSince: ReadonlyMap<string, number>
}

/** Reads the devices of a place as they were at a time, part by part. */
export function* pastAssets(
  { inventory, journal }: Store,
  { place, at }: { place: string; at: number },
): Generator<undefined, Past> {
  const assets: Asset[] = []
  const elsewhere = new Map<string, Asset>()
  const recordedSince = new Map<string, number>()
  const isWithin = withinPlace(inventory, place)
  let after: { key: string; position: number } | null = null
  do {
    yield undefined
    after = journal.history.placesPage(after, atOnce, (key, interval) => {
      const tenant = key.slice(0, key.lastIndexOf('/'))
      const { from, until } = interval
      recordedSince.set(tenant, Math.min(recordedSince.get(tenant) ?? Infinity, from))
      if (from > at || (until !== null && until <= at)) return
      const asset = pastAsset(key, interval, inventory.tenants.get(tenant)?.name ?? '')
      if (isWithin(key, interval)) assets.push(asset)
      else elsewhere.set(key, asset)
    })
  } while (after !== null)
  return { assets, elsewhere, recordedSince }
}

const pastAsset = (key: string, { name, site, room }: DevicePlace, tenant: string): Asset => ({
  key,
  line: null,
  id: idOfKey(key),
  serial: '',
  mac: '',
  name,
  tenant,
  site: site?.name ?? '',
  room: room?.name ?? '',
  place: '',
  model: '',
  firmware: '',
})

/** Returns a test of whether a former place of a device lies in a node. A tenant is in the region of now. */
function withinPlace(inventory: Inventory, place: string): (key: string, interval: DevicePlace) => boolean {
  if (place === everything) return () => true
  const found = placeOf(inventory, { place })
  const tenants = new Set(tenantsIn(inventory, place).map(({ key }) => key))
  return (key, { account, site, room }) => {
    const tenant = key.slice(0, key.lastIndexOf('/'))
    if (!tenants.has(tenant)) return false
    switch (found?.kind) {
      case 'account':
        return accountNode(tenant, account?.id ?? null) === place
      case 'site':
        return siteNode(tenant, site?.id ?? null) === place
      case 'room':
        return roomNode(tenant, site?.id ?? null, room?.id ?? null) === place
      case 'tenant':
        return tenantNode(tenant) === place
      default:
        return true
    }
  }
}

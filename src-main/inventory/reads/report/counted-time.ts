import { textAt } from '../../engine/columns/columns.ts'
import { type Inventory, roomOf } from '../../engine/inventory.ts'
import { type Place, placeAt, titleOf } from '../../engine/places.ts'
import { deviceOfNode, everything } from '../../keys.ts'
import type { Store } from '../../store.ts'
import type { MaintenanceTime, ReportInput } from '../../thread/report-protocol.ts'
import { lengthBefore, merged, overlap, without } from './spans.ts'

/** The time that counts for some devices. */
export interface Counted {
  devices: number
  /** Counted time before a time, ms; and how much of it Muster could see. */
  before: (time: number) => number
  visibleBefore: (time: number) => number
  /** `visibleBefore` at each boundary of a day. */
  visibleAtDays: Float64Array
  /** Maintenance within the service hours, ms. */
  maintenance: number
}

/** Returns the counted time of the device in a slot; devices with the same one share it. */
export type CountedOf = (slot: number) => Counted

export function countedTime(
  { inventory, journal }: Store,
  { from, until, hours, days, maintenance }: Omit<ReportInput, 'place' | 'now'>,
): CountedOf {
  const whole = [{ from, until }]
  const service = hours === null ? whole : overlap(whole, merged(hours))
  const serviceLength = lengthBefore(service)(until)
  const windows = windowsByPlace(inventory, maintenance)
  const make = (tenant: string, indexes: readonly number[]): Counted => {
    const spans = merged(indexes.flatMap((index) => maintenance[index]?.spans ?? []))
    const counted = without(service, spans)
    const unseen = journal.history.unseen(tenant, from)
    const visible = without(counted, merged(unseen.map((gap) => ({ from: gap.from, until: gap.until ?? Infinity }))))
    const [before, visibleBefore] = [lengthBefore(counted), lengthBefore(visible)]
    return {
      devices: 0,
      before,
      visibleBefore,
      visibleAtDays: Float64Array.from(days, visibleBefore),
      maintenance: serviceLength - before(until),
    }
  }
  const known = new Map<string, Counted>()
  const found = (tenant: string, indexes: readonly number[]) => {
    const name = `${tenant} ${indexes.join()}`
    const counted = known.get(name) ?? make(tenant, indexes)
    known.set(name, counted)
    return counted
  }
  const byRoom = new Map<Place, { tenant: string; indexes: readonly number[] }>()
  return (slot) => {
    const room = roomOf(inventory, slot)
    const its = byRoom.get(room) ?? { tenant: room.tenant?.key ?? '', indexes: windowsAt(windows, room) }
    byRoom.set(room, its)
    const own = windows.devices.get(textAt(inventory.rows.key, slot)) ?? []
    return found(its.tenant, own.length === 0 ? its.indexes : [...its.indexes, ...own])
  }
}

/** Indexes of maintenance windows. */
interface Windows {
  everywhere: readonly number[]
  places: ReadonlyMap<Place, readonly number[]>
  devices: ReadonlyMap<string, readonly number[]>
}

function windowsByPlace({ places }: Inventory, maintenance: readonly MaintenanceTime[]): Windows {
  const [byPlace, byDevice] = [new Map<Place, number[]>(), new Map<string, number[]>()]
  const everywhere: number[] = []
  const add = <K>(map: Map<K, number[]>, key: K, index: number) => map.set(key, [...(map.get(key) ?? []), index])
  maintenance.forEach(({ node }, index) => {
    const [device, place] = [deviceOfNode(node), placeAt(places, node)]
    if (node === everything) everywhere.push(index)
    else if (device !== null) add(byDevice, device, index)
    else if (place !== undefined) add(byPlace, place, index)
  })
  return { everywhere, places: byPlace, devices: byDevice }
}

function windowsAt({ everywhere, places }: Windows, room: Place): readonly number[] {
  const found = [...everywhere]
  for (let place: Place | null = room; place; place = place.parent)
    for (const index of places.get(place) ?? []) found.push(index)
  return found.sort((one, other) => one - other)
}

/** Returns the maintenance that concerns a place: windows at it, above it or below it. `root`: null for all tenants. */
export function maintenanceOf(
  inventory: Inventory,
  maintenance: readonly MaintenanceTime[],
  root: Place | null,
): MaintenanceTime[] {
  const { places, rows } = inventory
  const isWithin = (place: Place | null, other: Place): boolean =>
    place !== null && (place === other || isWithin(place.parent, other))
  return maintenance.flatMap((window) => {
    if (window.node === everything) return [window]
    const slot = rows.slotOf.get(deviceOfNode(window.node) ?? '')
    const place = slot === undefined ? placeAt(places, window.node) : roomOf(inventory, slot)
    if (place === undefined) return []
    const concerns = root === null || isWithin(place, root) || (slot === undefined && isWithin(root, place))
    return concerns ? [{ ...window, place: slot === undefined ? titleOf(places, place) : window.place }] : []
  })
}

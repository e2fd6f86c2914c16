import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { type Place, roomsBelow, tenantPlace } from '../engine/places.ts'
import { roomNode } from '../keys.ts'
import type { Tenant } from '../engine/tenants.ts'
import type { Store } from '../store.ts'
import type { LiveEvent } from '../thread/protocol.ts'

/** The place of a device; null: none. */
export interface DevicePlace {
  site: NamedRef | null
  room: NamedRef | null
}

/**
 * Returns the place that an event names: null where it names none, `unread` where the device has to be read by its id.
 * A null id is no move, nor is a place of unknown name, or a room in another site than the known one. A room's id alone
 * is enough where one room of the tenant has it; a site's alone where the device is in that site already.
 */
export function placeOfEvent(
  store: Store,
  tenant: Tenant,
  event: LiveEvent,
  now: DevicePlace | null,
): DevicePlace | 'unread' | null {
  const { site, room } = event
  if (site === undefined && room === undefined) return null
  const isSame =
    now !== null &&
    (site === undefined || site === (now.site?.id ?? null)) &&
    (room === undefined || room === (now.room?.id ?? null))
  if (isSame) return renamed(event, now)
  if (room === null || room === undefined || site === null) return 'unread'
  return site === undefined ? roomAlone(store, tenant, event, room) : roomInSite(store, tenant, event, site, room)
}

function roomInSite(
  { inventory: { places } }: Store,
  tenant: Tenant,
  event: LiveEvent,
  site: string,
  room: string,
): DevicePlace | 'unread' {
  const known = places.byId.get(roomNode(tenant.key, site, room))
  if (known !== undefined) return renamed(event, placeOf(known))
  if (event.siteName === undefined || event.roomName === undefined) return 'unread'
  return { site: { id: site, name: event.siteName }, room: { id: room, name: event.roomName } }
}

/** Returns the one room of the tenant with this id, with its site. */
function roomAlone(
  { inventory: { places } }: Store,
  tenant: Tenant,
  event: LiveEvent,
  room: string,
): DevicePlace | 'unread' {
  const found: Place[] = []
  roomsBelow(tenantPlace(places, tenant), (each) => {
    if (each.ref === room) found.push(each)
  })
  const [only] = found
  return only === undefined || found.length > 1 ? 'unread' : renamed(event, placeOf(only))
}

const refOf = (place: Place | null): NamedRef | null =>
  place === null || place.ref === null ? null : { id: place.ref, name: place.name }

/** Returns the place of the devices in a room. */
export const placeOf = (room: Place): DevicePlace => ({ site: refOf(room.parent), room: refOf(room) })

/** Returns the place under the names that the event has for it. */
const renamed = ({ siteName, roomName }: LiveEvent, { site, room }: DevicePlace): DevicePlace => ({
  site: site !== null && siteName !== undefined ? { ...site, name: siteName } : site,
  room: room !== null && roomName !== undefined ? { ...room, name: roomName } : room,
})

/** Returns whether both are the same site and room, whatever their names are. */
export const isSamePlace = (one: DevicePlace, other: DevicePlace): boolean =>
  one.site?.id === other.site?.id && one.room?.id === other.room?.id

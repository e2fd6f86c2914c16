import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import type { Place } from '../engine/places.ts'
import { roomNode } from '../keys.ts'
import type { Tenant } from '../engine/tenants.ts'
import type { Store } from '../store.ts'
import type { DevicePlace, LiveEvent } from '../thread/update-protocol.ts'

/**
 * Returns the place that an event names: null where it names none, `unread` where the device has to be read by its id.
 * Only a site and a room together are a move, where Muster knows the room in this site or the event has both names. A
 * null id is none, nor is a room alone (rooms of two sites may have one id) or a site alone.
 */
export function placeOfEvent(
  { inventory: { places } }: Store,
  tenant: Tenant,
  event: LiveEvent,
  now: DevicePlace,
): DevicePlace | 'unread' | null {
  const { site, room } = event
  if (site === undefined && room === undefined) return null
  const isSame =
    (site === undefined || site === (now.site?.id ?? null)) && (room === undefined || room === (now.room?.id ?? null))
  if (isSame) return renamed(event, now)
  if (typeof site !== 'string' || typeof room !== 'string') return 'unread'
  const known = places.byId.get(roomNode(tenant.key, site, room))
  if (known !== undefined) return renamed(event, placeOf(known))
  if (event.siteName === undefined || event.roomName === undefined) return 'unread'
  return { site: { id: site, name: event.siteName }, room: { id: room, name: event.roomName } }
}

/** Returns whether an event brings the name of a place. */
export const namesPlace = ({ siteName, roomName }: LiveEvent): boolean =>
  siteName !== undefined || roomName !== undefined

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

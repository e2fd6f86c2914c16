import type { CacheWriter } from '../../storage/cache/cache.ts'
import type { Place } from '../engine/places.ts'
import type { Tenant } from '../engine/tenants.ts'
import { roomNode, siteNode } from '../keys.ts'
import { isShared, type Store } from '../store.ts'
import type { DevicePlace } from '../thread/update-protocol.ts'

/**
 * The latest name of a site or room counts for all devices in it, also for those in the cache that this page does not
 * have or has with another name.
 */
export function writeNames(store: Store, tenant: Tenant, facts: readonly DevicePlace[], to: CacheWriter): void {
  const { byId } = store.inventory.places
  // A copy of the team's keeps the names of places apart from the lists.
  const inLists = !isShared(store)
  const renamed = new Map<string, () => void>()
  const before = new Map<string, string>()
  const noteName = (node: string, name: string, write: () => void) => {
    const known = before.get(node) ?? byId.get(node)?.name
    before.set(node, name)
    if (renamed.has(node) || (known !== undefined && known !== name)) renamed.set(node, write)
  }
  for (const { site, room } of facts) {
    if (site) noteName(siteNode(tenant.key, site.id), site.name, () => to.nameSite(tenant, site.id, site.name, inLists))
    const siteId = site?.id ?? null
    if (room)
      noteName(roomNode(tenant.key, siteId, room.id), room.name, () =>
        to.nameRoom(tenant, siteId, room.id, room.name, inLists),
      )
  }
  for (const write of renamed.values()) write()
}

/** Returns the place with the names that a later request has brought. */
export function withLaterNames<P extends DevicePlace>({ inventory }: Store, tenant: Tenant, order: number, fact: P): P {
  // Usually none: then no place of any device on the page is looked up.
  if (tenant.latestNameOrder <= order) return fact
  const { byId } = inventory.places
  const { site, room } = fact
  const sitePlace = site && byId.get(siteNode(tenant.key, site.id))
  const roomPlace = room && byId.get(roomNode(tenant.key, site?.id ?? null, room.id))
  const hasLater = (place: Place | null | undefined): place is Place => !!place && place.nameOrder > order
  if (!hasLater(sitePlace) && !hasLater(roomPlace)) return fact
  return {
    ...fact,
    site: site && hasLater(sitePlace) ? { id: site.id, name: sitePlace.name } : site,
    room: room && hasLater(roomPlace) ? { id: room.id, name: roomPlace.name } : room,
  }
}

import type { CacheWriter } from '../../storage/cache/cache.ts'
import type { Tenant } from '../engine/tenants.ts'
import { roomNode, siteNode } from '../keys.ts'
import type { Store } from '../store.ts'
import type { DevicePlace } from './event-places.ts'

/**
 * The latest name of a site or room counts for all devices in it, also for those in the cache that this page does not
 * have or has with another name.
 */
export function writeNames(store: Store, tenant: Tenant, facts: readonly DevicePlace[], to: CacheWriter): void {
  const { byId } = store.inventory.places
  const renamed = new Map<string, () => void>()
  const before = new Map<string, string>()
  const noteName = (node: string, name: string, write: () => void) => {
    const known = before.get(node) ?? byId.get(node)?.name
    before.set(node, name)
    if (renamed.has(node) || (known !== undefined && known !== name)) renamed.set(node, write)
  }
  for (const { site, room } of facts) {
    if (site) noteName(siteNode(tenant.key, site.id), site.name, () => to.nameSite(tenant, site.id, site.name))
    const siteId = site?.id ?? null
    if (room)
      noteName(roomNode(tenant.key, siteId, room.id), room.name, () => to.nameRoom(tenant, siteId, room.id, room.name))
  }
  for (const write of renamed.values()) write()
}

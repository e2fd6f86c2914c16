import type { FoundPlace } from '../../../src-shared/contract/contract.ts'
import { tenantOfNode } from '../offers.ts'

/** An account, a site or a room of a tenant, by the service's ids. `node`: its id in the tree. */
export interface ServicePlace {
  node: string
  kind: 'account' | 'site' | 'room'
  id: string
  name: string
  /** The site of a room; null for one without, and for a site. */
  site: { id: string; name: string } | null
}

/** Stands for "none" in a node id. */
const none = '='

/** Percent-encodes an id as the core does (inventory/keys.ts). */
const part = (id: string) => (/^[\w.~-]*$/u.test(id) ? id : encodeURIComponent(id.toWellFormed()))

/** Returns the node id of a site. */
export const nodeOfSite = (tenant: string, site: string): string => `s:${tenant}/${part(site)}`

/** Returns the service's id in a part of a node id; null for "none" and a part that is damaged. */
function idIn(part: string | undefined): string | null {
  if (part === undefined || part === none) return null
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

interface PlaceInNode {
  kind: ServicePlace['kind']
  tenant: string
  id: string
  site: string | null
}

/** Returns the account, site or room of a node id; null for other nodes, and for "No account", "No site" and "No room". */
export function placeInNode(node: string): PlaceInNode | null {
  const tenant = tenantOfNode(node)
  const parts = node.slice(2).split('/')
  const site = idIn(parts[2])
  if (tenant === null) return null
  if (node.startsWith('a:') && site !== null) return { kind: 'account', tenant, id: site, site: null }
  if (node.startsWith('s:') && site !== null) return { kind: 'site', tenant, id: site, site: null }
  const room = node.startsWith('m:') ? idIn(parts[3]) : null
  return room === null ? null : { kind: 'room', tenant, id: room, site }
}

/** Returns the accounts, sites and rooms among found places that are in a tenant. */
export function placesIn(tenant: string, found: readonly FoundPlace[]): readonly ServicePlace[] {
  return found.flatMap(({ id: node, name, above }) => {
    const place = placeInNode(node)
    if (place === null || place.tenant !== tenant) return []
    const site = above.find((each) => each.kind === 'site')
    return [
      {
        node,
        kind: place.kind,
        id: place.id,
        name,
        site: place.site === null || site === undefined ? null : { id: place.site, name: site.name },
      },
    ]
  })
}

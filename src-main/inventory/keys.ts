import type { everything as sharedEverything } from '../../src-shared/model/inventory.ts'
import type { patchRows as sharedPatchRows } from '../../src-shared/contract/patch.ts'

/**
 * The shared constants that the thread needs, tied to them by type. Importing the values would bring all schemas of the
 * window's contract into the thread, and take longer than opening the cache.
 */
export const everything: typeof sharedEverything = 'all'
export const patchRows: typeof sharedPatchRows = 200

/**
 * Keys and node ids. Each part is percent-encoded, so that `/`, `=` and `:` stay free to part them and a key has one
 * reading only. Node ids of the tree (contract.ts `treeRow.id`, usable as a scope):
 *
 *   all                                  all devices
 *   r:<service>/<region>                 a service's region; `=` for the tenants without one. Formerly `r:<region>`,
 *                                        which still finds the region
 *   t:<service>/<tenant>                 a tenant
 *   a:<service>/<tenant>/<account>       an account, in a tenant with several; `=` for the sites without a known one
 *   s:<service>/<tenant>/<site>          a site; `=` for the devices without one
 *   m:<service>/<tenant>/<site>/<room>   a room; `=` for the devices without one
 *   d:<service>/<tenant>/<device>        a device
 */
const plain = /^[\w.~-]*$/

function part(text: string): string {
  return plain.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

/** Stands for "none": percent-encoding never leaves it in a part. */
const none = '='

const partOrNone = (text: string | null) => (text === null ? none : part(text))

export function tenantKey(service: string, tenant: string): string {
  return `${part(service)}/${part(tenant)}`
}

/** The key of a device below its tenant's key (invariant 9). */
export function deviceKey(tenant: string, id: string): string {
  return `${tenant}/${part(id)}`
}

/** Returns the service's id of a tenant or a device from its key. */
export const idOfKey = (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf('/') + 1))

export const regionNode = (service: string, region: string | null) => `r:${part(service)}/${partOrNone(region)}`
/** The former id of a region's node, without its service; null for every other node. */
export const formerNode = (node: string): string | null =>
  node.startsWith('r:') && node.includes('/') ? `r:${node.slice(node.indexOf('/') + 1)}` : null
export const tenantNode = (tenant: string) => `t:${tenant}`
export const accountNode = (tenant: string, account: string | null) => `a:${tenant}/${partOrNone(account)}`
export const siteNode = (tenant: string, site: string | null) => `s:${tenant}/${partOrNone(site)}`
export const roomNode = (tenant: string, site: string | null, room: string | null) =>
  `m:${tenant}/${partOrNone(site)}/${partOrNone(room)}`
export const deviceNode = (key: string) => `d:${key}`

/** The device's key in a node id; null for a node of another kind. */
export function deviceOfNode(node: string): string | null {
  return node.startsWith('d:') ? node.slice(2) : null
}

/** Returns whether a node is that of a site; not that of the devices without one. */
export const isSiteNode = (node: string): boolean => node.startsWith('s:') && !node.endsWith(`/${none}`)

import { z } from 'zod'
import { everything } from './inventory.ts'

/** Order of the tree's siblings: by name, or those with the most offline devices first. */
export const treeSort = z.enum(['name', 'offline'])
export type TreeSort = z.infer<typeof treeSort>

/**
 * Returns a node and its ancestors as far as its id contains them (inventory/keys.ts): a room's site and tenant, but
 * neither the region nor a site's account.
 */
export function above(node: string): string[] {
  const [letter = '', parts = ''] = node.split(':', 2)
  const [service, tenant, site] = parts.split('/')
  const tenants = `t:${service}/${tenant}`
  if (letter === 'm') return [node, `s:${service}/${tenant}/${site}`, tenants, everything]
  if (letter === 's' || letter === 'a') return [node, tenants, everything]
  return node === everything ? [node] : [node, everything]
}

import { z } from 'zod'
import { everything } from './inventory.ts'

/** The order of the tree's siblings: by name, or those with the most that is offline first. */
export const treeSort = z.enum(['name', 'offline'])
export type TreeSort = z.infer<typeof treeSort>

/** A node and what is above it as far as its id tells (inventory/keys.ts): a room's site and tenant, not the region. */
export function above(node: string): string[] {
  const [letter = '', parts = ''] = node.split(':', 2)
  const [service, tenant, site] = parts.split('/')
  const tenants = `t:${service}/${tenant}`
  if (letter === 'm') return [node, `s:${service}/${tenant}/${site}`, tenants, everything]
  if (letter === 's') return [node, tenants, everything]
  return node === everything ? [node] : [node, everything]
}

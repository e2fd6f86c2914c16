import { z } from 'zod'
import { everything } from './inventory.ts'

/** Order of the tree's siblings: by name, or those with the most offline devices first. */
export const treeSort = z.enum(['name', 'offline'])
export type TreeSort = z.infer<typeof treeSort>

/**
 * Returns the nodes whose zone a node takes, the deepest first: itself, and its ancestors without the region. Its id
 * contains them (inventory/keys.ts), except the account of a site or room, which is null where there is none.
 */
export function above(node: string, account: string | null = null): string[] {
  const [letter = '', parts = ''] = node.split(':', 2)
  const [service, tenant, site] = parts.split('/')
  const tenants = `t:${service}/${tenant}`
  const accounts = account === null ? [] : [account]
  if (letter === 'm') return [node, `s:${service}/${tenant}/${site}`, ...accounts, tenants, everything]
  if (letter === 's') return [node, ...accounts, tenants, everything]
  if (letter === 'a') return [node, tenants, everything]
  return node === everything ? [node] : [node, everything]
}

import { z } from 'zod'

/** The order of the tree's siblings: by name, or those with the most that is offline first. */
export const treeSort = z.enum(['name', 'offline'])
export type TreeSort = z.infer<typeof treeSort>

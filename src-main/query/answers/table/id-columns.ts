import type { TableColumn } from './rows.ts'
import type { PathNode } from './outline.ts'

/** Words of what is no device, but has ids too: `site.id`, `tenantId`, and the rows of `tenants`. */
const others =
  /^(?:tenant|site|room|region|account|user|person|people|group|call|meeting|event|policy|policies|license|alert|alarm|incident|firmware|model|organization|organisation|workspace|location|building|floor|customer|connection|job|session|subscription)s?$/iu

const idName = /^id$|(?:Id|ID|_id)$/u

/** Returns the words of a name: `deviceId` has `device` and `Id`. */
const wordsOf = (name: string): string[] => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/gu) ?? []

/** Returns the nearest name above a path, without `edges`, `nodes` and elements; '' where there is none. */
function ownerOf(node: PathNode): string {
  let at = node.parent
  while (at !== null && (at.key === null || ['edges', 'node', 'nodes', 'items', 'data'].includes(at.name)))
    at = at.parent
  return at?.name ?? ''
}

/**
 * Returns the indexes of the columns that may have ids of devices: by their names, so that another thing that happens to have
 * a device's id is no link to it.
 */
export function idColumnsOf(columns: readonly TableColumn[]): number[] {
  return columns.flatMap(({ node }, index) => {
    if (!idName.test(node.name)) return []
    const words = wordsOf(node.name).slice(0, -1)
    const owner = words.length > 0 ? words.at(-1) : wordsOf(ownerOf(node)).at(-1)
    return owner !== undefined && others.test(owner) ? [] : [index]
  })
}

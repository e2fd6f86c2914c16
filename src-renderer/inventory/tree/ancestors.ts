import type { CallOutput, Pipe } from '../../../src-shared/contract/contract.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { indexOf, rowAt, type Paged } from '../../lib/list/paged.ts'
import type { Place } from '../filter/view.ts'
import type { TreeSettings } from './tree-settings.ts'

/** Finds lines of the tree that may be out of sight, and so not here. */
export interface Ancestors {
  /** The line of a node; null when it is gone. */
  indexFor(id: string): Promise<number | null>
  /** Places from the region down to this line, itself included. */
  pathTo(row: TreeRow): Promise<readonly Place[]>
}

export function createAncestors(
  pipe: Pipe,
  lines: Paged<TreeRow>,
  expanded: () => ReadonlySet<string>,
  { sort, placeOf }: TreeSettings,
): Ancestors {
  async function ask(reveal: string | null, offset: number): Promise<CallOutput<'inventory.tree'> | null> {
    const answer = await pipe.call('inventory.tree', {
      expanded: [...expanded()],
      offset,
      limit: 1,
      reveal,
      sort: sort(),
    })
    return answer.ok ? answer.value : null
  }

  async function indexFor(id: string): Promise<number | null> {
    const known = indexOf(lines.state.get(), (row) => row.id === id)
    return known === -1 ? ((await ask(id, 0))?.index ?? null) : known
  }

  async function rowFor(id: string): Promise<TreeRow | null> {
    const index = await indexFor(id)
    if (index === null) return null
    return rowAt(lines.state.get(), index) ?? (await ask(null, index))?.rows[0] ?? null
  }

  return {
    indexFor,
    async pathTo(row) {
      const path: Place[] = [placeOf(row)]
      // A tree has five levels; the bound is there for a service whose parents go round in a circle.
      for (let parent = row.parent; parent !== null && path.length < 8;) {
        const above: TreeRow | null = await rowFor(parent)
        if (above === null) break
        path.unshift(placeOf(above))
        parent = above.parent
      }
      return path
    },
  }
}

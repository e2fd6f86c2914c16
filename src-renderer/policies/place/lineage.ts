import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** What is above the lines of the tree, as far as it was seen; the lines above may be out of sight, and are asked for. */
export interface Lineage {
  /** Counts up when more is known. */
  known: Store<number>
  /** Ids of a line and of what is above it, the deepest first; what is not known yet is missing, and comes. */
  pathOf(row: Pick<TreeRow, 'id' | 'parent'>): readonly string[]
}

/** Nodes keep their parents, but for those that move with their site: a line that comes says where it is. */
export function createLineage(pipe: Pipe): Lineage {
  const known = createStore(0)
  const parents = new Map<string, string | null>()
  const asking = new Set<string>()

  async function ask(id: string) {
    if (asking.has(id)) return
    asking.add(id)
    const answer = await pipe.call('inventory.places', { asked: { nodes: [id] }, limit: 1 })
    asking.delete(id)
    const [place] = answer.ok ? answer.value.places : []
    if (place === undefined) return
    const chain = [place.id, ...place.above.map((each) => each.id)]
    chain.forEach((each, index) => parents.set(each, chain[index + 1] ?? null))
    known.set(known.get() + 1)
  }

  return {
    known,
    pathOf({ id, parent }) {
      parents.set(id, parent)
      const path = [id]
      for (let at = parent; at !== null && path.length < 8;) {
        path.push(at)
        const next = parents.get(at)
        if (next === undefined) void ask(at)
        at = next ?? null
      }
      return path
    },
  }
}

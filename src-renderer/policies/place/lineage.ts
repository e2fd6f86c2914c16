import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { idsOf } from './place.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** The known ancestors of the tree's lines. Those that are not loaded are read from the core. */
export interface Lineage {
  /** Increases when more ancestors are known. */
  known: Store<number>
  /** Returns the ids of a line and its known ancestors, the deepest first. Missing ones are read. */
  pathOf(row: Pick<TreeRow, 'id' | 'parent' | 'onlyAccount'>): readonly string[]
}

/** Creates a lineage. A node keeps its parent unless it moves with its site; then its line has the new one. */
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
    const chain = idsOf(place)
    chain.forEach((each, index) => parents.set(each, chain[index + 1] ?? null))
    known.set(known.get() + 1)
  }

  return {
    known,
    pathOf({ id, parent, onlyAccount }) {
      if (onlyAccount !== undefined) parents.set(onlyAccount, parent)
      const first = onlyAccount ?? parent
      parents.set(id, first)
      const path = [id]
      for (let at = first; at !== null && path.length < 8;) {
        path.push(at)
        const next = parents.get(at)
        if (next === undefined) void ask(at)
        at = next ?? null
      }
      return path
    },
  }
}

import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { Store } from '../../lib/store.ts'
import type { TreeLookup } from './tree-lookup.ts'
import { rowAt, type Paged, type PagedState } from '../../lib/list/paged.ts'
import { typedAhead } from './tree-moves.ts'

interface Options {
  lines: Paged<TreeRow>
  cursor: Store<{ index: number }>
  lookup: TreeLookup
  to: (index: number) => void
}

/**
 * Creates the search by typed letters: it moves to the next line whose name begins with the text, wrapping around; the
 * core searches lines that are not loaded. Resolves with the index, or null when there is none in the searched lines.
 */
export function createTypeAhead({ lines, cursor, lookup, to }: Options): (text: string) => Promise<number | null> {
  let asked = 0
  return async (text) => {
    asked += 1
    const mine = asked
    const loaded = lines.state.get()
    const total = loaded.total ?? 0
    // A single letter moves to the next line; more letters may still match the present one.
    const from = cursor.get().index + (text.length === 1 ? 1 : 0)
    const near = typedAhead(nearNames(loaded, from), text)
    const index = near === -1 ? await lookup.named(text, from % Math.max(1, total), total) : from + near
    if (mine === asked && index !== null) to(index)
    return index
  }
}

/** Returns the names of the loaded lines from `from` on, up to the first gap. */
function nearNames(loaded: PagedState<TreeRow>, from: number): readonly string[] {
  const names: string[] = []
  for (let row = rowAt(loaded, from); row !== undefined; row = rowAt(loaded, from + names.length)) names.push(row.name)
  return names
}

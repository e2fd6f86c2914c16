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
 * Goes to the next line whose name begins with what was typed, going round; what the window does not hold is the core's to
 * say. Answers with the line, null when there is none within reach.
 */
export function createTypeAhead({ lines, cursor, lookup, to }: Options): (text: string) => Promise<number | null> {
  let asked = 0
  return async (text) => {
    asked += 1
    const mine = asked
    const held = lines.state.get()
    const total = held.total ?? 0
    // A single letter goes on to the next line; more letters may still mean the present one.
    const from = cursor.get().index + (text.length === 1 ? 1 : 0)
    const near = typedAhead(nearNames(held, from), text)
    const index = near === -1 ? await lookup.named(text, from % Math.max(1, total), total) : from + near
    if (mine === asked && index !== null) to(index)
    return index
  }
}

/** Names of the lines from `from` on that are held without a gap. */
function nearNames(held: PagedState<TreeRow>, from: number): readonly string[] {
  const names: string[] = []
  for (let row = rowAt(held, from); row !== undefined; row = rowAt(held, from + names.length)) names.push(row.name)
  return names
}

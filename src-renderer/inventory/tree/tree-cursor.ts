import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { indexOf, rowAt, type Paged } from '../../lib/list/paged.ts'

/** The line of the keyboard cursor. `follow` increases when it should scroll into view. */
export interface TreeCursor {
  index: number
  follow: number
}

export interface TreeCursorSource {
  state: Store<TreeCursor>
  to(index: number): void
  /** Moves to this line as soon as the requested lines are loaded, unless the operator has moved by then. */
  toComing(index: number): void
  stop(): void
}

/** Creates a cursor that stays on its place while lines are added, removed and sorted. */
export function createTreeCursor(lines: Paged<TreeRow>): TreeCursorSource {
  const state = createStore<TreeCursor>({ index: 0, follow: 0 })
  /** Id of the present line's node; null while it is not loaded. */
  let node: string | null = null
  let coming: number | null = null

  function to(index: number) {
    coming = null
    node = rowAt(lines.state.get(), index)?.id ?? null
    state.set({ index, follow: state.get().follow + 1 })
  }

  function settle() {
    const loaded = lines.state.get()
    if (loaded.pending || loaded.total === null) return
    if (coming !== null) return to(coming)
    const { index, follow } = state.get()
    const here = rowAt(loaded, index)?.id ?? null
    node ??= here
    if (node === here) return
    const found = indexOf(loaded, ({ id }) => id === node)
    if (found === -1) node = here
    else state.set({ index: found, follow })
  }

  return {
    state,
    to,
    toComing(index) {
      coming = index
      settle()
    },
    stop: lines.state.subscribe(settle),
  }
}

import type { Clock } from '../../src-shared/clock.ts'
import type { Pipe } from '../../src-shared/contract.ts'
import type { TreeRow } from '../../src-shared/model.ts'
import { createStore, type Store } from '../store.ts'
import { createAncestors } from './ancestors.ts'
import { createPaged, rowAt, type Paged } from './paged.ts'
import type { Place } from './query.ts'
import { typedAhead, type TreeMove } from './tree-moves.ts'

/** The line that the keyboard stands on. `follow` counts the times when it wants to be brought in sight. */
export interface TreeCursor {
  index: number
  follow: number
}

export interface TreeSource {
  lines: Paged<TreeRow>
  cursor: Store<TreeCursor>
  /** The device that was last chosen here: its node, and its key among the rows. */
  device: Store<{ node: string; key: string } | null>
  /** Moves the cursor; what a choice means is up to the inventory. */
  go(move: Exclude<TreeMove, { move: 'choose' }>): void
  toggle(row: TreeRow): void
  typed(text: string): void
  /** Places from the region down to this line, itself included. */
  pathTo(row: TreeRow): Promise<readonly Place[]>
  reset(): void
  stop(): void
}

/** The core flattens the tree; this holds what is expanded, and pages of the lines that follow from it. */
export function createTree(pipe: Pipe, clock: Clock): TreeSource {
  const cursor = createStore<TreeCursor>({ index: 0, follow: 0 })
  const device = createStore<{ node: string; key: string } | null>(null)
  let expanded: ReadonlySet<string> = new Set()
  let opened = false
  const lines = createPaged<TreeRow>({ load, clock })
  const ancestors = createAncestors(pipe, lines, () => expanded)
  const offLines = lines.state.subscribe(openRegions)

  async function load(offset: number, limit: number) {
    return pipe.call('inventory.tree', { expanded: [...expanded], offset, limit, reveal: null })
  }

  /** The first time that there are lines, the regions stand open, so that the tenants are in sight. */
  function openRegions() {
    if (opened || (lines.state.get().total ?? 0) === 0) return
    opened = true
    const regions = lines.state.get().pages.get(0)?.rows.filter(({ level }) => level === 1) ?? []
    expand(new Set(regions.map(({ id }) => id)))
  }

  function expand(next: ReadonlySet<string>) {
    expanded = next
    lines.reset()
  }

  function toggle(row: TreeRow) {
    if (row.expanded === null) return
    const next = new Set(expanded)
    if (row.expanded) next.delete(row.id)
    else next.add(row.id)
    expand(next)
  }

  function to(index: number) {
    cursor.set({ index, follow: cursor.get().follow + 1 })
  }

  async function toParent() {
    const row = rowAt(lines.state.get(), cursor.get().index)
    const index = row === undefined || row.parent === null ? null : await ancestors.indexFor(row.parent)
    if (index !== null) to(index)
  }

  return {
    lines,
    cursor,
    device,
    toggle,
    pathTo: ancestors.pathTo,
    go(move) {
      if (move.move === 'to') return to(move.index)
      if (move.move === 'parent') return void toParent()
      const row = rowAt(lines.state.get(), cursor.get().index)
      if (row !== undefined && row.expanded === (move.move === 'collapse')) toggle(row)
    },
    typed(text) {
      const held = lines.state.get()
      const names = Array.from({ length: held.total ?? 0 }, (_, index) => rowAt(held, index)?.name)
      const index = typedAhead(names, cursor.get().index, text)
      if (index !== -1) to(index)
    },
    reset: () => lines.reset(),
    stop() {
      offLines()
      lines.stop()
    },
  }
}

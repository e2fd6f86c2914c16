import type { Clock } from '../../src-shared/clock.ts'
import type { Pipe } from '../../src-shared/contract.ts'
import type { TreeRow } from '../../src-shared/model.ts'
import { createStore, type Store } from '../store.ts'
import { createAncestors } from './ancestors.ts'
import { createBeyond, type Beyond } from './beyond.ts'
import { createExpansion } from './expansion.ts'
import { createPaged, rowAt, type Paged } from './paged.ts'
import type { Place } from './query.ts'
import type { TreeMove } from './tree-moves.ts'
import { createTypeAhead } from './type-ahead.ts'

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
  /** To the next line whose name begins so, wherever it is among the open lines; null when there is none within reach. */
  typed(text: string): Promise<number | null>
  /** Places from the region down to a node, by its id alone; null when it is gone. */
  wayTo: Beyond['wayTo']
  /** Places from the region down to this line, itself included. */
  pathTo(row: TreeRow): Promise<readonly Place[]>
  reset(): void
  stop(): void
}

/** The core flattens the tree; this holds what is expanded, and pages of the lines that follow from it. */
export function createTree(pipe: Pipe, clock: Clock): TreeSource {
  const cursor = createStore<TreeCursor>({ index: 0, follow: 0 })
  const device = createStore<{ node: string; key: string } | null>(null)
  const lines = createPaged<TreeRow>({ load, clock })
  const expansion = createExpansion(lines)
  const { toggle } = expansion
  const ancestors = createAncestors(pipe, lines, expansion.nodes)
  const beyond = createBeyond(pipe, expansion.nodes)
  const typed = createTypeAhead({ lines, cursor, beyond, to })

  async function load(offset: number, limit: number) {
    return pipe.call('inventory.tree', { expanded: [...expansion.nodes()], offset, limit, reveal: null })
  }

  function to(index: number) {
    cursor.set({ index, follow: cursor.get().follow + 1 })
  }

  const present = () => rowAt(lines.state.get(), cursor.get().index)

  async function toNode(id: string) {
    const index = await ancestors.indexFor(id)
    if (index !== null) to(index)
  }

  async function openSiblings() {
    const row = present()
    if (row === undefined || row.kind === 'device') return
    const all = await beyond.siblings(row)
    expansion.open(all.map(({ id }) => id))
    await toNode(row.id)
  }

  function go(move: Exclude<TreeMove, { move: 'choose' }>) {
    const row = present()
    if (move.move === 'to') to(move.index)
    else if (move.move === 'siblings') void openSiblings()
    else if (row === undefined) return
    else if (move.move === 'parent' && row.parent !== null) void toNode(row.parent)
    else if (move.move !== 'parent' && row.expanded === (move.move === 'collapse')) toggle(row)
  }

  return {
    lines,
    cursor,
    device,
    toggle,
    pathTo: ancestors.pathTo,
    go,
    typed,
    wayTo: beyond.wayTo,
    reset: () => lines.reset(),
    stop() {
      expansion.stop()
      lines.stop()
    },
  }
}

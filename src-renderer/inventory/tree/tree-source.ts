import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { TreeSort } from '../../../src-shared/model/tree.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { createTreeLookup, type TreeLookup } from './tree-lookup.ts'
import { createExpansion, type Expansion } from './expansion.ts'
import { createPaged, rowAt, type Paged } from '../../lib/list/paged.ts'
import { createTreeCursor, type TreeCursor, type TreeCursorSource } from './tree-cursor.ts'
import type { TreeSettings } from './tree-settings.ts'
import type { TreeMove } from './tree-moves.ts'
import { createTypeAhead } from './type-ahead.ts'

export interface TreeSource {
  lines: Paged<TreeRow>
  cursor: Store<TreeCursor>
  /** The device that was last chosen here: its node, and its key among the rows. */
  device: Store<{ node: string; key: string } | null>
  /** Opens what lies above a node and brings its line in sight; nothing happens when it is gone. */
  reveal(id: string): void
  /** Moves the cursor; what a choice means is up to the inventory. */
  go(move: Exclude<TreeMove, { move: 'choose' }>): void
  toggle(row: TreeRow): void
  /** To the next line whose name begins so, wherever it is among the open lines; null when there is none within reach. */
  typed(text: string): Promise<number | null>
  /** Places from the region down to a node, by its id alone; null when it is gone. */
  pathToNode: TreeLookup['pathToNode']
  /** Places from the region down to this line, itself included. */
  pathTo: TreeLookup['pathTo']
  /** The order of siblings is another one: the cursor stays with its place. */
  sorted(): void
  reset(): void
  stop(): void
}

/** The core flattens the tree; this holds what is expanded, and pages of the lines that follow from it. */
export function createTree(pipe: Pipe, clock: Clock, settings: TreeSettings): TreeSource {
  const { sort } = settings
  const device = createStore<{ node: string; key: string } | null>(null)
  const lines = createPaged<TreeRow>({ load, clock })
  const cursor = createTreeCursor(lines)
  const expansion = createExpansion(lines, () => revealing.again())
  const { toggle } = expansion
  const lookup = createTreeLookup(pipe, lines, expansion.nodes, settings)
  const revealing = createReveal({ pipe, expansion, cursor, sort })
  const typed = createTypeAhead({ lines, cursor: cursor.state, lookup, to })

  async function load(offset: number, limit: number) {
    return pipe.call('inventory.tree', { expanded: [...expansion.nodes()], offset, limit, reveal: null, sort: sort() })
  }

  function to(index: number) {
    revealing.forget()
    cursor.to(index)
  }

  const present = () => rowAt(lines.state.get(), cursor.state.get().index)

  async function toNode(id: string) {
    const index = await lookup.indexOf(id)
    if (index !== null) to(index)
  }

  async function openSiblings() {
    const row = present()
    if (row === undefined || row.kind === 'device') return
    const all = await lookup.siblings(row)
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
    cursor: cursor.state,
    device,
    toggle,
    pathTo: lookup.pathTo,
    go,
    typed,
    pathToNode: lookup.pathToNode,
    reveal: revealing.reveal,
    sorted() {
      const here = present()
      lines.reset()
      if (here !== undefined) revealing.reveal(here.id)
    },
    reset: () => lines.reset(),
    stop() {
      cursor.stop()
      expansion.stop()
      lines.stop()
    },
  }
}

interface Revealing {
  reveal(id: string): void
  /** Somebody has gone elsewhere. */
  forget(): void
  /** The lines are others than those that the last one was found among. */
  again(): void
}

function createReveal({
  pipe,
  expansion,
  cursor,
  sort,
}: {
  pipe: Pipe
  expansion: Expansion
  cursor: TreeCursorSource
  sort: () => TreeSort
}): Revealing {
  let wanted: string | null = null

  async function reveal(id: string) {
    wanted = id
    const answer = await pipe.call('inventory.tree', {
      expanded: [...expansion.nodes()],
      offset: 0,
      limit: 1,
      reveal: id,
      sort: sort(),
    })
    if (wanted !== id || !answer.ok || answer.value.index === null) return
    expansion.replace(answer.value.expanded)
    cursor.toComing(answer.value.index)
  }

  return {
    reveal: (id) => void reveal(id),
    forget() {
      wanted = null
    },
    again: () => void (wanted !== null && reveal(wanted)),
  }
}

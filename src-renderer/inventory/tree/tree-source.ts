import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { createTreeLookup, type TreeLookup } from './tree-lookup.ts'
import { createExpansion, type Expansion } from './expansion.ts'
import { createPaged, rowAt, type Paged } from '../../lib/list/paged.ts'
import { createTreeCursor, type TreeCursor, type TreeCursorSource } from './tree-cursor.ts'
import type { TreeSettings } from './tree-settings.ts'
import type { TreeMove } from './tree-moves.ts'
import { createKeyQueue } from './key-queue.ts'
import { createTypeAhead } from './type-ahead.ts'

export interface TreeSource {
  lines: Paged<TreeRow>
  cursor: Store<TreeCursor>
  /** The device that was last chosen here: its node, and its row key. */
  device: Store<{ node: string; key: string } | null>
  /** Expands the ancestors of a node and scrolls to its line. Does nothing when it is gone. */
  reveal(id: string): void
  /** Moves the cursor. The inventory handles a choice. */
  go(move: Exclude<TreeMove, { move: 'choose' }>): void
  toggle(row: TreeRow): void
  /**
   * Runs what a key does: at once, or when the lines that are being read are there, in the order of the keys. A key means the
   * lines that the one before it has made.
   */
  press(run: () => void): void
  /**
   * Moves to the next line whose name begins with the text, wherever it is among the visible lines. Resolves with null
   * when there is none in the searched lines.
   */
  typed(text: string): Promise<number | null>
  /** Returns the places from the region down to a node, by its id; null when it is gone. */
  pathToNode: TreeLookup['pathToNode']
  /** Returns the places from the region down to this line, including it. */
  pathTo: TreeLookup['pathTo']
  /** Must be called when the order or the lines have changed; the cursor stays on its place. */
  reshaped(): void
  reset(): void
  stop(): void
}

/** Creates the state of the tree. The core flattens it; this holds the expanded nodes and the loaded pages of lines. */
export function createTree(pipe: Pipe, clock: Clock, settings: TreeSettings): TreeSource {
  const { shape } = settings
  const device = createStore<{ node: string; key: string } | null>(null)
  const lines = createPaged<TreeRow>({ load, clock })
  const cursor = createTreeCursor(lines)
  const expansion = createExpansion(lines, () => revealing.again())
  const lookup = createTreeLookup(pipe, lines, expansion.nodes, settings)
  const revealing = createReveal({ pipe, expansion, cursor, shape })
  const typed = createTypeAhead({ lines, cursor: cursor.state, lookup, to })
  // After the cursor, which follows its place first.
  const keys = createKeyQueue(lines)

  async function load(offset: number, limit: number) {
    return pipe.call('inventory.tree', { expanded: [...expansion.nodes()], offset, limit, reveal: null, ...shape() })
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
    else if (move.move !== 'parent' && row.expanded === (move.move === 'collapse')) expansion.toggle(row)
  }

  return {
    lines,
    cursor: cursor.state,
    device,
    toggle: expansion.toggle,
    press: keys.press,
    pathTo: lookup.pathTo,
    go,
    typed,
    pathToNode: lookup.pathToNode,
    reveal: revealing.reveal,
    reshaped() {
      const here = present()
      lines.reset()
      if (here !== undefined) revealing.reveal(here.id)
    },
    reset: () => lines.reset(),
    stop() {
      keys.stop()
      cursor.stop()
      expansion.stop()
      lines.stop()
    },
  }
}

interface Revealing {
  reveal(id: string): void
  /** Drops the wanted node, because the operator has moved. */
  forget(): void
  /** Finds the wanted node again after the lines have changed. */
  again(): void
}

function createReveal({
  pipe,
  expansion,
  cursor,
  shape,
}: {
  pipe: Pipe
  expansion: Expansion
  cursor: TreeCursorSource
  shape: TreeSettings['shape']
}): Revealing {
  let wanted: string | null = null

  async function reveal(id: string) {
    wanted = id
    const asked = expansion.nodes()
    const answer = await pipe.call('inventory.tree', {
      expanded: [...asked],
      offset: 0,
      limit: 1,
      reveal: id,
      ...shape(),
    })
    if (wanted !== id || !answer.ok || answer.value.index === null) return
    const { expanded, index } = answer.value
    // What the operator opened or closed meanwhile stays so; then the node stands on another line.
    if (expansion.nodes() !== asked) return reveal(id)
    expansion.replace(expanded)
    cursor.toComing(index)
  }

  return {
    reveal: (id) => void reveal(id),
    forget() {
      wanted = null
    },
    again: () => void (wanted !== null && reveal(wanted)),
  }
}

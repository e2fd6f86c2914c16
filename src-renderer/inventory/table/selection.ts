import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { DeviceRow, InventoryQuery } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { rowAt, type Paged, type PagedState } from '../../lib/list/paged.ts'

/**
 * The target devices of actions. `none`: only the one at the cursor. `all`: every row of the query. The selection holds
 * devices, not rows, and survives sorting and changes.
 */
export type Selection = { what: 'none' } | { what: 'some'; keys: ReadonlySet<string> } | { what: 'all' }

export interface SelectionSource {
  state: Store<Selection>
  /** Toggles the row; a range begins here. */
  toggle(index: number): void
  /** Extends the range from its start to this row. Rows that are not loaded are read from the core. */
  extend(index: number): void
  /** Sets the start of a range without selecting anything. */
  begin(index: number): void
  all(): void
  /** Removes devices from the selection, listed or not. */
  remove(keys: readonly string[]): void
  clear(): void
}

/** The maximum number of keys of one action (contract: inventory.keys, inventory.export). */
export const maxKeys = 100_000

interface Options {
  pipe: Pipe
  rows: Paged<DeviceRow>
  query: () => InventoryQuery
  /** Returns the cursor: the start of a range, and the first device of a selection that is extended. */
  cursor: () => { index: number; key: string | null }
  /** Called when a selection would exceed `maxKeys`; it stays as it was. */
  onTooMany: () => void
}

const none: Selection = { what: 'none' }

export function createSelection({ pipe, rows, query, cursor, onTooMany }: Options): SelectionSource {
  const state = createStore<Selection>(none)
  /** Index at which a range begins; -1 for the cursor. */
  let anchor = -1
  let asked = 0

  const select = (keys: ReadonlySet<string>) => state.set(keys.size === 0 ? none : { what: 'some', keys })

  const between = (from: number, to: number) =>
    to - from < maxKeys ? keysBetween({ pipe, rows, query }, from, to) : tooMany(onTooMany)

  async function extend(index: number) {
    asked += 1
    const mine = asked
    if (anchor < 0) anchor = Math.max(0, cursor().index)
    const keys = await between(Math.min(anchor, index), Math.max(anchor, index))
    if (mine === asked && keys !== null) select(new Set(keys))
  }

  async function toggle(index: number, alone: boolean) {
    asked += 1
    const mine = asked
    const key = rowAt(rows.state.get(), index)?.key
    if (key === undefined) return
    const before = alone ? new Set<string>() : await keysOf(state.get(), { rows, cursor, between })
    if (mine !== asked || before === null) return
    anchor = index
    const next = new Set(before)
    if (!next.delete(key)) next.add(key)
    select(next)
  }

  return {
    state,
    extend: (index) => void extend(index),
    toggle(index) {
      // The cursor's row becomes the first of the selection, instead of being deselected.
      const alone = state.get().what === 'none' && cursor().index === index
      void toggle(index, alone)
    },
    begin(index) {
      anchor = index
    },
    all() {
      asked += 1
      if ((rows.state.get().total ?? 0) > 0) state.set({ what: 'all' })
    },
    remove(keys) {
      const now = state.get()
      asked += 1
      if (now.what === 'some') select(without(now.keys, keys))
    },
    clear() {
      asked += 1
      anchor = -1
      state.set(none)
    },
  }
}

/** Returns the keys of the selection, so that one can be removed; null when the core does not return them. */
async function keysOf(
  selection: Selection,
  {
    rows,
    cursor,
    between,
  }: Pick<Options, 'rows' | 'cursor'> & { between: (from: number, to: number) => Promise<readonly string[] | null> },
): Promise<ReadonlySet<string> | null> {
  if (selection.what === 'some') return selection.keys
  if (selection.what === 'all') {
    const keys = await between(0, Math.max(0, (rows.state.get().total ?? 1) - 1))
    return keys === null ? null : new Set(keys)
  }
  const { key } = cursor()
  return new Set(key === null ? [] : [key])
}

function without(all: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  const removed = new Set(keys)
  return new Set([...all].filter((key) => !removed.has(key)))
}

async function tooMany(onTooMany: () => void): Promise<null> {
  onTooMany()
  return null
}

/** Returns the keys of the rows `from` to `to`, both included, from the loaded rows or the core; null when it fails. */
async function keysBetween(
  { pipe, rows, query }: Pick<Options, 'pipe' | 'rows' | 'query'>,
  from: number,
  to: number,
): Promise<readonly string[] | null> {
  const loaded = loadedKeys(rows.state.get(), from, to)
  if (loaded !== null) return loaded
  const answer = await pipe.call('inventory.keys', { query: query(), offset: from, limit: to - from + 1 })
  return answer.ok ? answer.value.keys : null
}

/** Returns null when one of the rows is not loaded, or there are too many. */
function loadedKeys(loaded: PagedState<DeviceRow>, from: number, to: number): readonly string[] | null {
  if (to - from >= 2000) return null
  const keys = Array.from({ length: to - from + 1 }, (_, step) => rowAt(loaded, from + step)?.key).filter(
    (key) => key !== undefined,
  )
  return keys.length === to - from + 1 ? keys : null
}

/** Returns whether this row is shown as selected. */
export function isSelected(selection: Selection, key: string | undefined, cursorKey: string | null): boolean {
  if (key === undefined) return false
  switch (selection.what) {
    case 'none':
      return key === cursorKey
    case 'all':
      return true
    default:
      return selection.keys.has(key)
  }
}

/** Returns the number of selected devices of `total` rows. The row of the cursor alone does not count. */
export function selectedCount(selection: Selection, total: number): number {
  if (selection.what === 'none') return 0
  return selection.what === 'all' ? total : selection.keys.size
}

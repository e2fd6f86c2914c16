import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { DeviceRow, InventoryQuery } from '../../../src-shared/model/inventory.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { indexOf, rowAt, type Paged } from '../../lib/list/paged.ts'

/** The row of the keyboard cursor, whose device is selected. */
export interface Cursor {
  /** Index of the row; -1 before the first choice. */
  index: number
  key: string | null
  /** Increases when the row should scroll into view. */
  follow: number
}

export interface CursorSource {
  state: Store<Cursor>
  /** Moves to this row; its device is selected as soon as the row is loaded. */
  to(index: number): void
  /** Moves to this device, wherever its row is. */
  select(key: string): void
  /** After a change of the query: moves to the new row of its device and scrolls it into view. */
  locate(): void
  /** Clears the cursor: no device is shown or is the target of actions. */
  forget(): void
  stop(): void
}

interface Options {
  pipe: Pipe
  rows: Paged<DeviceRow>
  query: () => InventoryQuery
  /** Called when a device was selected by moving to its row. */
  onKey: (key: string) => void
}

/** Creates a cursor that stays on its device while rows are sorted, filtered, added and removed. */
export function createCursor({ pipe, rows, query, onKey }: Options): CursorSource {
  const state = createStore<Cursor>({ index: -1, key: null, follow: 0 })
  let asked = 0

  async function find(key: string) {
    asked += 1
    const mine = asked
    const answer = await pipe.call('inventory.locate', { query: query(), key })
    if (mine !== asked || !answer.ok || answer.value.index === null) return
    state.set({ index: answer.value.index, key, follow: state.get().follow + 1 })
  }

  function settle() {
    const loaded = rows.state.get()
    const { index, key, follow } = state.get()
    if (loaded.pending || index < 0) return
    const here = rowAt(loaded, index)
    if (key === null && here !== undefined) {
      state.set({ index, key: here.key, follow })
      return onKey(here.key)
    }
    if (here?.key === key) return
    const found = indexOf(loaded, (row) => row.key === key)
    const last = Math.max(0, (loaded.total ?? 1) - 1)
    state.set({ index: found === -1 ? Math.min(index, last) : found, key, follow })
  }

  const off = rows.state.subscribe(settle)
  return {
    state,
    to(index) {
      asked += 1
      const key = rowAt(rows.state.get(), index)?.key ?? null
      state.set({ index, key, follow: state.get().follow + 1 })
      if (key !== null) onKey(key)
    },
    select(key) {
      state.set({ ...state.get(), key })
      void find(key)
    },
    locate() {
      const { key } = state.get()
      if (key !== null) void find(key)
    },
    forget() {
      asked += 1
      state.set({ index: -1, key: null, follow: state.get().follow })
    },
    stop: off,
  }
}

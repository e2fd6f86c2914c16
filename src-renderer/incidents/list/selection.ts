import type { Incident } from '../../../src-shared/model/incidents.ts'
import { rowAt, type Paged } from '../../lib/list/paged.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** The maximum number of incidents of one action (contract: incidents.acknowledge). */
export const maxIds = 1000

export interface SelectionSource {
  /** Ids of the selected incidents; empty when only the present one counts. */
  state: Store<ReadonlySet<string>>
  toggle(index: number): void
  /** Extends the range from its start to this row. */
  extend(index: number): void
  begin(index: number): void
  all(): void
  clear(): void
  stop(): void
}

interface Options {
  rows: Paged<Incident>
  cursor: () => { index: number }
  /**
   * Returns the ids of the rows `from` to `to`, both included, when some are not loaded; null when they cannot be read.
   */
  load: (from: number, to: number) => Promise<readonly string[] | null>
}

const none: ReadonlySet<string> = new Set()

export function createSelection({ rows, cursor, load }: Options): SelectionSource {
  const state = createStore(none)
  let anchor = -1
  let asked = 0

  async function range(from: number, to: number) {
    asked += 1
    const mine = asked
    const ids = loaded(from, to) ?? (await load(from, Math.min(to, from + maxIds - 1)))
    if (mine === asked && ids !== null) state.set(new Set(ids))
  }

  function loaded(from: number, to: number): readonly string[] | null {
    const { get } = rows.state
    if (to - from >= maxIds) return null
    const ids = Array.from({ length: to - from + 1 }, (_, step) => rowAt(get(), from + step)?.id)
    return ids.every((id) => id !== undefined) ? ids : null
  }

  /** Removes incidents that have left the list. Those on pages that are not loaded stay. */
  function prune() {
    const { pages, total, pending } = rows.state.get()
    const ids = [...pages.values()].flatMap((page) => page.rows.map(({ id }) => id))
    if (pending || state.get().size === 0 || ids.length !== total) return
    const there = new Set(ids)
    const left = [...state.get()].filter((id) => there.has(id))
    if (left.length < state.get().size) state.set(new Set(left))
  }

  return {
    state,
    toggle(index) {
      asked += 1
      const id = rowAt(rows.state.get(), index)?.id
      if (id === undefined) return
      anchor = index
      const next = new Set(state.get())
      if (!next.delete(id) && next.size < maxIds) next.add(id)
      state.set(next)
    },
    extend(index) {
      if (anchor < 0) anchor = Math.max(0, cursor().index)
      void range(Math.min(anchor, index), Math.max(anchor, index))
    },
    begin(index) {
      anchor = index
    },
    all() {
      const total = rows.state.get().total ?? 0
      if (total > 0) void range(0, total - 1)
    },
    clear() {
      asked += 1
      anchor = -1
      if (state.get().size > 0) state.set(none)
    },
    stop: rows.state.subscribe(prune),
  }
}

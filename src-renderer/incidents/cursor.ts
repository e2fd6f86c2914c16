import type { Incident } from '../../src-shared/incidents.ts'
import { indexOf, rowAt, type Paged } from '../inventory/paged.ts'
import { createStore, type Store } from '../store.ts'

/** The row that the keyboard stands on. */
export interface Cursor {
  /** From 0; -1 before anything was chosen. */
  index: number
  id: string | null
  /** Counts the times when the row wants to be brought in sight. */
  follow: number
}

export interface CursorSource {
  state: Store<Cursor>
  /** Of the row that it stands on. */
  id(): string | null
  to(index: number): void
  /** To this incident, when it is among the rows that are here; else to none. */
  select(id: string): void
  /** Another list: nothing in it was chosen yet. */
  forget(): void
  stop(): void
}

/**
 * The cursor stands on an incident and goes with it while rows come and go. When it leaves the list, because it was
 * acknowledged or closed, the next one takes its place, so that one after the other can be worked off.
 */
export function createCursor(rows: Paged<Incident>, onMove: (id: string) => void): CursorSource {
  const state = createStore<Cursor>({ index: -1, id: null, follow: 0 })
  /** Wanted before its list was here. */
  let wanted: string | null = null

  function settle() {
    const held = rows.state.get()
    if (held.pending || held.total === null) return
    if (wanted !== null) return seek(wanted)
    const { index, id, follow } = state.get()
    if (index < 0 || rowAt(held, index)?.id === id) return
    const found = id === null ? -1 : indexOf(held, (row) => row.id === id)
    const last = Math.min(index, held.total - 1)
    if (found !== -1) return state.set({ index: found, id, follow })
    const there = rowAt(held, last)
    if (there !== undefined || last < 0) state.set({ index: last, id: there?.id ?? null, follow })
  }

  function seek(id: string) {
    wanted = null
    const index = indexOf(rows.state.get(), (row) => row.id === id)
    if (index !== -1) state.set({ index, id, follow: state.get().follow + 1 })
  }

  const off = rows.state.subscribe(settle)
  return {
    state,
    id: () => state.get().id,
    to(index) {
      const id = rowAt(rows.state.get(), index)?.id ?? null
      state.set({ index, id, follow: state.get().follow + 1 })
      if (id !== null) onMove(id)
    },
    select(id) {
      wanted = id
      settle()
    },
    forget() {
      wanted = null
      state.set({ index: -1, id: null, follow: state.get().follow })
    },
    stop: off,
  }
}

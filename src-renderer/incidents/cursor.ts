import type { Incident } from '../../src-shared/incidents.ts'
import { indexOf, rowAt, type Paged, type PagedState } from '../inventory/paged.ts'
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
  /** To this incident when it comes to the list, unless the person has gone elsewhere by then. */
  expect(id: string): void
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
  /** On its way back to the list. */
  let expected: string | null = null
  /** The rows that were here when the cursor was last looked at. */
  let before: readonly string[] = []

  function settle() {
    const held = rows.state.get()
    if (held.pending || held.total === null) return
    const order = before
    before = idsOf(held)
    if (wanted !== null) return seek(wanted)
    if (expected !== null && before.includes(expected)) return seek(expected)
    const { index, id, follow } = state.get()
    if (index < 0 || rowAt(held, index)?.id === id) return
    const next = nextOf(id, order, new Set(before))
    const found = next === null ? Math.min(index, held.total - 1) : indexOf(held, (row) => row.id === next)
    const there = rowAt(held, found)
    // On a page that is not here it stays as it is: the row comes when it is looked at.
    if (there !== undefined || found < 0) state.set({ index: found, id: there?.id ?? null, follow })
  }

  function seek(id: string) {
    wanted = null
    expected = null
    const index = indexOf(rows.state.get(), (row) => row.id === id)
    if (index !== -1) state.set({ index, id, follow: state.get().follow + 1 })
  }

  const off = rows.state.subscribe(settle)
  return {
    state,
    id: () => state.get().id,
    to(index) {
      expected = null
      const id = rowAt(rows.state.get(), index)?.id ?? null
      state.set({ index, id, follow: state.get().follow + 1 })
      if (id !== null) onMove(id)
    },
    select(id) {
      wanted = id
      settle()
    },
    expect(id) {
      expected = id
    },
    forget() {
      wanted = null
      expected = null
      state.set({ index: -1, id: null, follow: state.get().follow })
    },
    stop: off,
  }
}

function idsOf({ pages }: PagedState<Incident>): readonly string[] {
  return [...pages].toSorted(([one], [other]) => one - other).flatMap(([, { rows }]) => rows.map(({ id }) => id))
}

/** The incident itself while it is there, else the one that came after it, else the one before it; null when none is there. */
function nextOf(id: string | null, before: readonly string[], there: ReadonlySet<string>): string | null {
  if (id === null || there.has(id)) return id
  const at = before.indexOf(id)
  if (at === -1) return null
  return before.slice(at).find((each) => there.has(each)) ?? before.slice(0, at).findLast((each) => there.has(each)) ?? null
}

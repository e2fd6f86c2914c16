import type { Incident } from '../../../src-shared/model/incidents.ts'
import { indexOf, rowAt, type Paged, type PagedState } from '../../lib/list/paged.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** The row of the keyboard cursor. */
export interface Cursor {
  /**
   * Index of the row. When the shown incident has left the list, that of the row that took its place; -1 before the
   * first choice.
   */
  index: number
  /**
   * Id of the incident that keys act on, never another one than the detail shows. Null while its row is loading, and
   * for none.
   */
  id: string | null
  /** Increases when the row should scroll into view. */
  follow: number
}

export interface CursorSource {
  state: Store<Cursor>
  /** Returns the id of the present row. */
  id(): string | null
  to(index: number): void
  /** Moves to this incident when its row is loaded; otherwise to none. */
  select(id: string): void
  /** Moves to this incident when it comes into the list, unless the operator has moved by then. */
  expect(id: string): void
  /** Must be called when the detail shows another incident, or none. */
  shown(): void
  /** Resets the cursor for another list. */
  forget(): void
  stop(): void
}

interface Options {
  /** Returns the id of the incident in the detail; null for none. */
  opened: () => string | null
  /** Called when the cursor moves to an incident of the list. */
  onMove: (id: string) => void
}

interface CursorStatus extends Options {
  readonly state: Store<Cursor>
  readonly rows: Paged<Incident>
  /** Id of the incident in the row `index`. */
  anchor: string | null
  /** Index of a row that was not loaded when the cursor moved to it. */
  awaited: number | null
  /** Id of an incident that was selected before its list was loaded. */
  wanted: string | null
  /** Id of an incident that is coming back to the list. */
  expected: string | null
  /** Ids of the rows that were loaded when the cursor was last updated. */
  before: readonly string[]
}

/**
 * Creates a cursor that stays on its incident while rows change. When the incident leaves the list, because it was
 * acknowledged or closed, the next one takes its place, so that the operator can work through the list. While the
 * detail still shows the incident, keys act on that, and no row is present until the operator moves on.
 */
export function createCursor(rows: Paged<Incident>, options: Options): CursorSource {
  const state = createStore<Cursor>({ index: -1, id: null, follow: 0 })
  const at: CursorStatus = {
    ...options,
    state,
    rows,
    anchor: null,
    awaited: null,
    wanted: null,
    expected: null,
    before: [],
  }
  const update = () => settle(at)
  return {
    state,
    id: () => state.get().id,
    to(index) {
      const id = rowAt(rows.state.get(), index)?.id ?? null
      Object.assign(at, { expected: null, anchor: id, awaited: id === null ? index : null })
      state.set({ index, id, follow: state.get().follow + 1 })
      if (id !== null) at.onMove(id)
    },
    select(id) {
      at.wanted = id
      update()
    },
    expect(id) {
      at.expected = id
    },
    shown: update,
    forget() {
      Object.assign(at, { wanted: null, expected: null, awaited: null, anchor: null })
      state.set({ index: -1, id: null, follow: state.get().follow })
    },
    stop: rows.state.subscribe(update),
  }
}

function settle(at: CursorStatus): void {
  const loaded = at.rows.state.get()
  if (loaded.pending || loaded.total === null) return
  const order = at.before
  at.before = idsOf(loaded)
  if (at.wanted !== null) return seek(at, at.wanted)
  if (at.awaited !== null) return arrive(at, loaded, Math.min(at.awaited, loaded.total - 1))
  const shown = at.opened()
  if (at.expected !== null && (shown === null || shown === at.expected) && at.before.includes(at.expected))
    return seek(at, at.expected)
  if (shown !== null && shown !== at.anchor && at.before.includes(shown)) return seek(at, shown)
  const { index, id, follow } = at.state.get()
  if (index < 0) return
  const next = nextOf(at.anchor, order, new Set(at.before))
  const found = next === null ? Math.min(index, loaded.total - 1) : indexOf(loaded, (row) => row.id === next)
  const there = rowAt(loaded, found)
  // A row on a page that is not loaded stays present; the page is loaded when it is shown.
  if (there === undefined && found >= 0) return
  at.anchor = there?.id ?? null
  const present = shown ?? at.anchor
  if (found !== index || present !== id) at.state.set({ index: found, id: present, follow })
}

/** Moves to the awaited row once it is loaded, or to the last one when the list has become shorter. */
function arrive(at: CursorStatus, loaded: PagedState<Incident>, index: number): void {
  const id = rowAt(loaded, index)?.id
  if (id === undefined && index >= 0) return
  at.awaited = null
  at.anchor = id ?? null
  at.state.set({ index, id: at.anchor, follow: at.state.get().follow })
  if (id !== undefined) at.onMove(id)
}

function seek(at: CursorStatus, id: string): void {
  Object.assign(at, { wanted: null, expected: null, awaited: null })
  const index = indexOf(at.rows.state.get(), (row) => row.id === id)
  if (index === -1) return
  at.anchor = id
  at.state.set({ index, id, follow: at.state.get().follow + 1 })
}

function idsOf({ pages }: PagedState<Incident>): readonly string[] {
  return [...pages].toSorted(([one], [other]) => one - other).flatMap(([, { rows }]) => rows.map(({ id }) => id))
}

/**
 * Returns the incident itself while it is in the list, or else the next one, or else the previous one; null when none
 * is there.
 */
function nextOf(id: string | null, before: readonly string[], there: ReadonlySet<string>): string | null {
  if (id === null || there.has(id)) return id
  const at = before.indexOf(id)
  if (at === -1) return null
  return (
    before.slice(at).find((each) => there.has(each)) ?? before.slice(0, at).findLast((each) => there.has(each)) ?? null
  )
}

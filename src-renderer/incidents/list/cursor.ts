import type { Incident } from '../../../src-shared/model/incidents.ts'
import { indexOf, rowAt, type Paged, type PagedState } from '../../lib/list/paged.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** The row that the keyboard stands on. */
export interface Cursor {
  /** From 0; of an incident that is shown and has left the list, the row that took its place. -1 before anything was chosen. */
  index: number
  /** What keys act on: never another one than the detail shows. Null while its row is on its way, and for none. */
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
  /** To be called when the detail shows another incident, or none. */
  shown(): void
  /** Another list: nothing in it was chosen yet. */
  forget(): void
  stop(): void
}

interface Options {
  /** The incident of which all is shown; null for none. */
  opened: () => string | null
  /** The keyboard has gone to this one, which is in the list. */
  onMove: (id: string) => void
}

interface MaintenanceStatus extends Options {
  readonly state: Store<Cursor>
  readonly rows: Paged<Incident>
  /** The incident of the row `index`. */
  anchor: string | null
  /** A row that was not here when the keyboard went to it. */
  awaited: number | null
  /** Wanted before its list was here. */
  wanted: string | null
  /** Loading… back to the list. */
  expected: string | null
  /** The rows that were here when the cursor was last looked at. */
  before: readonly string[]
}

/**
 * The cursor stands on an incident and goes with it while rows come and go. When it leaves the list, because it was
 * acknowledged or closed, the next one takes its place, so that one after the other can be worked off; but for one
 * that the detail still shows: keys belong to that, and no row is the present one until the person goes on.
 */
export function createCursor(rows: Paged<Incident>, options: Options): CursorSource {
  const state = createStore<Cursor>({ index: -1, id: null, follow: 0 })
  const at: MaintenanceStatus = {
    ...options,
    state,
    rows,
    anchor: null,
    awaited: null,
    wanted: null,
    expected: null,
    before: [],
  }
  const look = () => settle(at)
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
      look()
    },
    expect(id) {
      at.expected = id
    },
    shown: look,
    forget() {
      Object.assign(at, { wanted: null, expected: null, awaited: null, anchor: null })
      state.set({ index: -1, id: null, follow: state.get().follow })
    },
    stop: rows.state.subscribe(look),
  }
}

function settle(at: MaintenanceStatus): void {
  const held = at.rows.state.get()
  if (held.pending || held.total === null) return
  const order = at.before
  at.before = idsOf(held)
  if (at.wanted !== null) return seek(at, at.wanted)
  if (at.awaited !== null) return arrive(at, held, Math.min(at.awaited, held.total - 1))
  const shown = at.opened()
  if (at.expected !== null && (shown === null || shown === at.expected) && at.before.includes(at.expected))
    return seek(at, at.expected)
  if (shown !== null && shown !== at.anchor && at.before.includes(shown)) return seek(at, shown)
  const { index, id, follow } = at.state.get()
  if (index < 0) return
  const next = nextOf(at.anchor, order, new Set(at.before))
  const found = next === null ? Math.min(index, held.total - 1) : indexOf(held, (row) => row.id === next)
  const there = rowAt(held, found)
  // On a page that is not here it stays as it is: the row comes when it is looked at.
  if (there === undefined && found >= 0) return
  at.anchor = there?.id ?? null
  const present = shown ?? at.anchor
  if (found !== index || present !== id) at.state.set({ index: found, id: present, follow })
}

/** The row to which the keyboard went is here, or the last one where there are no longer so many. */
function arrive(at: MaintenanceStatus, held: PagedState<Incident>, index: number): void {
  const id = rowAt(held, index)?.id
  if (id === undefined && index >= 0) return
  at.awaited = null
  at.anchor = id ?? null
  at.state.set({ index, id: at.anchor, follow: at.state.get().follow })
  if (id !== undefined) at.onMove(id)
}

function seek(at: MaintenanceStatus, id: string): void {
  Object.assign(at, { wanted: null, expected: null, awaited: null })
  const index = indexOf(at.rows.state.get(), (row) => row.id === id)
  if (index === -1) return
  at.anchor = id
  at.state.set({ index, id, follow: at.state.get().follow + 1 })
}

function idsOf({ pages }: PagedState<Incident>): readonly string[] {
  return [...pages].toSorted(([one], [other]) => one - other).flatMap(([, { rows }]) => rows.map(({ id }) => id))
}

/** The incident itself while it is there, else the one that came after it, else the one before it; null when none is there. */
function nextOf(id: string | null, before: readonly string[], there: ReadonlySet<string>): string | null {
  if (id === null || there.has(id)) return id
  const at = before.indexOf(id)
  if (at === -1) return null
  return (
    before.slice(at).find((each) => there.has(each)) ?? before.slice(0, at).findLast((each) => there.has(each)) ?? null
  )
}

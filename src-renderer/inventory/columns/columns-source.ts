import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ColumnId, ExtraColumn } from '../../../src-shared/model/inventory.ts'
import type { Session } from '../../lib/session.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { movedColumn, resizedColumn, shownColumns, toggledColumn, type ShownColumn } from './column-layout.ts'

/** The table's columns: those of the settings, or those of a saved view. */
export interface ColumnsSource {
  state: Store<readonly ShownColumn[]>
  move(id: ColumnId, to: number): void
  /** Sets a width in CSS pixels; null for the default. It is stored only when it is final, not while it is dragged. */
  resize(id: ColumnId, width: number | null, isFinal: boolean): void
  toggle(id: ColumnId, on: boolean): void
  /** Reads an extra field and shows it. Resolves with the fault when that fails. */
  load(name: string): Promise<Fault | null>
  /** Restores the default columns, order and widths. */
  reset(): void
  /** Shows a saved view's columns until another view is opened; null for the stored ones. */
  override(ids: readonly ColumnId[] | null): void
  stop(): void
}

/** `onRejected`: is told why a change was not stored. */
export function createColumns(session: Session, onRejected: (fault: Fault) => void): ColumnsSource {
  const state = createStore<readonly ShownColumn[]>(shownColumns([], []))
  let viewColumns: readonly ShownColumn[] | null = null
  let stored: readonly ShownColumn[] = []
  let extra: readonly ExtraColumn[] = []

  function follow() {
    const { app } = session.state.get()
    if (app === null || (app.settings.columns === stored && app.columns === extra)) return
    stored = app.settings.columns
    extra = app.columns
    show()
  }

  function show() {
    const shown = shownColumns(viewColumns ?? stored, extra)
    if (!same(shown, state.get())) state.set(shown)
  }

  /**
   * Shows columns at once. Those of a saved view belong to the view; others are stored in the settings, whose event
   * confirms them.
   */
  function apply(next: readonly ShownColumn[]) {
    state.set(next)
    if (viewColumns !== null) {
      viewColumns = next
      return
    }
    stored = next
    void session.change({ columns: [...next] }).then((answer) => !answer.ok && onRejected(answer.fault))
  }

  const off = session.state.subscribe(follow)
  follow()
  return {
    state,
    move: (id, to) => apply(movedColumn(state.get(), id, to)),
    resize(id, width, isFinal) {
      const next = resizedColumn(state.get(), id, width)
      if (isFinal) apply(next)
      else state.set(next)
    },
    toggle: (id, on) => apply(toggledColumn(state.get(), id, on)),
    async load(name) {
      const answer = await session.pipe.call('columns.switch', { name, on: true })
      if (answer.ok) apply(toggledColumn(state.get(), `extra:${name}`, true))
      return answer.ok ? null : answer.fault
    },
    reset() {
      viewColumns = null
      apply([])
      show()
    },
    override(ids) {
      const widths = new Map(stored.map(({ id, width }) => [id, width]))
      viewColumns = ids === null ? null : ids.map((id) => ({ id, width: widths.get(id) ?? null }))
      show()
    },
    stop: off,
  }
}

function same(one: readonly ShownColumn[], other: readonly ShownColumn[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, width }, index) => other[index]?.id === id && other[index].width === width)
  )
}

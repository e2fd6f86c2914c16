import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ColumnId, ExtraColumn } from '../../../src-shared/model/inventory.ts'
import type { Session } from '../../lib/session.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { movedColumn, resizedColumn, shownColumns, toggledColumn, type ShownColumn } from './column-layout.ts'

/** The table's columns: what is kept in the settings, or what a saved view asks for. */
export interface ColumnsSource {
  state: Store<readonly ShownColumn[]>
  move(id: ColumnId, to: number): void
  /** `width` in CSS pixels; null for the usual one. While it is being dragged nothing is kept: `keep` does. */
  resize(id: ColumnId, width: number | null, keep: boolean): void
  toggle(id: ColumnId, on: boolean): void
  /** Has an extra field read and shows it. Resolves with why it is not. */
  load(name: string): Promise<Fault | null>
  /** Muster's own columns, order and widths. */
  reset(): void
  /** A saved view's columns stand over the kept ones until another view is opened; null for the kept ones. */
  override(ids: readonly ColumnId[] | null): void
  stop(): void
}

export function createColumns(session: Session): ColumnsSource {
  const state = createStore<readonly ShownColumn[]>(shownColumns([], []))
  let over: readonly ShownColumn[] | null = null
  let kept: readonly ShownColumn[] = []
  let extra: readonly ExtraColumn[] = []

  function follow() {
    const { app } = session.state.get()
    if (app === null || (app.settings.columns === kept && app.columns === extra)) return
    kept = app.settings.columns
    extra = app.columns
    show()
  }

  function show() {
    const shown = shownColumns(over ?? kept, extra)
    if (!same(shown, state.get())) state.set(shown)
  }

  /** Shown at once. A saved view's own columns are kept by the view; else the settings follow, and their event confirms it. */
  function keep(next: readonly ShownColumn[]) {
    state.set(next)
    if (over !== null) {
      over = next
      return
    }
    kept = next
    void session.change({ columns: [...next] })
  }

  const off = session.state.subscribe(follow)
  follow()
  return {
    state,
    move: (id, to) => keep(movedColumn(state.get(), id, to)),
    resize(id, width, keepIt) {
      const next = resizedColumn(state.get(), id, width)
      if (keepIt) keep(next)
      else state.set(next)
    },
    toggle: (id, on) => keep(toggledColumn(state.get(), id, on)),
    async load(name) {
      const answer = await session.pipe.call('columns.switch', { name, on: true })
      if (answer.ok) keep(toggledColumn(state.get(), `extra:${name}`, true))
      return answer.ok ? null : answer.fault
    },
    reset() {
      over = null
      keep([])
      show()
    },
    override(ids) {
      const widths = new Map(kept.map(({ id, width }) => [id, width]))
      over = ids === null ? null : ids.map((id) => ({ id, width: widths.get(id) ?? null }))
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

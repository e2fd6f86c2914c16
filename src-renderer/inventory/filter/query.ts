import { parseFilter, type Problem } from '../../../src-shared/filter/filter.ts'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import type { Session } from '../../lib/session.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { withHistory } from './field/completion.ts'
import { firstView, sortedBy, sortOf, withSort, type Place, type View } from './view.ts'
import { withSegment, type Segment } from './segments.ts'
import { caretIn, wordIn } from '../../../src-shared/filter/caret.ts'

/** The filter's text as it stands in the field; with problems it is not the filter in force. */
export interface Draft {
  text: string
  problems: readonly Problem[]
  /** Where the caret stands in the text, from 0; null while the field is not being typed in. */
  caret: number | null
}

/** What the operator asks, and the ways to ask something else. */
export interface Query {
  view: Store<View>
  draft: Store<Draft>
  /**
   * A letter was typed: a filter that can be understood is asked at once, another one stays in the field, and the last
   * good one in force. The letters of a word that then becomes a field were not a good one.
   */
  type(text: string, caret?: number): void
  /** The caret was put elsewhere; null: the field was left. */
  putCaret(caret: number | null): void
  /** The field is left: the filter in force is kept in the history. */
  remember(): void
  ask(change: Partial<View>): void
  setFilter(filter: string): void
  setSegment(segment: Segment): void
  sortBy(column: ColumnId, more: boolean): void
  setPath(path: readonly Place[]): void
}

/** `onAsked` hears each new question, after the view is it. */
export function createQuery(session: Session, onAsked: (before: View, after: View) => void): Query {
  const view = createStore<View>(firstView)
  const draft = createStore<Draft>({ text: firstView.filter, problems: [], caret: null })
  let begun: Begun | null = null

  function put(change: Partial<View>) {
    const before = view.get()
    const after = { ...before, ...change }
    view.set(after)
    onAsked(before, after)
  }

  function ask(change: Partial<View>) {
    if (change.filter !== undefined && draft.get().text.trim() !== change.filter) show(change.filter)
    put(change)
  }

  function show(text: string) {
    begun = null
    draft.set({ text, problems: [], caret: null })
  }

  function setFilter(filter: string) {
    show(filter)
    ask({ filter })
  }

  function type(text: string, caret = text.length) {
    // Names of extra columns count as fields; the core knows the same ones.
    const { problems } = parseFilter(
      text,
      session.state.get().app?.columns.map(({ name }) => name),
    )
    const inForce = view.get().filter
    const filter = problems.length === 0 ? text.trim() : fallback(begun, text, caret, inForce)
    if (problems.length === 0) begun = begunBy(begun, text, caret, inForce)
    draft.set({ text, problems, caret })
    if (filter !== inForce) put({ filter })
  }

  return {
    view,
    draft,
    ask,
    setFilter,
    type,
    putCaret(caret) {
      const now = draft.get()
      if (now.caret !== caret) draft.set({ ...now, caret })
    },
    remember() {
      const { filter } = view.get()
      if (draft.get().problems.length === 0) show(filter)
      const history = session.state.get().app?.settings.filterHistory
      // One of the choices over the table alone is no filter that anybody would look for.
      if (history === undefined || history[0] === filter || withSegment(filter, 'any') === '') return
      void session.change({ filterHistory: [...withHistory(history, filter)] })
    },
    setSegment: (segment) => setFilter(withSegment(view.get().filter, segment)),
    sortBy: (column, more) => ask(withSort(view.get(), sortedBy(sortOf(view.get()), column, more))),
    setPath: (path) => ask({ path }),
  }
}

/** A word that is asked as free text while it is typed and may become a field: where it begins, and the filter that was in force before it. */
export interface Begun {
  from: number
  before: string
}

/** The word that is being typed after this letter, the text being a filter that can be understood. `inForce`: the filter up to now. */
export function begunBy(begun: Begun | null, text: string, caret: number, inForce: string): Begun | null {
  const word = wordIn(text, caret)
  if (word === null || !word.free) return null
  return begun?.from === word.from ? begun : { from: word.from, before: inForce }
}

/** What stays in force when the text becomes faulty: its letters were no text to look for when the word turns out to be a field. */
export function fallback(begun: Begun | null, text: string, caret: number, inForce: string): string {
  const word = wordIn(text, caret)
  return begun !== null && word?.from === begun.from && !word.free ? begun.before : inForce
}

/** A field whose value is yet to be typed, the caret standing where it goes, is no mistake. `caret` null: the field was left. */
export function isUnfinished({ from, to }: Problem, text: string, caret: number | null): boolean {
  if (caret === null || caret < from || caret > to) return false
  const at = caretIn(text, caret)
  return at !== null && at.kind === 'value' && at.typed === ''
}

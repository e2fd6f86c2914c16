import { parseFilter, type Problem } from '../../../src-shared/filter/filter.ts'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import type { Session } from '../../lib/session.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { withHistory } from './field/completion.ts'
import { firstView, sortedBy, sortOf, withSort, type Place, type View } from './view.ts'
import { withSegment, type Segment } from './segments.ts'
import { caretIn, wordIn } from '../../../src-shared/filter/caret.ts'

/** The text in the filter's field. With problems it is not the filter in force. */
export interface Draft {
  text: string
  problems: readonly Problem[]
  /** The caret's position in the text, from 0; null while the field does not have the focus. */
  caret: number | null
}

/** The inventory's query, and the functions that change it. */
export interface Query {
  view: Store<View>
  draft: Store<Draft>
  /**
   * Applies a typed text: a valid filter at once; otherwise the last valid one stays in force. If a word turns out to
   * be a field name, the filter from before that word is restored.
   */
  type(text: string, caret?: number): void
  /** Notes the caret's position; null when the field was left. */
  putCaret(caret: number | null): void
  /** Adds the filter in force to the history when the field is left. */
  remember(): void
  ask(change: Partial<View>): void
  setFilter(filter: string): void
  setSegment(segment: Segment): void
  sortBy(column: ColumnId, more: boolean): void
  setPath(path: readonly Place[]): void
}

/** Creates the query. `onAsked` is called after each change of the view. */
export function createQuery(session: Session, onAsked: (before: View, after: View) => void): Query {
  const view = createStore<View>(firstView)
  const draft = createStore<Draft>({ text: firstView.filter, problems: [], caret: null })
  let typedWord: TypedWord | null = null

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
    typedWord = null
    draft.set({ text, problems: [], caret: null })
  }

  function setFilter(filter: string) {
    show(filter)
    ask({ filter })
  }

  function type(text: string, caret = text.length) {
    // Names of extra columns count as fields, as in the core.
    const { problems } = parseFilter(
      text,
      session.state.get().app?.columns.map(({ name }) => name),
    )
    const inForce = view.get().filter
    const filter = problems.length === 0 ? text.trim() : fallback(typedWord, text, caret, inForce)
    if (problems.length === 0) typedWord = nextTypedWord(typedWord, text, caret, inForce)
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
      // A filter that is only a status choice is not added to the history, nor a list of a thousand ids.
      if (history === undefined || history[0] === filter || filter.length > longestRemembered) return
      if (withSegment(filter, 'any') === '') return
      void session.change({ filterHistory: [...withHistory(history, filter)] })
    },
    setSegment: (segment) => setFilter(withSegment(view.get().filter, segment)),
    sortBy: (column, more) => ask(withSort(view.get(), sortedBy(sortOf(view.get()), column, more))),
    setPath: (path) => ask({ path }),
  }
}

/** Longest filter of the history, characters (settings.ts). */
const longestRemembered = 10_000

/**
 * A word that is searched as text while it is typed and may become a field: its start, and the filter that was in force
 * before it.
 */
export interface TypedWord {
  from: number
  before: string
}

/** Returns the word at the caret after a keystroke that left a valid filter. `inForce`: the filter until now. */
export function nextTypedWord(
  typedWord: TypedWord | null,
  text: string,
  caret: number,
  inForce: string,
): TypedWord | null {
  const word = wordIn(text, caret)
  if (word === null || !word.free) return null
  return typedWord?.from === word.from ? typedWord : { from: word.from, before: inForce }
}

/**
 * Returns the filter to keep when the text becomes invalid: the one before the word, when the word turns out to be a
 * field.
 */
export function fallback(typedWord: TypedWord | null, text: string, caret: number, inForce: string): string {
  const word = wordIn(text, caret)
  return typedWord !== null && word?.from === typedWord.from && !word.free ? typedWord.before : inForce
}

/**
 * Returns whether a problem is only a field whose value is about to be typed at the caret. `caret` is null when the
 * field was left.
 */
export function isUnfinished({ from, to }: Problem, text: string, caret: number | null): boolean {
  if (caret === null || caret < from || caret > to) return false
  const at = caretIn(text, caret)
  return at !== null && at.kind === 'value' && at.typed === ''
}

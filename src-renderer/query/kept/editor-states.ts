import { historyField } from '@codemirror/commands'
import { EditorState, type Extension } from '@codemirror/state'
import { createStore } from '../../lib/store.ts'

/** Editors whose history is kept while another tab is shown: those that were left last. */
const maxStates = 100

const states = createStore<ReadonlyMap<string, { text: string; state: unknown }>>(new Map())

/** Keeps the history and the cursor of an editor that is left. */
export function rememberState(key: string, state: EditorState): void {
  const others = [...states.get()].filter(([each]) => each !== key).slice(1 - maxStates)
  const kept = { text: state.doc.toString(), state: state.toJSON({ history: historyField }) as unknown }
  states.set(new Map([...others, [key, kept]]))
}

/** Returns the state of an editor with this text, with the history and the cursor of before where the text is still the same. */
export function recalledState(key: string, text: string, extensions: Extension): EditorState {
  const kept = states.get().get(key)
  return kept?.text === text
    ? EditorState.fromJSON(kept.state, { extensions }, { history: historyField })
    : EditorState.create({ doc: text, extensions })
}

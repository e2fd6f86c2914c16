import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { graphqlLanguageSupport } from 'cm6-graphql'

/** The baseline: CodeMirror with the grammar, colours, history and line numbers, and nothing else. Bundled for a bare page. */
const doc = document.querySelector('#document')?.textContent ?? ''
const extensions = [
  lineNumbers(),
  history(),
  drawSelection(),
  syntaxHighlighting(defaultHighlightStyle),
  graphqlLanguageSupport(),
  keymap.of([...historyKeymap, ...defaultKeymap]),
]
const view = new EditorView({ state: EditorState.create({ doc, extensions }) })
document.querySelector('#editor')?.append(view.dom)

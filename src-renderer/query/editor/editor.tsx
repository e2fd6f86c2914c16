import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { replacedSelection } from './replaced-selection.ts'
import { recalledState, rememberState } from '../kept/editor-states.ts'
import { editorTheme } from './theme.ts'

interface Props {
  label: string
  /** The tab whose text it is. The editor is made anew for each (`key`), with the history and the cursor of before. */
  tab: string
  value: string
  /** The language and what it brings. Read when the editor is made. */
  language: Extension
  onChange: (value: string) => void
  /** Called by Ctrl Enter. */
  onRun: () => void
  /** Called with the view when it is made, and with null when it goes. */
  onView?: (view: EditorView | null) => void
}

/** The nonce of the page, by which its policy allows the editor's styles. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** A text editor. Tab leaves it, as everywhere in the window. */
export function Editor({ label, tab, value, language, onChange, onRun, onView }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const made = useRef<EditorView | null>(null)
  const changed = useEffectEvent(onChange)
  const run = useEffectEvent(onRun)
  const shown = useEffectEvent((view: EditorView | null) => onView?.(view))
  const make = useEffectEvent((parent: HTMLElement) => {
    const runs = { key: 'Mod-Enter', preventDefault: true, run: () => (run(), true) }
    const follow = EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString())
    })
    const keys = [
      runs,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]
    const extensions = [
      EditorView.cspNonce.of(nonce()),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false, maxRenderedOptions: 40 }),
      highlightActiveLine(),
      highlightSelectionMatches(),
      keymap.of(keys),
      replacedSelection,
      language,
      editorTheme,
      follow,
    ]
    return new EditorView({ parent, state: recalledState(`${tab} ${label}`, value, extensions) })
  })
  const leave = useEffectEvent((view: EditorView) => rememberState(`${tab} ${label}`, view.state))
  useEffect(() => {
    if (box.current === null) return undefined
    const view = make(box.current)
    made.current = view
    shown(view)
    return () => {
      made.current = null
      shown(null)
      leave(view)
      view.destroy()
    }
  }, [])
  // A text that was set from elsewhere, such as by a cure or the choice of a tenant.
  useEffect(() => {
    const view = made.current
    if (view === null || view.state.doc.toString() === value) return
    // A step of its own: undoing it takes nothing of what was typed just before.
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: value },
      annotations: isolateHistory.of('full'),
    })
    view.scrollDOM.scrollLeft = 0
  }, [value])
  return <div ref={box} className="query-editor" />
}

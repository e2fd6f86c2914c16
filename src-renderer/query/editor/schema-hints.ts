import { Prec, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap, showTooltip, type Command, type Tooltip } from '@codemirror/view'
import { getSchema } from 'cm6-graphql'
import { describe, placeOf } from '../documentation/description.ts'
import { openDocumentation } from '../documentation/documentation.ts'
import { symbolAt, type Located } from './symbol-at.ts'

/** Longest description in a hint, characters: the documentation has all. */
const maxText = 700

const located = (state: EditorState, position: number): Located | null => {
  const schema = getSchema(state)
  return schema ? symbolAt(state, position, schema) : null
}

function hintOf({ symbol, from, to }: Located): Tooltip {
  const { signature, kind, text, deprecated } = describe(symbol)
  return {
    pos: from,
    end: to,
    above: true,
    create() {
      const dom = document.createElement('div')
      dom.className = 'query-hint'
      const add = (className: string, words: string) => {
        const part = document.createElement('div')
        part.className = className
        part.dir = 'auto'
        part.textContent = words.length > maxText ? `${words.slice(0, maxText)}…` : words
        dom.append(part)
      }
      add('query-hint-name', signature)
      add('muted-text', kind)
      if (deprecated !== null) add('query-warning', `Deprecated: ${deprecated}`)
      if (text !== null) add('query-hint-text', text)
      return { dom }
    },
  }
}

const setHint = StateEffect.define<Tooltip | null>()

/** The hint that a key has opened: it goes with the next change of text or cursor. */
const keyHint = StateField.define<Tooltip | null>({
  create: () => null,
  update(hint, transaction) {
    for (const effect of transaction.effects) if (effect.is(setHint)) return effect.value
    return transaction.docChanged || transaction.selection !== undefined ? null : hint
  },
  provide: (field) => showTooltip.from(field),
})

const showHint: Command = (view) => {
  const found = located(view.state, view.state.selection.main.head)
  if (found === null) {
    view.dispatch({ effects: EditorView.announce.of('Nothing is known of what is at the cursor.') })
    return true
  }
  const { signature, kind, text, deprecated } = describe(found.symbol)
  const told = [signature, kind, deprecated === null ? null : `Deprecated: ${deprecated}`, text?.slice(0, maxText)]
  const words = told.filter((part) => typeof part === 'string').join('. ')
  view.dispatch({ effects: [setHint.of(hintOf(found)), EditorView.announce.of(words)] })
  return true
}

const hideHint: Command = (view) => {
  if (view.state.field(keyHint) === null) return false
  view.dispatch({ effects: setHint.of(null) })
  return true
}

const showPage: Command = (view) => {
  const found = located(view.state, view.state.selection.main.head)
  openDocumentation(found === null ? null : placeOf(found.symbol), true)
  return true
}

const clicks = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false
    const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
    const found = position === null ? null : located(view.state, position)
    const place = found === null ? null : placeOf(found.symbol)
    if (place === null) return false
    event.preventDefault()
    openDocumentation(place, false)
    return true
  },
})

/**
 * What the schema says of the name under the pointer; Ctrl I shows it for the cursor, F1 or a click with Ctrl opens its page
 * of the documentation. The schema is the one that `cm6-graphql` completes from.
 */
export const schemaHints: Extension = [
  hoverTooltip((view, position) => {
    const found = located(view.state, position)
    return found === null ? null : hintOf(found)
  }),
  keyHint,
  clicks,
  Prec.high(
    keymap.of([
      { key: 'Mod-i', preventDefault: true, run: showHint },
      { key: 'Escape', run: hideHint },
      { key: 'F1', preventDefault: true, run: showPage },
    ]),
  ),
]

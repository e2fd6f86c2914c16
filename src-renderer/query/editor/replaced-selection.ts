import { EditorView } from '@codemirror/view'

/**
 * Replaces a selection by what is typed, before the browser does: Chromium gives what it inserts for styled text a style
 * attribute, which the page's policy blocks and reports.
 */
export const replacedSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event
    const { main } = view.state.selection
    if (inputType !== 'insertText' || data === null || isComposing || main.empty) return false
    event.preventDefault()
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    // Brackets are closed by such a handler.
    const handled = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, data, insert))
    if (!handled) view.dispatch(insert())
    return true
  },
})

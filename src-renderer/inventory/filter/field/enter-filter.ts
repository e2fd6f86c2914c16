import type { Inventory } from '../../inventory.ts'

/** Moves the caret to the end of the filter's field, after a space, so that the next letter begins a word. */
export function enterFilter(inventory: Inventory): void {
  const field = document.getElementById('filter')
  if (!(field instanceof HTMLInputElement)) return
  const { text } = inventory.draft.get()
  if (text !== '' && !/\s$/u.test(text)) inventory.type(`${text} `)
  field.focus()
  // React has rendered the text by then.
  requestAnimationFrame(() => field.setSelectionRange(field.value.length, field.value.length))
}

import type { Inventory } from '../../inventory.ts'

/** Puts the caret into the filter's field, behind what stands there and a space: the next letter begins a word. */
export function enterFilter(inventory: Inventory): void {
  const field = document.getElementById('filter')
  if (!(field instanceof HTMLInputElement)) return
  const { text } = inventory.draft.get()
  if (text !== '' && !/\s$/u.test(text)) inventory.type(`${text} `)
  field.focus()
  // The text is there when React has drawn it.
  requestAnimationFrame(() => field.setSelectionRange(field.value.length, field.value.length))
}

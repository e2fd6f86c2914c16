import { listMove } from '../../inventory/tree/tree-moves.ts'

/** What a key means on the rows of the incidents. */
export type ListKey = { does: 'go' | 'extend'; index: number } | { does: 'toggle' | 'all' | 'clear' | 'open' | 'close' }

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

interface At {
  /** Of the present row, from 0; -1 for none. */
  index: number
  /** The present incident has left the list: the keyboard stands before the row `index`, and on none. */
  left: boolean
  total: number
  /** Rows of one screen. */
  page: number
  selected: boolean
}

/** Null: the key is none of the list's. */
export function listKey(
  { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed,
  { index, left, total, page, selected }: At,
): ListKey | null {
  if (altKey) return null
  if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? { does: 'all' } : null
  const to = listMove(key, left && key.endsWith('Down') ? index - 1 : index, total, page)
  if (to !== null) return { does: shiftKey ? 'extend' : 'go', index: to }
  switch (key) {
    case ' ':
      return index < 0 || left ? null : { does: 'toggle' }
    case 'Enter':
      return { does: 'open' }
    case 'Escape':
      return { does: selected ? 'clear' : 'close' }
    default:
      return null
  }
}

export type ActionKey = 'acknowledge' | 'snooze' | 'undo'

/** One letter, in the list and in an incident that is open: `a`, `s`, `u`. */
export function actionKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): ActionKey | null {
  if (ctrlKey || metaKey || altKey || shiftKey) return null
  return ({ a: 'acknowledge', s: 'snooze', u: 'undo' } as const)[key] ?? null
}

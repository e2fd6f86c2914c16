import { listMove } from '../../inventory/tree/tree-moves.ts'

/** The action of a key in the list of incidents. */
export type ListKey =
  | { action: 'go' | 'extend'; index: number }
  | { action: 'toggle' | 'all' | 'clear' | 'open' | 'close' }

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

interface At {
  /** Index of the present row; -1 for none. */
  index: number
  /** True when the present incident has left the list: the cursor is before the row `index`. */
  left: boolean
  total: number
  /** Number of rows on a screen. */
  page: number
  selected: boolean
}

/** Returns the action of a key in the list; null for other keys. */
export function listKey(
  { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed,
  { index, left, total, page, selected }: At,
): ListKey | null {
  if (altKey) return null
  if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? { action: 'all' } : null
  const to = listMove(key, left && key.endsWith('Down') ? index - 1 : index, total, page)
  if (to !== null) return { action: shiftKey ? 'extend' : 'go', index: to }
  switch (key) {
    case ' ':
      return index < 0 || left ? null : { action: 'toggle' }
    case 'Enter':
      return { action: 'open' }
    case 'Escape':
      return { action: selected ? 'clear' : 'close' }
    default:
      return null
  }
}

export type ActionKey = 'acknowledge' | 'snooze' | 'take' | 'undo'

/** Returns the action of a letter in the list and in the open incident: `a`, `s`, `t`, `u`. */
export function actionKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): ActionKey | null {
  if (ctrlKey || metaKey || altKey || shiftKey) return null
  return ({ a: 'acknowledge', s: 'snooze', t: 'take', u: 'undo' } as const)[key] ?? null
}

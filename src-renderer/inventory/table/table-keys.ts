import { listMove } from '../tree/tree-moves.ts'

/** The action of a key in the table's rows. */
export type TableKey =
  | { action: 'go' | 'extend' | 'toggle'; index: number }
  | { action: 'all' | 'clear' | 'open' | 'close' | 'menu' | 'copy' | 'heads' }

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
  /** True when the present device has left the list: the cursor is before the row `index`. */
  left: boolean
  total: number
  /** Number of rows on a screen. */
  page: number
  /** True when more than the present row is selected. */
  selected: boolean
}

/** Returns the action of a key in the table; null for other keys. */
export function tableKey(
  { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed,
  { index, left, total, page, selected }: At,
): TableKey | null {
  if (altKey) return null
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() === 'a') return { action: 'all' }
    return key.toLowerCase() === 'c' && !shiftKey ? { action: 'copy' } : null
  }
  if (key === 'ArrowUp' && index === 0 && !shiftKey) return { action: 'heads' }
  const to = listMove(key, left && key.endsWith('Down') ? index - 1 : index, total, page)
  if (to !== null) return { action: shiftKey ? 'extend' : 'go', index: to }
  switch (key) {
    case ' ':
      return index < 0 || left ? null : { action: 'toggle', index }
    case 'Enter':
      return { action: 'open' }
    case 'Escape':
      return { action: selected ? 'clear' : 'close' }
    case 'ContextMenu':
      return { action: 'menu' }
    case 'F10':
      return shiftKey ? { action: 'menu' } : null
    default:
      return null
  }
}

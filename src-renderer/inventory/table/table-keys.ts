import { listMove } from '../tree/tree-moves.ts'

/** The action of a key in the table's rows. */
export type TableKey =
  | { does: 'go' | 'extend' | 'toggle'; index: number }
  | { does: 'all' | 'clear' | 'open' | 'close' | 'menu' | 'copy' | 'heads' }

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
    if (key.toLowerCase() === 'a') return { does: 'all' }
    return key.toLowerCase() === 'c' && !shiftKey ? { does: 'copy' } : null
  }
  if (key === 'ArrowUp' && index === 0 && !shiftKey) return { does: 'heads' }
  const to = listMove(key, left && key.endsWith('Down') ? index - 1 : index, total, page)
  if (to !== null) return { does: shiftKey ? 'extend' : 'go', index: to }
  switch (key) {
    case ' ':
      return index < 0 || left ? null : { does: 'toggle', index }
    case 'Enter':
      return { does: 'open' }
    case 'Escape':
      return { does: selected ? 'clear' : 'close' }
    case 'ContextMenu':
      return { does: 'menu' }
    case 'F10':
      return shiftKey ? { does: 'menu' } : null
    default:
      return null
  }
}

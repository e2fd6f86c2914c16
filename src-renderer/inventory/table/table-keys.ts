import { listMove } from '../tree/tree-moves.ts'

/** What a key means on the table's rows. */
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
  /** Of the present row, from 0; -1 for none. */
  index: number
  /** The present device has left the list: the keyboard stands before the row `index`, and on none. */
  left: boolean
  total: number
  /** Rows of one screen. */
  page: number
  /** More is selected than the present row. */
  selected: boolean
}

/** Null: the key is none of the table's. */
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

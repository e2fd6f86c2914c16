/** The cursor of the grid: a row of the shown order and a place among the shown columns, from 0. */
export interface Cell {
  row: number
  column: number
}

/** The action of a key in the grid (WAI-ARIA, data grid). */
export type GridKey = { action: 'go' | 'extend'; to: Cell } | { action: 'all' | 'clear' | 'copy' | 'open' | 'heads' }

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

interface Size {
  rows: number
  columns: number
  /** Rows of one page of the keys. */
  page: number
}

/** Returns the action of a key; null for other keys. */
export function gridKey(pressed: Pressed, at: Cell, size: Size): GridKey | null {
  const { key, altKey, shiftKey } = pressed
  if (altKey) return null
  const control = pressed.ctrlKey || pressed.metaKey
  if (control && key.toLowerCase() === 'a') return { action: 'all' }
  if (control && key.toLowerCase() === 'c') return shiftKey ? null : { action: 'copy' }
  if (key === 'Escape') return { action: 'clear' }
  if (key === 'Enter' && !control) return { action: 'open' }
  if (key === 'ArrowUp' && at.row === 0 && !shiftKey && !control) return { action: 'heads' }
  const to = control ? cornerOf(key, size) : neighbourOf(key, at, size)
  if (to === null || size.rows === 0) return null
  return { action: shiftKey && to.row !== at.row ? 'extend' : 'go', to }
}

function cornerOf(key: string, { rows, columns }: Size): Cell | null {
  if (key === 'Home') return { row: 0, column: 0 }
  return key === 'End' ? { row: rows - 1, column: columns - 1 } : null
}

function neighbourOf(key: string, { row, column }: Cell, { rows, columns, page }: Size): Cell | null {
  const to = (down: number, across: number): Cell => ({
    row: Math.max(0, Math.min(rows - 1, row + down)),
    column: Math.max(0, Math.min(columns - 1, column + across)),
  })
  switch (key) {
    case 'ArrowDown':
      return to(1, 0)
    case 'ArrowUp':
      return to(-1, 0)
    case 'ArrowLeft':
      return to(0, -1)
    case 'ArrowRight':
      return to(0, 1)
    case 'PageDown':
      return to(page, 0)
    case 'PageUp':
      return to(-page, 0)
    case 'Home':
      return to(0, -columns)
    case 'End':
      return to(0, columns)
    default:
      return null
  }
}

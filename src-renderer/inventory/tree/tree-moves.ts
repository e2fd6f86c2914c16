import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import { own } from '../../../src-shared/lib/own.ts'

/** The action of a key on a line of the tree (WAI-ARIA, tree view pattern). */
export type TreeMove =
  | { move: 'to'; index: number }
  | { move: 'parent' }
  | { move: 'expand' }
  | { move: 'collapse' }
  | { move: 'siblings' }
  | { move: 'choose' }

interface At {
  index: number
  total: number
  /** Number of lines on a screen. */
  page: number
  row: Pick<TreeRow, 'expanded' | 'parent'> | undefined
}

/** Returns the action of a key in the tree; null for other keys. */
export function treeMove(key: string, { index, total, page, row }: At): TreeMove | null {
  const to = (wanted: number): TreeMove => ({ move: 'to', index: Math.max(0, Math.min(total - 1, wanted)) })
  switch (key) {
    case 'ArrowDown':
      return to(index + 1)
    case 'ArrowUp':
      return to(index - 1)
    case 'PageDown':
      return to(index + page)
    case 'PageUp':
      return to(index - page)
    case 'Home':
      return to(0)
    case 'End':
      return to(total - 1)
    // WAI-ARIA: expands every sibling of the present line.
    case '*':
      return { move: 'siblings' }
    case 'Enter':
    case ' ':
      return { move: 'choose' }
    case 'ArrowRight':
      if (row?.expanded === false) return { move: 'expand' }
      return row?.expanded === true ? to(index + 1) : null
    case 'ArrowLeft':
      if (row?.expanded === true) return { move: 'collapse' }
      return row === undefined || row.parent === null ? null : { move: 'parent' }
    default:
      return null
  }
}

/** Returns whether a key may act on some line. */
export const isMoveKey = (key: string): boolean =>
  treeMove(key, { index: 0, total: 1, page: 1, row: { expanded: true, parent: null } }) !== null

/** Returns the index of the first name that begins with the typed text, regardless of case; -1 when none does. */
export function typedAhead(names: readonly string[], typed: string): number {
  const wanted = typed.toLocaleLowerCase()
  return names.findIndex((name) => name.toLocaleLowerCase().startsWith(wanted))
}

/** Returns the index that a key leads to in a plain list; null for other keys. */
export function listMove(key: string, index: number, total: number, page: number): number | null {
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: total - 1,
  }
  const wanted = own(steps, key)
  return wanted === undefined || total === 0 ? null : Math.max(0, Math.min(total - 1, wanted))
}

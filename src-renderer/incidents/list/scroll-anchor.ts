/**
 * The scroll position of a list, in CSS pixels. In this module `y` is the height of the rows above the box's upper
 * edge, negative with empty space above the first row.
 */
export interface ScrollPosition {
  top: number
  /** Empty space before the first row and after the last one, so that rows can keep their position. */
  before: number
  after: number
}

/**
 * Returns the scroll position that draws the rows `y` above the box's edge. `rows`: height of all rows. `box`: height
 * of the box.
 */
export function positionAt(y: number, rows: number, box: number): ScrollPosition {
  const before = Math.max(0, -y)
  return {
    top: Math.max(0, y),
    before,
    after: before > 0 ? Math.max(0, box - before - rows) : Math.max(0, y + box - rows),
  }
}

/** Returns the same position without empty space before or after the rows. */
export function clampedAt(y: number, rows: number, box: number): ScrollPosition {
  return { top: Math.max(0, Math.min(y, rows - box)), before: 0, after: 0 }
}

/**
 * Returns the row that keeps its position while the list changes: the wanted one, or else the nearest remaining one
 * above it, or else below. `before`, `after`: the ids in their order; null for none.
 */
export function anchorOf(wanted: string | null, before: readonly string[], after: ReadonlySet<string>): string | null {
  if (wanted === null) return null
  if (after.has(wanted)) return wanted
  const at = before.indexOf(wanted)
  if (at === -1) return null
  return before.slice(0, at).findLast((id) => after.has(id)) ?? before.slice(at).find((id) => after.has(id)) ?? null
}

/** How a list stands in its box, CSS pixels: `y` is what of its rows is above the box's upper edge; negative with room above the first row. */
export interface ScrollPosition {
  top: number
  /** Room before the first row and behind the last one, so that rows can stay where they are. */
  before: number
  after: number
}

/** The stand in which the rows are drawn `y` further up than the box begins. `rows`: height of all rows. `box`: of the box. */
export function positionAt(y: number, rows: number, box: number): ScrollPosition {
  const before = Math.max(0, -y)
  return {
    top: Math.max(0, y),
    before,
    after: before > 0 ? Math.max(0, box - before - rows) : Math.max(0, y + box - rows),
  }
}

/** As far as rows allow without any room before or behind them. */
export function clampedAt(y: number, rows: number, box: number): ScrollPosition {
  return { top: Math.max(0, Math.min(y, rows - box)), before: 0, after: 0 }
}

/**
 * Which row holds still while the list changes: the one under the pointer, else the one with the focus. If it is gone, the
 * nearest one above it that is still there, else below. `before` and `after`: the ids in their order; null for none.
 */
export function anchorOf(wanted: string | null, before: readonly string[], after: ReadonlySet<string>): string | null {
  if (wanted === null) return null
  if (after.has(wanted)) return wanted
  const at = before.indexOf(wanted)
  if (at === -1) return null
  return before.slice(0, at).findLast((id) => after.has(id)) ?? before.slice(at).find((id) => after.has(id)) ?? null
}

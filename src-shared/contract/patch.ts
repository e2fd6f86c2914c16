import { z } from 'zod'
import { counts, deviceRow, type DeviceRow } from '../model/inventory.ts'

/**
 * A change that is sent to the window (invariant 2: commit, remember, then publish). `base` is the revision that it
 * changes and `rev` the one that it makes. A receiver with a revision other than `base` must read everything again.
 */
export const patch = z.object({
  base: z.number(),
  rev: z.number(),
  /** The counts of the whole fleet at `rev`. */
  totals: counts,
  /** Changed and new devices, at most `patchRows`. With more, `many` is set and the list is empty. */
  devices: z.array(deviceRow),
  many: z.boolean(),
  /** Devices were added, removed, moved or renamed: pages of rows and of the tree must be read again. */
  structure: z.boolean(),
})
export type Patch = z.infer<typeof patch>

/** With more changed devices than this, `many` is set. No screen shows more rows at the same time. */
export const patchRows = 200

/** Returns whether the patch follows on revision `rev`. */
export function follows(rev: number, change: Patch): boolean {
  return change.base === rev
}

/** Returns the rows with the patch's devices in their places, or the same array when it has none of them. */
export function patchedRows(rows: readonly DeviceRow[], change: Patch): readonly DeviceRow[] {
  if (change.devices.length === 0) return rows
  const changed = new Map(change.devices.map((row) => [row.key, row]))
  if (!rows.some((row) => changed.has(row.key))) return rows
  return rows.map((row) => changed.get(row.key) ?? row)
}

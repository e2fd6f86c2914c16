import { z } from 'zod'
import { counts, deviceRow, type DeviceRow } from '../model/inventory.ts'

/**
 * A change sent to the window (invariant 2: committed, remembered, then told). `base` is the revision that it changes
 * and `rev` the one that it makes; whoever holds another revision than `base` asks for everything anew.
 */
export const patch = z.object({
  base: z.number(),
  rev: z.number(),
  /** Counts of the whole estate at `rev`. */
  totals: counts,
  /** Devices that changed or are new; at most `patchRows`. Beyond that `many` is set and the list is empty. */
  devices: z.array(deviceRow),
  many: z.boolean(),
  /** Devices came, went or moved, or names changed: windows of rows and of the tree are asked for again. */
  structure: z.boolean(),
})
export type Patch = z.infer<typeof patch>

/** More changed devices than this cross as `many`: no screen shows more rows at once. */
export const patchRows = 200

/** True when the patch follows on what the holder of `rev` knows. */
export function follows(rev: number, change: Patch): boolean {
  return change.base === rev
}

/** The rows with the patch's devices put in their places. The same array when none of them is in it. */
export function patchedRows(rows: readonly DeviceRow[], change: Patch): readonly DeviceRow[] {
  if (change.devices.length === 0) return rows
  const changed = new Map(change.devices.map((row) => [row.key, row]))
  if (!rows.some((row) => changed.has(row.key))) return rows
  return rows.map((row) => changed.get(row.key) ?? row)
}

import type { Counts, DeviceRow } from '../../../src-shared/model/inventory.ts'

/** What a write changed, for the window and the core: memory and disk have it already. */
export interface Change {
  base: number
  rev: number
  totals: Counts
  /** Changed and new devices, at most `patchRows`; beyond that the list is empty and `many` is set. */
  devices: DeviceRow[]
  many: boolean
  structure: boolean
  /** Transitions that this entered into the journal. */
  transitions: { key: string; at: number; notBefore: number | null; connected: boolean }[]
}

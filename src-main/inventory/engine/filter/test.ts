import { inBlocks } from '../columns/blocks.ts'
import type { Topic } from '../changes.ts'
import type { Columns } from '../columns/columns.ts'
import type { Extras } from '../columns/extras.ts'
import type { Places } from '../places.ts'

/** The slots that pass, in their order, moved to the front of the same memory: fresh memory costs more than the asking. */
export function filterSlots(slots: Int32Array, passes: (slot: number) => boolean): Int32Array {
  let n = 0
  inBlocks(slots.length, (from, to) => (n = filterBlock(slots, from, to, n, passes)))
  return slots.subarray(0, n)
}

function filterBlock(
  slots: Int32Array,
  from: number,
  to: number,
  passed: number,
  passes: (slot: number) => boolean,
): number {
  let n = passed
  for (let i = from; i < to; i += 1) {
    const slot = slots[i] as number
    if (passes(slot)) slots[n++] = slot
  }
  return n
}

/** What makes an offline device a spare (protocol.ts, `spares`); `models` folded. */
export interface SpareRule {
  readonly models: ReadonlySet<string>
  readonly age: number | null
}

/** The rule in force. */
export interface Spares {
  rule: SpareRule
}

/** What the tests look at. */
export interface FilterContext {
  readonly rows: Columns
  readonly places: Places
  readonly extras: Extras
  readonly spares: Spares
  /** Zeros, one for each place by its index: what a test notes there is nobody's when it is done. */
  placeMarks(): Uint8Array
}

/** A term of a filter as the engine asks it: of many rows at once. */
export interface Test {
  /** Tests that ask for the same have the same name. */
  readonly name: string
  /** The dearer ones are asked last, when few rows are left. */
  readonly cost: 1 | 2 | 3
  readonly topics: readonly Topic[]
  /** The further column that it asks of. */
  readonly extraColumn: string | null
  /** The folded text that is looked for everywhere; null for any other test. */
  readonly text: string | null
  /** Those of the slots that pass, in their order, in the memory of the slots given. `now` in ms. */
  narrow(slots: Int32Array, now: number): Int32Array
  /** For ages: adds the rows whose answers are others at one moment than at the other. Null for what no time changes. */
  readonly aged: ((before: number, now: number, into: Set<number>) => void) | null
}

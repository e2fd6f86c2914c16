import { inBlocks } from '../columns/blocks.ts'
import type { Topic } from '../changes.ts'
import type { Columns } from '../columns/columns.ts'
import type { Extras } from '../columns/extras.ts'
import type { NotesByNode } from '../notes.ts'
import type { Places } from '../places.ts'

/** Moves the slots that pass to the front of the same memory, in their order: allocating costs more than testing. */
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

/** The rule by which an offline device is a spare (protocol.ts, `spares`); `models` are folded. */
export interface SpareRule {
  readonly models: ReadonlySet<string>
  readonly age: number | null
}

/** The rule in force. */
export interface Spares {
  rule: SpareRule
}

/** The data that tests read. */
export interface FilterContext {
  readonly rows: Columns
  readonly places: Places
  readonly extras: Extras
  readonly notes: NotesByNode
  readonly spares: Spares
  /** Scratch memory, zeroed: one byte for each place by its index. */
  placeScratch(): Uint8Array
}

/** A term of a filter, tested for many rows at once. */
export interface Test {
  /** Equal tests have the same name. */
  readonly name: string
  /** Costlier tests come last, when few rows are left. */
  readonly cost: 1 | 2 | 3
  readonly topics: readonly Topic[]
  /** The extra column that it tests. */
  readonly extraColumn: string | null
  /** The folded text of a text search; null for any other test. */
  readonly text: string | null
  /** Those of the slots that pass, in their order, in the memory of the slots given. `now` in ms. */
  narrow(slots: Int32Array, now: number): Int32Array
  /** For ages: adds the rows whose result differs between two times. Null where time changes nothing. */
  readonly aged: ((before: number, now: number, into: Set<number>) => void) | null
}

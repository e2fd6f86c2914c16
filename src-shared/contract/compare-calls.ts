import { z } from 'zod'
import {
  asset,
  assetField,
  assetList,
  comparedSides,
  difference,
  differenceKind,
  differenceKinds,
  keptComparison,
  savedComparison,
} from '../model/comparison.ts'
import { importLimit } from './limits.ts'

const sides = comparedSides.shape
const shown = { kinds: z.array(differenceKind).max(differenceKinds.length), text: z.string().max(200) }
const row = z.int().min(0).max(10_000_000)

/** The calls of comparisons: a part of the contract (contract.ts), answered from this computer's disk. */
export const compareCalls = {
  /**
   * Reads an asset list (CSV, or cells separated by tabs or semicolons; the first line has the heads) and recognises its columns. The
   * core keeps the last few. Fails with `input` for a text without a head.
   */
  'compare.list': {
    input: z.object({ name: z.string().max(300), text: z.string().max(importLimit) }),
    output: assetList,
  },
  /** Sets what the columns of a list are, in its order; null: nothing. Fails with `input` for a field that is there twice. */
  'compare.columns': {
    input: z.object({ list: z.string().max(64), fields: z.array(assetField.nullable()).max(1000) }),
    output: assetList,
  },
  /**
   * Compares two sides. `kinds`: empty for all; `text`: a part of any value, in any case. `counts`: of each kind, with that text; `total`: of the
   * shown ones. `known`: how many devices of each side have a serial, a MAC address or firmware, which are extra columns of the fleet.
   * `unrecorded`: devices of tenants of which nothing is recorded at the past time; they are left out. Fails with `input` for an unknown place, for
   * a list that is no longer kept, and for a time of which nothing is recorded.
   */
  'compare.read': {
    input: z.object({ ...sides, ...shown, offset: row, limit: z.int().min(1).max(1000) }),
    output: z.object({
      counts: z.record(differenceKind, z.number()),
      total: z.number(),
      rows: z.array(difference),
      devices: z.object({ first: z.number(), second: z.number() }),
      known: z.array(z.object({ field: asset.keyof(), first: z.number(), second: z.number() })),
      unrecorded: z.number(),
    }),
  },
  /** Returns some of these differences as CSV, from the row `row` on; the first part has the head. `next`: null at the end. */
  'compare.csv': {
    input: z.object({ ...sides, ...shown, row }),
    output: z.object({ text: z.string(), next: z.number().nullable() }),
  },
  'compare.saved': { input: z.object({}), output: z.object({ saved: z.array(keptComparison) }) },
  /** Keeps a comparison, with its list where it has one. Fails with `input` where there are too many. */
  'compare.save': { input: savedComparison, output: z.object({}) },
  'compare.remove': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** Returns the list of a kept comparison, read anew; null where it has none. Fails with `input` for an unknown one. */
  'compare.open': {
    input: z.object({ id: z.string().max(64) }),
    output: z.object({ comparison: keptComparison, list: assetList.nullable() }),
  },
} as const

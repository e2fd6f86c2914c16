import { z } from 'zod'
import { estimate, pointsMinute, usedPoints } from '../model/gauge.ts'

/** A field that can be left out. `points`: of it and all below it, likely. */
const costField = z.object({
  /** Names of the fields down to it, the last three. */
  name: z.string(),
  /** Where it begins in the document, characters; several where it is written more than once. */
  at: z.array(z.number()),
  /** From 1. */
  line: z.number(),
  points: z.number(),
})
export type CostField = z.infer<typeof costField>

/** The likely points of the fields that begin in a line of the document. */
const costLine = z.object({ line: z.number(), points: z.number() })
export type CostLine = z.infer<typeof costLine>

/** The document without some fields, and what it would cost then. */
const withoutFields = z.object({ document: z.string(), estimate })

const operationInput = {
  connection: z.string().max(64),
  document: z.string().max(1_000_000),
  /** The name of the chosen operation; null or left out: the first one. */
  operation: z.string().max(200).nullable().optional(),
  variables: z.record(z.string(), z.unknown()),
}

export const operationEstimate = estimate.extend({
  /** Points that are left now; null before the service's first balance. */
  left: z.number().nullable(),
  /** The most expensive fields first, at most 12, each with more than a hundredth of the points. */
  fields: z.array(costField),
  /** Lines with more than a hundredth of the points. */
  lines: z.array(costLine),
  /** The fewest fields without which it would go at once; null where it goes, or where that does not help. */
  without: withoutFields.extend({ names: z.array(z.string()) }).nullable(),
})
export type OperationEstimate = z.infer<typeof operationEstimate>

/** The calls about points, used and to be used: a part of the contract (contract.ts). */
export const costCalls = {
  /**
   * Returns the points that each credential set used in the last hour, as far as this run has it (`from`). Minutes in which nothing
   * happened are left out; `activities`: the most expensive first.
   */
  'points.hour': {
    input: z.object({}),
    output: z.object({
      sets: z.array(
        z.object({
          /** Name of the connection or connections that use the credential set, and their ids. */
          name: z.string(),
          connections: z.array(z.string()),
          limit: z.number(),
          from: z.number(),
          until: z.number(),
          minutes: z.array(pointsMinute),
          activities: z.array(usedPoints),
        }),
      ),
    }),
  },
  /**
   * Returns the estimated cost of an operation for a connection's credential set, without sending it. Fails with a
   * fault of kind `input` for an invalid document (`document: words`) or an unknown connection.
   */
  'cost.estimate': { input: z.object(operationInput), output: operationEstimate },
  /**
   * Returns the document without the fields that begin at these positions, and its estimated cost. Fails as `cost.estimate`
   * does, and with `input` where nothing would be left.
   */
  'cost.without': {
    input: z.object({ ...operationInput, at: z.array(z.int().min(0)).max(1_000) }),
    output: withoutFields,
  },
}

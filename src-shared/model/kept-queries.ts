import { z } from 'zod'
import { faultKinds } from './fault.ts'

/** Most tabs, saved operations and past runs that are kept. */
export const maxTabs = 50
export const maxOperations = 1000
export const maxRuns = 500

/** Longest texts that are kept, characters. */
export const tabLimits = { document: 1_000_000, variables: 200_000 }
export const operationLimits = { document: 200_000, variables: 100_000 }
/** Most characters of all saved operations together. */
export const operationsLimit = 4_000_000
/** Most characters of a run's document and variables together; of a longer one only the outcome is kept. */
export const runTextLimit = 100_000
/** Longest file of operations that is imported, characters. */
export const operationsFileLimit = 5_000_000

const id = z.string().max(64)
/** A name in one line: it stands in a comment of a file. */
const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text === text.trim() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'It must be one line.')

/** A tab of the query screen as it is kept. `variables`: JSON as the operator wrote it. `saved`: the saved operation that it came from. */
export const queryTab = z.object({
  id,
  document: z.string().max(tabLimits.document),
  variables: z.string().max(tabLimits.variables),
  connection: id.nullable(),
  operation: z.string().max(200).nullable(),
  saved: id.nullable(),
})
export type QueryTab = z.infer<typeof queryTab>

/** An operation that the operator saved under a name. `folder`: '' for none. Lines end by `\n`. */
export const savedOperation = z.object({
  id,
  name: line(200).min(1),
  folder: line(200),
  document: z.string().max(operationLimits.document),
  variables: z.string().max(operationLimits.variables),
})
export type SavedOperation = z.infer<typeof savedOperation>

/** How a run ended. `fault`: a rejection, or why there was no answer; null: none. `cost` in points, as the service reports; null: it did not. */
export const runOutcome = z.object({
  status: z.number().nullable(),
  fault: z.enum(faultKinds).nullable(),
  cost: z.number().nullable(),
  ms: z.number().nullable(),
})
export type RunOutcome = z.infer<typeof runOutcome>

/**
 * A past run in the history. `at`: when it began, ms. `operation`: the name of the operation; null: it has none. `expected`: points.
 * `excerpt`: the beginning of its document. `hasText`: its document and variables are kept. `outcome`: null while it runs, and of
 * one that was interrupted: Muster ended before the answer.
 */
export const pastRun = z.object({
  id: z.string(),
  connection: z.string(),
  at: z.number(),
  operation: z.string().nullable(),
  expected: z.number(),
  excerpt: z.string(),
  hasText: z.boolean(),
  isRunning: z.boolean(),
  outcome: runOutcome.nullable(),
})
export type PastRun = z.infer<typeof pastRun>

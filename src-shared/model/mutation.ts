import { z } from 'zod'
import { estimate } from './gauge.ts'

/** A root field of a mutation. `name`: its name in the answer. `arguments`: with the variables filled in. */
export const mutationField = z.object({
  name: z.string(),
  field: z.string(),
  arguments: z.string(),
  isCut: z.boolean(),
})
export type MutationField = z.infer<typeof mutationField>

/**
 * A mutation that the operator wrote, prepared: what is shown before the press, and sent by it. `tenants`: all of its connection;
 * it may act on any of them.
 */
export const mutationSheet = z.object({
  id: z.string(),
  /** Name of the operation; null: it has none. */
  name: z.string().nullable(),
  fields: z.array(mutationField),
  tenants: z.array(z.object({ key: z.string(), name: z.string(), armed: z.boolean() })),
  estimate,
})
export type MutationSheet = z.infer<typeof mutationSheet>

/** What came of each root field: as in a job (`outcomes`). `unknown`: it was sent, and no answer says whether it was executed. */
export const mutationOutcome = z.object({
  name: z.string(),
  outcome: z.enum(['done', 'refused', 'not-sent', 'unknown']),
  words: z.string(),
})
export type MutationOutcome = z.infer<typeof mutationOutcome>

import { z } from 'zod'
import { mutationOutcome, mutationSheet } from '../model/mutation.ts'
import { rawAnswer } from '../model/query.ts'

const id = z.string().max(64)

/**
 * The calls about mutations that the operator writes: a part of the contract (contract.ts). They may act on any tenant of
 * their connection, so all of them have to be armed: otherwise they fail with `locked`, and with `actions-off` where actions
 * are off (invariant 16).
 */
export const mutationCalls = {
  /**
   * Judges the chosen operation as the core parsed it, and lists what it would do. Sends nothing but a question for the tenants
   * of the connection. Fails with `input` for a text that is no mutation.
   */
  'mutation.prepare': {
    input: z.object({
      connection: id,
      document: z.string().max(1_000_000),
      /** The name of the operation, where the document has several. */
      operation: z.string().max(200).nullable(),
      variables: z.record(z.string(), z.unknown()),
    }),
    output: mutationSheet,
  },
  /**
   * Sends a prepared mutation, once: a sheet is sent once, within 15 minutes. That it is sent is in the history before. `run`: the
   * id of its answer, as of `query.run`; `query.cancel` withdraws it where it has not left, and otherwise no longer waits for it.
   */
  'mutation.send': {
    input: z.object({ sheet: id, run: id }),
    output: z.object({
      /** The action in the history. */
      job: id,
      outcomes: z.array(mutationOutcome),
      /** The answer, as of `query.run`; null: there is none. */
      answer: rawAnswer.nullable(),
    }),
  },
}

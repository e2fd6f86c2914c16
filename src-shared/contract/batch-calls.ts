import { z } from 'zod'
import { batchCost, batchOutcome, batchProgress } from '../model/batch.ts'
import { rawAnswer } from '../model/query.ts'

const id = z.string().max(64)

/** One operation, and how it is repeated. */
const batch = z.object({
  /** One, or for `tenants` those whose tenants it runs for. */
  connections: z.array(id).min(1).max(200),
  document: z.string().max(1_000_000),
  operation: z.string().max(200).nullable(),
  variables: z.record(z.string(), z.unknown()),
  /** Reads the paged field of the operation to its end. */
  pages: z.boolean(),
  /** Runs it for each tenant of the connections, and fills its variable for the tenant. */
  tenants: z.boolean(),
})

/** The calls for queries that are sent many times: a part of the contract (contract.ts). Their answer is one JSON list of rows. */
export const batchCalls = {
  /** Returns what it would cost, without sending anything. Fails with `input` as `query.run` does. */
  'query.batchCost': { input: batch, output: batchCost },
  /**
   * Runs it to its end and resolves with its answer, whose lines are read as those of `query.run`: one list of rows, of which
   * those of a tenant begin with `tenant`, `tenantId` and, where known, `region`; a tenant that fails has a row with `error`.
   * What stops it, or ends it (`query.cancel`), leaves the rows that were read. `again`: reads what an ended run lacks (the rest of
   * its pages, the tenants that failed) and moves its rows here; what else is given is not looked at then. Fails where nothing was read.
   */
  'query.runBatch': {
    input: z.object({ run: id, batch, again: id.nullable() }),
    output: z.object({ answer: rawAnswer, outcome: batchOutcome }),
  },
  /** Returns how much of a run is done; null where it has ended. */
  'query.batchProgress': {
    input: z.object({ run: id }),
    output: z.object({ progress: batchProgress.nullable() }),
  },
}

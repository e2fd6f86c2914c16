import { z } from 'zod'
import { schemaEntry } from '../model/schema-history.ts'
import { serviceUse } from '../model/service-uses.ts'

const connection = z.string().max(64)

/** The calls about what a connection's service offers: a part of the contract (contract.ts). Beside the question which mutations there are, once, nothing is sent by them. */
export const offerCalls = {
  /**
   * Returns what Muster uses of a connection's service, where it falls back and why, and the limits that it has read or learned.
   * Fails with `input` for a connection that is unknown.
   */
  'offers.read': {
    input: z.object({ connection }),
    output: z.object({
      /** What the service told of its schema: `yes`, `refused`, or not read yet (also while the connection is paused). */
      schema: z.enum(['yes', 'refused', 'unread']),
      uses: z.array(serviceUse),
      /** Fields of Muster's own documents that are left out since the service rejected them (at: ms), by their path. */
      leftOut: z.array(z.object({ path: z.string(), at: z.number() })),
      /** Types that the service wanted for variables instead of the documented ones. */
      types: z.array(z.object({ variable: z.string(), type: z.string() })),
      /** The device fields that the base sync reads, and those that are extra columns now or could be. */
      baseFields: z.array(z.string()),
      columns: z.array(z.object({ name: z.string(), isOn: z.boolean() })),
      limits: z.object({
        /** Points of one operation (service-spec.md, section 8), and of a rate window as the service reports it; null: it did not yet. */
        operation: z.number(),
        window: z.number().nullable(),
        basis: z.enum(['headers', 'field', 'guess']),
        /** Largest page that was accepted after a larger one was rejected; null: none was rejected. `largestPage`: Muster's own bound. */
        pageLimit: z.number().nullable(),
        largestPage: z.number(),
        /** Device ids that Muster puts into one subscription at most. */
        subscriptionIds: z.number(),
      }),
      /** Regions of the tenants that the connection lists; null: the service names none. */
      regions: z.array(z.object({ id: z.string().nullable(), tenants: z.number() })),
    }),
  },
  /** Returns the differences of the service's schema over time, the newest first, and when a whole schema was first and last read, ms. */
  'offers.history': {
    input: z.object({ connection }),
    output: z.object({
      since: z.number().nullable(),
      readAt: z.number().nullable(),
      entries: z.array(schemaEntry),
    }),
  },
}

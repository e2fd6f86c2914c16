import { z } from 'zod'

const count = z.int().min(0)

/**
 * What a connection has read of the accounts, sites and rooms that its service lists. `not-offered`: the service lists
 * none; `no-schema`: it does not show its schema, so nothing is asked.
 */
export const placeDirectory = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('read'),
    /** When the least recently read tenant was read, ms since the epoch. */
    readAt: z.number(),
    /** Null where the service tells no accounts. */
    accounts: count.nullable(),
    sites: count,
    rooms: count,
    /** Cost of reading all tenants, points; null while a part of it was read in an earlier run. */
    points: count.nullable(),
  }),
  z.object({ state: z.literal('not-offered') }),
  z.object({ state: z.literal('no-schema') }),
])
export type PlaceDirectory = z.infer<typeof placeDirectory>

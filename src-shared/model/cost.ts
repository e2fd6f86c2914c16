import { z } from 'zod'

/** What a reading would take. `known`: learned from what the service charged, not guessed. */
export const cost = z.object({
  points: z.number(),
  windows: z.number(),
  ms: z.number(),
  devices: z.number(),
  known: z.boolean(),
})
export type Cost = z.infer<typeof cost>

/** What reading a place anew would cost, before it is done. */
export const refreshCost = z.object({
  /** All of the tenants that the place lies in, or that lie in it: what was moved, added or removed is found as well. `tenants`: how many. */
  full: cost.extend({ tenants: z.number() }),
  /** The status of the place's known devices alone, asked for by their ids; null where that is not offered, or where there are too many of them. */
  status: cost.nullable(),
})
export type RefreshCost = z.infer<typeof refreshCost>

import { z } from 'zod'
import { fault } from '../model/inventory.ts'

/**
 * Rooms with a people count: `rooms`: that are listed; `known`: of those whose count is known, because it changed since the stream began;
 * `inUse`: of those with people; `people`: in all of them.
 */
const occupied = z.object({ rooms: z.number(), known: z.number(), inUse: z.number(), people: z.number() })
export type Occupied = z.infer<typeof occupied>

/**
 * A connection whose service may stream people counts. `offer`: whether its schema has `peopleCountStream`; `unknown`: it tells its schema to
 * nobody, or was not asked yet. `tenants`: number of its tenants with rooms whose counts are streamed; `leftOut`: that are beyond the limit.
 * `live`: number of subscriptions that the service has confirmed, of `streams`. `fault`: of one that it rejected, or that failed.
 */
const source = z.object({
  id: z.string(),
  name: z.string(),
  offer: z.enum(['offered', 'absent', 'unknown']),
  tenants: z.number(),
  leftOut: z.number(),
  streams: z.number(),
  live: z.number(),
  fault: fault.nullable(),
})
export type OccupancySource = z.infer<typeof source>

/** The calls about people in rooms: a part of the contract (contract.ts). */
export const occupancyCalls = {
  /**
   * Returns what the people counts of rooms tell (setting `occupancy`; all of it is 0 while that is off). `tenants`: those with streams, by name.
   * `fullest`: up to 10 rooms with the most people. `day`: the last 24 hours in quarters of an hour, the mean number of rooms in use, as far as
   * this run has it; null without a known room. Times in ms.
   */
  'occupancy.read': {
    input: z.object({}),
    output: z.object({
      on: z.boolean(),
      sources: z.array(source),
      now: occupied,
      tenants: z.array(occupied.extend({ id: z.string(), name: z.string() })),
      fullest: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          site: z.string(),
          tenant: z.string(),
          capacity: z.number().nullable(),
          count: z.number(),
          at: z.number(),
        }),
      ),
      day: z.object({ from: z.number(), until: z.number(), inUse: z.array(z.number().nullable()) }),
    }),
  },
} as const

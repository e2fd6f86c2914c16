import { z } from 'zod'
import { fault } from './inventory.ts'

/** How much of a batch is done: one operation that is sent page after page, or for tenant after tenant. */
export const batchProgress = z.object({
  rows: z.number(),
  pages: z.number(),
  /** Points that the service reported, or else those that were expected. */
  points: z.number(),
  /** Rows of the whole, as the service names them; null: it does not. */
  total: z.number().nullable(),
  /** Null where it runs once, for no tenant by name. */
  tenants: z.object({ of: z.number(), done: z.number(), failed: z.number() }).nullable(),
  /** When the rest is likely read, ms since the epoch; null: unknown. */
  doneAt: z.number().nullable(),
  /** When it goes on, where it waits for points, ms since the epoch; null: it does not wait. */
  waitsUntil: z.number().nullable(),
  /** The fault for which a page is tried again; null: none. */
  retrying: fault.nullable(),
})
export type BatchProgress = z.infer<typeof batchProgress>

/** A tenant of which not all was read. */
export const batchFailure = z.object({
  connection: z.string(),
  tenantId: z.string(),
  tenant: z.string(),
  /** Rows that were read before. */
  rows: z.number(),
  fault,
})

/** What came of a batch beside its rows. */
export const batchOutcome = z.object({
  rows: z.number(),
  pages: z.number(),
  points: z.number(),
  total: z.number().nullable(),
  /** Elements that the service answered with null. */
  missing: z.number(),
  /** Errors beside the rows; the first ones are in the summary. */
  errors: z.number(),
  /** The list is as long as Muster keeps: the rest was not read. */
  isFull: z.boolean(),
  /** Why it stopped before its end; null: it did not. `abort`: the operator ended it. */
  stopped: fault.nullable(),
  /** The rest can be read with `again`. */
  canContinue: z.boolean(),
  /** Null where it ran once, for no tenant by name. `failures`: the first 200. */
  tenants: z
    .object({ of: z.number(), done: z.number(), failed: z.number(), failures: z.array(batchFailure) })
    .nullable(),
  /** More rows were there than the one page of each tenant. */
  hasMore: z.boolean(),
})
export type BatchOutcome = z.infer<typeof batchOutcome>

/** What a batch would cost, before it starts. */
export const batchCost = z.object({
  /** Why it cannot be run so; null: it can. A sentence. */
  problem: z.string().nullable(),
  /** The paged field, as "tenant.inventory.deviceSearch"; null: none, with the reason. */
  field: z.string().nullable(),
  notPaged: z.string(),
  /** Rows of a page, and of a page as written where those are too expensive; null: the service's own size. */
  pageSize: z.number().nullable(),
  writtenSize: z.number().nullable(),
  /** Requests and rows of the whole; null: unknown before it runs. */
  requests: z.number().nullable(),
  rows: z.number().nullable(),
  /** Likely points of one request, and of all; null: unknown. */
  pointsEach: z.number(),
  points: z.number().nullable(),
  certainty: z.enum(['learned', 'derived', 'guess']),
  /** The service would reject even its smallest page. */
  isRejected: z.boolean(),
  /** When it would be done, ms since the epoch; null: unknown. `windows`: further rate windows that it needs. */
  doneAt: z.number().nullable(),
  windows: z.number(),
  /** Tenants of each connection, where it runs for each of them. */
  tenants: z.array(z.object({ connection: z.string(), count: z.number() })),
})
export type BatchCost = z.infer<typeof batchCost>

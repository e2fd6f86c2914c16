import { z } from 'zod'
import { fault } from './inventory.ts'

/** Most subscriptions that run at once, of all connections. */
export const maxSubscriptions = 5

/**
 * How a subscription stands. Times in ms since the epoch. `waiting`: it was cut, and connects again at `retryAt`. `ended`: by the
 * operator (`stopped`), with its connection (`connection`: removed, paused or changed), by the service (`completed`), as the service
 * rejects the operation (`rejected`, in its words), or as it cannot be reached at all (`failed`).
 */
export const subscriptionProgress = z.discriminatedUnion('is', [
  z.object({ is: z.literal('connecting'), attempt: z.number() }),
  z.object({ is: z.literal('live'), since: z.number() }),
  z.object({ is: z.literal('waiting'), attempt: z.number(), retryAt: z.number(), fault }),
  z.object({
    is: z.literal('ended'),
    at: z.number(),
    reason: z.enum(['stopped', 'connection', 'completed', 'rejected', 'failed']),
    fault: fault.nullable(),
    words: z.array(z.string()),
  }),
])
export type SubscriptionProgress = z.infer<typeof subscriptionProgress>

/** A subscription that runs, or whose events are still kept. */
export const subscriptionState = z.object({
  id: z.string(),
  /** Id of its connection. */
  connection: z.string(),
  /** Name of the operation; null: it has none. */
  name: z.string().nullable(),
  startedAt: z.number(),
  progress: subscriptionProgress,
  /** Events since the start, or since it was cleared. `dropped`: those that are no longer kept. */
  events: z.number(),
  dropped: z.number(),
  /** Times that events may be missing. */
  gaps: z.number(),
  /** Events a second, over the last five seconds. */
  rate: z.number(),
  lastAt: z.number().nullable(),
  /** Number of the last row (`subscriptionRow`); 0: none. */
  last: z.number(),
})
export type SubscriptionState = z.infer<typeof subscriptionState>

/** A row of a subscription: an event, or a gap. `number`: from 1, never used twice. `at`: when it was received, ms. */
export const subscriptionRow = z.object({
  number: z.number(),
  at: z.number(),
  /** Of a gap: since when events may be missing until `at`; null: it is an event. */
  gapSince: z.number().nullable(),
  /** The beginning of its JSON; '' for a gap. */
  text: z.string(),
  isCut: z.boolean(),
  bytes: z.number(),
  hasErrors: z.boolean(),
})
export type SubscriptionRow = z.infer<typeof subscriptionRow>

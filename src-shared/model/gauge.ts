import { z } from 'zod'

export const lanes = ['person', 'reconcile', 'visible', 'background'] as const
export const lane = z.enum(lanes)
export type Lane = z.infer<typeof lane>

/** Why a request waits: for the time that the service asks for, for the window to turn, for points that are kept for a person or for other clients of the credential set, for the ceiling that the operator set, for the operator to let background work go on, or for its turn. */
export const waitWhys = ['service', 'points', 'reserve', 'others', 'ceiling', 'paused', 'turn'] as const
export type WaitWhy = (typeof waitWhys)[number]

const counted = z.object({ name: z.string(), lane, count: z.number() })

/** The cost gauge of one credential set (service-spec.md, section 8). Points, and milliseconds since the epoch. */
export const gauge = z.object({
  /** Name of the connection (or connections) that use the credential set, and their ids. */
  name: z.string(),
  connections: z.array(z.string()),
  limit: z.number(),
  remaining: z.number(),
  /** When the balance resets, at the latest; null before the first answer. */
  resetAt: z.number().nullable(),
  /** What the service itself said last, when, and when the window that it spoke of ended; missing before it said any. */
  said: z.object({ remaining: z.number(), at: z.number(), resetAt: z.number() }).optional(),
  /** False before the service gave its own figures: then these are Muster's guess. */
  known: z.boolean(),
  /** Where the figures come from: the answers' headers, `calculateQueryCost`, or nobody but Muster. */
  basis: z.enum(['headers', 'field', 'guess']),
  /** What Muster used in this window, lane by lane. */
  burned: z.object({ person: z.number(), reconcile: z.number(), visible: z.number(), background: z.number() }),
  /** The same by what was asked, the dearest first. */
  activities: z.array(counted.extend({ points: z.number() })),
  /** What other clients of the credential set used in this window, at least. */
  others: z.number(),
  /** Kept free of what Muster does by itself: for the operator's own acts, and (`forOthers` of it) for other clients. */
  reserve: z.number(),
  forOthers: z.number(),
  /** The most that Muster uses of a window by itself; null: all of it. */
  ceiling: z.number().nullable(),
  /** The operator has stopped background work. */
  paused: z.boolean(),
  /** The last operations, newest first, at most 20. */
  recent: z.array(z.object({ name: z.string(), lane, cost: z.number(), at: z.number() })),
  /** Requests that wait. */
  waiting: z.number(),
  /** The same by what they are and why they wait; `until`: when they are looked at again, null where no time is known. */
  waits: z.array(counted.extend({ why: z.enum(waitWhys), until: z.number().nullable() })),
  /** What the running reading has still to pay, in how many further windows (0: this one will do) and when it is done; null: none runs, or nothing is known of it. */
  forecast: z.object({ points: z.number(), windows: z.number(), doneAt: z.number() }).nullable(),
  /** Operations that the service refused for lack of points since Muster started. */
  refusals: z.object({ count: z.number(), at: z.number().nullable() }),
})
export type Gauge = z.infer<typeof gauge>

/** What an operation is going to cost. Points. */
export const estimate = z.object({
  likely: z.number(),
  /** Not surely, but in all likelihood no more than this. */
  atMost: z.number(),
  /** Learned from what this very form was charged, derived from what others cost over what they select, or a guess. */
  certainty: z.enum(['learned', 'derived', 'guess']),
  /** What one operation may cost at most (service-spec.md, section 8). */
  limit: z.number(),
  /** It is likely to cost more than that. */
  isRefused: z.boolean(),
  /** When there are points for it, as a person's own act; ms since the epoch, null: now. */
  waitsUntil: z.number().nullable(),
  /** Pages that fit, where it would not: how large, how many for what was asked, and what they cost together. */
  split: z.object({ pageSize: z.number(), requests: z.number(), points: z.number() }).nullable(),
})
export type Estimate = z.infer<typeof estimate>

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

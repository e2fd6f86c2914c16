import { z } from 'zod'

export const lanes = ['person', 'reconcile', 'visible', 'background'] as const
export const lane = z.enum(lanes)
export type Lane = z.infer<typeof lane>

/**
 * Why a request waits. `service`: the service asked for a wait; `points`: the next rate window; `reserve`, `others`:
 * points that are reserved for the operator, or for other clients of the credential set; `ceiling`: the operator's
 * limit; `paused`: the operator paused background work; `turn`: its turn.
 */
export const waitWhys = ['service', 'points', 'reserve', 'others', 'ceiling', 'paused', 'turn'] as const
export type WaitWhy = (typeof waitWhys)[number]

const counted = z.object({ name: z.string(), lane, count: z.number() })

/** Points by lane. */
const byLane = z.object({ person: z.number(), reconcile: z.number(), visible: z.number(), background: z.number() })

/** The points that the operations of one document used, and their number. */
export const usedPoints = counted.extend({ points: z.number() })
export type UsedPoints = z.infer<typeof usedPoints>

/**
 * The points that a credential set used in one minute (`at`: its start): Muster's by lane, and those of other clients, at least.
 * `rejected`: operations that were rejected for lack of points; `lowest`: the lowest balance that the service reported, null where
 * it reported none.
 */
export const pointsMinute = z.object({
  at: z.number(),
  burned: byLane,
  others: z.number(),
  rejected: z.number(),
  lowest: z.number().nullable(),
})
export type PointsMinute = z.infer<typeof pointsMinute>

/**
 * The cost gauge of one credential set (service-spec.md, section 8). Costs are in points, times in ms since the epoch.
 */
export const gauge = z.object({
  /** Name of the connection or connections that use the credential set, and their ids. */
  name: z.string(),
  connections: z.array(z.string()),
  limit: z.number(),
  remaining: z.number(),
  /** When the balance resets, at the latest; null before the first answer. */
  resetAt: z.number().nullable(),
  /** The service's last own balance, its time, and the end of its rate window; left out before the first one. */
  reported: z.object({ remaining: z.number(), at: z.number(), resetAt: z.number() }).optional(),
  /** False before the service's first balance: then the numbers are Muster's guess. */
  known: z.boolean(),
  /** The source of the numbers: the answers' headers, `calculateQueryCost`, or Muster's guess. */
  basis: z.enum(['headers', 'field', 'guess']),
  /** Points that Muster used in this rate window, by lane. */
  burned: byLane,
  /** The same by operation, the most expensive first. */
  activities: z.array(usedPoints),
  /** Points that other clients of the credential set used in this rate window, at least. */
  others: z.number(),
  /**
   * Points that Muster's background work leaves: for the operator's actions, and (`forOthers` of them) for other
   * clients.
   */
  reserve: z.number(),
  forOthers: z.number(),
  /** The most points of a rate window that background work uses; null for all of them. */
  ceiling: z.number().nullable(),
  /** True when the operator has paused background work. */
  paused: z.boolean(),
  /** The last operations, newest first, at most 20. */
  recent: z.array(z.object({ name: z.string(), lane, cost: z.number(), at: z.number() })),
  /** Number of waiting requests. */
  waiting: z.number(),
  /** The same by operation and reason. `until`: when they are considered again; null when unknown. */
  waits: z.array(counted.extend({ why: z.enum(waitWhys), until: z.number().nullable() })),
  /**
   * The remaining cost of the running sync, the number of additional rate windows that it needs (0 for only this one),
   * and its end; null when none runs or nothing is known.
   */
  forecast: z.object({ points: z.number(), windows: z.number(), doneAt: z.number() }).nullable(),
  /** Operations that the service rejected for lack of points since Muster started. */
  rejections: z.object({ count: z.number(), at: z.number().nullable() }),
})
export type Gauge = z.infer<typeof gauge>

/** The estimated cost of an operation, in points. */
export const estimate = z.object({
  likely: z.number(),
  /** A bound that the cost is very likely, but not surely, below. */
  atMost: z.number(),
  /**
   * The basis: learned from charges for this very form, derived from the cost of others and the selected fields, or a
   * guess.
   */
  certainty: z.enum(['learned', 'derived', 'guess']),
  /** The maximum cost of one operation (service-spec.md, section 8). */
  limit: z.number(),
  /** True when the likely cost exceeds `limit`. */
  exceedsLimit: z.boolean(),
  /** When there are enough points for an action of the operator, in ms since the epoch; null for now. */
  waitsUntil: z.number().nullable(),
  /** Pages that would fit when the operation does not: their size, number and total cost, and `waitsUntil` of the first. */
  split: z
    .object({ pageSize: z.number(), requests: z.number(), points: z.number(), waitsUntil: z.number().nullable() })
    .nullable(),
})
export type Estimate = z.infer<typeof estimate>

/**
 * The cost of a sync. `known`: learned from the service's charges, not guessed. `points` are points, `ms` is a
 * duration.
 */
export const cost = z.object({
  points: z.number(),
  windows: z.number(),
  ms: z.number(),
  devices: z.number(),
  known: z.boolean(),
})
export type Cost = z.infer<typeof cost>

/** The cost of refreshing a place. */
export const refreshCost = z.object({
  /**
   * A full sync of the tenants that contain the place or lie in it, which also finds moved, added and removed devices.
   * `tenants`: their number.
   */
  full: cost.extend({ tenants: z.number() }),
  /**
   * The cost of reading only the status of the place's known devices by their ids; null where that is not offered, or
   * for too many devices.
   */
  status: cost.nullable(),
})
export type RefreshCost = z.infer<typeof refreshCost>

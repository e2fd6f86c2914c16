import { z } from 'zod'
import { checkNames } from './connection.ts'
import { suppression } from './incidents.ts'
import { nodeKind } from './inventory.ts'
import { reboots, where } from './messages.ts'

/*
 * The explanation of an incident and its notification as facts, each a kind and its parameters. The texts are made
 * where they are read (text/explanation.ts). Durations are in ms, times in ms since the epoch, shares from 0 to 1.
 */

const count = z.number()
const ms = z.number()

/** `larger`: it had more devices before it was split. `split`: it was notified as a part of another incident. */
const origins = [
  z.object({ kind: z.literal('larger'), peak: count, where }),
  z.object({ kind: z.literal('split'), where }),
] as const

/**
 * The thresholds of its alert, with its peak. `place`: name of its place, null for an unknown one. `total`: devices
 * known there, null for unknown. `others`: more that were down there at the peak. `wasLarger`: it has a reason `larger`.
 */
const extents = [
  z.object({ kind: z.literal('flapping'), transitions: count, periodMs: ms }),
  z.object({ kind: z.literal('device'), holdOffMs: ms }),
  z.object({ kind: z.literal('several'), peak: count, wasLarger: z.boolean(), holdOffMs: ms }),
  z.object({
    kind: z.literal('place'),
    place: z.string().nullable(),
    peak: count,
    total: count.nullable(),
    others: count,
    minDevices: count,
    minShare: z.number(),
    holdOffMs: ms,
  }),
] as const

/** Devices of it that a job rebooted and that were not back in their time. */
const causes = [z.object({ kind: z.literal('rebooted'), reboots })] as const

/**
 * `watched`: devices on the watch list make it critical. `spares`: devices with a tag of a spare do not count; `all`: of those that are down. `severity`: its extent makes it critical or major. `half`:
 * half of its place or more is down. `less`: less than half, or a room. `many`: ten devices or more. `place`: the kind
 * of its place, null without one.
 */
const severities = [
  z.object({ kind: z.literal('watched'), count }),
  z.object({ kind: z.literal('spares'), count, all: z.boolean() }),
  z.object({
    kind: z.literal('severity'),
    because: z.enum(['half', 'less', 'many', 'flapping']),
    place: nodeKind.nullable(),
    closed: z.boolean(),
  }),
] as const

/**
 * The shell in which Muster runs. `electron` notifies by desktop notifications and the tray, `web` by the browser's
 * notifications and the page title.
 */
export const shellKind = z.enum(['electron', 'web'])
export type ShellKind = z.infer<typeof shellKind>

/**
 * `delivery`: how it was notified; null where that is not stored. `as`: alone, or with other incidents.
 * `isDelivered`: whether the desktop notification was shown, null while that is not confirmed. `alerted`: the thresholds
 * of that time. `thresholdsPlace`: the place that set them, '' for the settings. `overrode`: the maintenance window that
 * the watch list overrode, '' for none. `afterReboot`: it was alerted when the time of a reboot was over.
 */
const notifications = [
  z.object({ kind: z.literal('not-notified') }),
  z.object({
    kind: z.literal('notified'),
    at: z.number(),
    delivery: z
      .object({
        as: z.enum(['alone', 'reminder', 'storm', 'absence', 'monitoring-restored', 'maintenance', 'pause']),
        shell: shellKind,
        isDelivered: z.boolean().nullable(),
      })
      .nullable(),
  }),
  z.object({
    kind: z.literal('alerted'),
    thresholds: z.union([
      z.object({ transitions: count, periodMs: ms }),
      z.object({ holdOffMs: ms, place: z.object({ minDevices: count, minShare: z.number() }).nullable() }),
    ]),
    thresholdsPlace: z.string(),
    watched: z.boolean(),
    overrode: z.string(),
    afterReboot: z.boolean().optional(),
  }),
  /** It began in a maintenance window, which suppressed it. */
  z.object({ kind: z.literal('in-maintenance'), window: z.string() }),
  /** Why it does not notify now. */
  z.object({ kind: z.literal('suppressed'), suppression }),
] as const

const failedCheck = z.object({ check: z.enum(checkNames), connection: z.string() })

/**
 * Muster's own checks of the connections that list an open incident. `first`: a check that failed, with its detail.
 * `more`: a few others, of `count` in all beside the first.
 */
const monitoring = [
  z.object({ kind: z.literal('no-connection') }),
  z.object({ kind: z.literal('monitoring-healthy') }),
  z.object({
    kind: z.literal('monitoring-doubt'),
    first: failedCheck.extend({ detail: z.string() }),
    more: z.array(failedCheck),
    count,
  }),
] as const

/** One fact of the explanation. An incident has at most one of each kind. */
export const explanation = z.discriminatedUnion('kind', [
  ...origins,
  ...extents,
  ...causes,
  ...severities,
  ...notifications,
  ...monitoring,
])
export type Explanation = z.infer<typeof explanation>
export type ExplanationOf<Kind extends Explanation['kind']> = Extract<Explanation, { kind: Kind }>

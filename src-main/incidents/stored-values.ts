import { z } from 'zod'
import { acknowledgement, severity, snooze } from '../../src-shared/model/incidents.ts'
import { nodeKind, notification } from '../../src-shared/model/inventory.ts'
import { message, where } from '../../src-shared/model/messages.ts'
import type { MaintenanceReport, MaintenanceRun } from './engine/maintenance-report.ts'
import type { Incident, NotificationRecord } from './engine/state.ts'

/*
 * The JSON that the journal keeps of incidents, notifications and maintenance runs. It has the names of the engine's
 * types.
 */

const place = z.object({ id: z.string(), kind: nodeKind, name: z.string(), placeless: z.boolean() })
const named = z.array(z.object({ key: z.string(), name: z.string() }))
const shape = z.enum(['device', 'node', 'several'])
const extent = z.object({
  shape,
  path: z.array(place),
  where,
  context: z.array(z.string()),
  named,
  since: z.number().nullable(),
  foundAt: z.number().nullable().catch(null),
  peak: z.number(),
  peakInPlace: z.number().catch(0),
  total: z.number().nullable(),
  severity,
  message,
})
const reason = z.object({
  at: z.number(),
  as: z.enum(['alone', 'reminder', 'storm', 'absence', 'monitoring-restored', 'maintenance', 'pause']),
  thresholds: z.object({
    holdOffMs: z.number(),
    minDevices: z.number(),
    minShare: z.number(),
    flapTransitions: z.number(),
    flapPeriodMs: z.number(),
  }),
  shape: shape.nullable().catch(null),
  thresholdsPlace: z.string(),
  watched: z.number(),
  overrode: z.string(),
  delivered: z.boolean().nullable(),
})
const storedIncident: z.ZodType<Incident> = z.object({
  id: z.string(),
  kind: z.enum(['outage', 'flapping']),
  shape,
  origin: z.enum(['now', 'absence']),
  path: z.array(place),
  where,
  context: z.array(z.string()),
  named,
  since: z.number().nullable(),
  foundAt: z.number().nullable().catch(null),
  openedAt: z.number(),
  grewAt: z.number(),
  changedAt: z.number(),
  closedAt: z.number().nullable(),
  lastRecovery: z.object({ from: z.number(), at: z.number() }).nullable().catch(null),
  down: z.number(),
  unseen: z.number(),
  peak: z.number(),
  othersDown: z.number().catch(0),
  peakInPlace: z.number().catch(0),
  total: z.number().nullable(),
  largest: extent.nullable().catch(null),
  watched: z.number(),
  severity,
  about: z.array(z.string()),
  acknowledged: acknowledgement.nullable(),
  snoozed: snooze.nullable(),
  renotify: z.boolean().catch(false),
  maintenance: z.object({ id: z.string(), name: z.string() }).nullable(),
  suppressedBy: z.string().catch(''),
  overrode: z.string().catch(''),
  muted: z.boolean(),
  splitFrom: z.object({ id: z.string(), where }).nullable().catch(null),
  notifiedAt: z.number().nullable(),
  recoveryNotifiedAt: z.number().nullable(),
  reason: reason.nullable().catch(null),
  recovered: z.array(z.string()),
  unreportedRecoveries: z.array(z.string()).catch([]),
  unlisted: z
    .object({ count: z.number(), named: z.array(z.string()), unreported: z.number() })
    .catch({ count: 0, named: [], unreported: 0 }),
  message,
  open: notification.shape.open,
})
const storedNotification: z.ZodType<Omit<NotificationRecord, 'about'>> = z.object({
  content: notification,
  // Older journals have none of these.
  incidentIds: z.array(z.string()).catch([]),
  digestKind: z.enum(['monitoring-lost', 'monitoring-restored', 'absence', 'storm', 'none']).catch('none'),
  firstAt: z.number().catch(0),
  isGrowing: z.boolean().catch(false),
  earlier: z.array(notification.pick({ at: true, message: true })).catch([]),
  times: z.int().catch(1),
})
const keys = z.array(z.string())
const storedRun: z.ZodType<MaintenanceRun> = z.object({
  id: z.string(),
  name: z.string(),
  node: z.string(),
  until: z.number(),
  endedAt: z.number().nullable(),
  keys,
  unseenDrops: z.object({ keys, from: z.number(), until: z.number(), settledAt: z.number() }).nullable().catch(null),
})
const storedReport = z.object({
  report: z.object({ id: z.string(), name: z.string(), at: z.number(), message, about: keys }),
})

/** Reads a stored incident. Returns null when the value is not one. */
export const readIncident = (value: unknown): Incident | null => storedIncident.safeParse(value).data ?? null

/** Reads a stored notification without the keys that it concerns. Returns null when the value is not one. */
export const readNotification = (value: unknown): Omit<NotificationRecord, 'about'> | null =>
  storedNotification.safeParse(value).data ?? null

/** Reads a stored maintenance run. Returns null when the value is not one. */
export const readRun = (value: unknown): MaintenanceRun | null => storedRun.safeParse(value).data ?? null

/** Reads a stored maintenance report. Returns null when the value is not one. Runs are stored in the same list. */
export const readReport = (value: unknown): MaintenanceReport | null =>
  storedReport.safeParse(value).data?.report ?? null

import { z } from 'zod'
import { notification } from '../../../src-shared/model/inventory.ts'
import { message } from '../../../src-shared/model/messages.ts'
import type { MaintenanceReport, MaintenanceRun } from '../engine/maintenance/report.ts'
import { incident, type Incident } from '../engine/incident.ts'
import type { NotificationRecord } from '../engine/state.ts'

/*
 * The JSON that the journal keeps of incidents, notifications and maintenance runs. It has the names of the engine's
 * types.
 */

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
export const readIncident = (value: unknown): Incident | null => incident.safeParse(value).data ?? null

/** Reads a stored notification without the keys that it concerns. Returns null when the value is not one. */
export const readNotification = (value: unknown): Omit<NotificationRecord, 'about'> | null =>
  storedNotification.safeParse(value).data ?? null

/** Reads a stored maintenance run. Returns null when the value is not one. */
export const readRun = (value: unknown): MaintenanceRun | null => storedRun.safeParse(value).data ?? null

/** Reads a stored maintenance report. Returns null when the value is not one. Runs are stored in the same list. */
export const readReport = (value: unknown): MaintenanceReport | null =>
  storedReport.safeParse(value).data?.report ?? null

import { z } from 'zod'
import type { Expected } from '../engine/drops/drop.ts'
import { incident, type Incident } from '../engine/incident.ts'
import {
  maintenanceReport,
  maintenanceRun,
  type MaintenanceReport,
  type MaintenanceRun,
} from '../engine/maintenance/report.ts'
import { notificationRecord, type NotificationRecord } from '../engine/notification-record.ts'

/* Readers of the JSON that the journal keeps of incidents, notifications and maintenance runs. */

const storedNotification = notificationRecord.omit({ about: true })
const storedReport = z.object({ report: maintenanceReport })

/** The reboot that explains a drop. */
const storedExpected = z.object({ job: z.string(), sentAt: z.number(), until: z.number() })

/** Reads the stored reboot that explains a drop. Returns null when the value is not one, as in older journals. */
export const readExpected = (value: unknown): Expected | null => storedExpected.safeParse(value).data ?? null

/** Reads a stored incident. Returns null when the value is not one. */
export const readIncident = (value: unknown): Incident | null => incident.safeParse(value).data ?? null

/** Reads a stored notification without the keys that it concerns. Returns null when the value is not one. */
export const readNotification = (value: unknown): Omit<NotificationRecord, 'about'> | null =>
  storedNotification.safeParse(value).data ?? null

/** Reads a stored maintenance run. Returns null when the value is not one. */
export const readRun = (value: unknown): MaintenanceRun | null => maintenanceRun.safeParse(value).data ?? null

/** Reads a stored maintenance report. Returns null when the value is not one. Runs are stored in the same list. */
export const readReport = (value: unknown): MaintenanceReport | null =>
  storedReport.safeParse(value).data?.report ?? null

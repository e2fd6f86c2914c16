import { z } from 'zod'
import { acknowledgement, severity, snooze } from '../../src-shared/model/incidents.ts'
import { nodeKind, told } from '../../src-shared/model/inventory.ts'
import type { MaintenanceReport, MaintenanceRun } from './engine/maintenance-report.ts'
import type { Extent, Incident, Notification, Reason } from './engine/state.ts'

/*
 * The JSON that the journal keeps of incidents, notifications and maintenance runs, in the names of journal version 6, and
 * its translation to the types of the engine in both directions. A property that is renamed in the engine keeps its stored
 * name here.
 */

const words = told
  .pick({ title: true, body: true, moments: true })
  .transform(({ moments, ...rest }) => ({ ...rest, moments: moments ?? [] }))
const place = z.object({ id: z.string(), kind: nodeKind, name: z.string(), placeless: z.boolean() })
const named = z.array(z.object({ key: z.string(), name: z.string() }))
const shape = z.enum(['device', 'node', 'several'])
const extent = z.object({
  shape,
  path: z.array(place),
  where: z.string(),
  context: z.string(),
  named,
  since: z.number().nullable(),
  foundAt: z.number().nullable().catch(null),
  peak: z.number(),
  most: z.number().catch(0),
  total: z.number().nullable(),
  severity,
  words,
})
const reason = z.object({
  at: z.number(),
  as: z.enum(['alone', 'again', 'storm', 'away', 'sighted', 'report', 'pause']),
  figures: z.object({
    holdOffMs: z.number(),
    least: z.number(),
    share: z.number(),
    flaps: z.number(),
    flapMs: z.number(),
  }),
  shape: shape.nullable().catch(null),
  laidFor: z.string(),
  marked: z.number(),
  through: z.string(),
  shown: z.boolean().nullable(),
})
const incidentSchema = z.object({
  id: z.string(),
  kind: z.enum(['outage', 'flapping']),
  shape,
  why: z.enum(['now', 'absence']),
  path: z.array(place),
  where: z.string(),
  context: z.string(),
  named,
  since: z.number().nullable(),
  foundAt: z.number().nullable().catch(null),
  openedAt: z.number(),
  grewAt: z.number(),
  changedAt: z.number(),
  closedAt: z.number().nullable(),
  lastBack: z.object({ from: z.number(), at: z.number() }).nullable().catch(null),
  down: z.number(),
  unseen: z.number(),
  peak: z.number(),
  also: z.number().catch(0),
  most: z.number().catch(0),
  total: z.number().nullable(),
  largest: extent.nullable().catch(null),
  marked: z.number(),
  severity,
  about: z.array(z.string()),
  acknowledged: acknowledgement.nullable(),
  snoozed: snooze.nullable(),
  again: z.boolean().catch(false),
  quiet: z.object({ id: z.string(), name: z.string() }).nullable(),
  keptIn: z.string().catch(''),
  through: z.string().catch(''),
  mute: z.boolean(),
  parted: z.object({ id: z.string(), where: z.string() }).nullable().catch(null),
  toldAt: z.number().nullable(),
  backToldAt: z.number().nullable(),
  telling: reason.nullable().catch(null),
  backs: z.array(z.string()),
  unsaid: z.array(z.string()).catch([]),
  unlisted: z
    .object({ count: z.number(), named: z.array(z.string()), untold: z.number() })
    .catch({ count: 0, named: [], untold: 0 }),
  words,
  open: told.shape.open,
})
const notificationSchema = z.object({
  told,
  // What was kept before incidents were has none of these, and an object where `open` is.
  of: z.array(z.string()).catch([]),
  lead: z.enum(['blind', 'sighted', 'away', 'storm', 'none']).catch('none'),
  firstAt: z.number().catch(0),
  open: z.boolean().catch(false),
  earlier: z.array(told.pick({ at: true, title: true, body: true, moments: true })).catch([]),
  times: z.int().catch(1),
})
const keys = z.array(z.string())
const runSchema = z.object({
  id: z.string(),
  name: z.string(),
  node: z.string(),
  until: z.number(),
  overAt: z.number().nullable(),
  keys,
  hidden: z.object({ keys, from: z.number(), until: z.number(), sureAt: z.number() }).nullable().catch(null),
})
const reportSchema = z.object({
  report: z.object({ id: z.string(), name: z.string(), at: z.number(), words, about: keys }),
})

/** The names that a stored object has; the translation may leave none out. */
type Stored<T> = Record<keyof T, unknown>

const incidentFromStored = incidentSchema.transform((stored): Incident => {
  const { why, lastBack, also, most, again, quiet, keptIn, through, parted, mute, ...first } = stored
  const { toldAt, backToldAt, telling, backs, unsaid, words: message, unlisted, largest, ...same } = first
  const { untold, ...listed } = unlisted
  return {
    ...same,
    origin: why,
    lastRecovery: lastBack,
    othersDown: also,
    peakInPlace: most,
    renotify: again,
    maintenance: quiet,
    suppressedBy: keptIn,
    overrode: through,
    splitFrom: parted,
    muted: mute,
    notifiedAt: toldAt,
    recoveryNotifiedAt: backToldAt,
    reason: telling === null ? null : reasonFromStored(telling),
    recovered: backs,
    unreportedRecoveries: unsaid,
    message,
    unlisted: { ...listed, unreported: untold },
    largest: largest === null ? null : extentFromStored(largest),
  }
})

function extentFromStored({ most, words: message, ...same }: z.output<typeof extent>): Extent {
  return { ...same, peakInPlace: most, message }
}

function reasonFromStored({ figures, laidFor, through, shown, ...same }: z.output<typeof reason>): Reason {
  const { least, share, flaps, flapMs, holdOffMs } = figures
  return {
    ...same,
    thresholds: { holdOffMs, minDevices: least, minShare: share, flapTransitions: flaps, flapPeriodMs: flapMs },
    thresholdsPlace: laidFor,
    overrode: through,
    delivered: shown,
  }
}

/** Reads a stored incident. Returns null when the value is not one. */
export const readIncident = (value: unknown): Incident | null => incidentFromStored.safeParse(value).data ?? null

/** Writes an incident under its stored names. */
export function incidentValue(incident: Incident): Stored<z.output<typeof incidentSchema>> {
  const { origin, lastRecovery, othersDown, peakInPlace, renotify, maintenance, suppressedBy, ...first } = incident
  const { overrode, splitFrom, muted, notifiedAt, recoveryNotifiedAt, reason: last, recovered, ...second } = first
  const { unreportedRecoveries, message, unlisted, largest, ...same } = second
  const { unreported, ...listed } = unlisted
  return {
    ...same,
    why: origin,
    lastBack: lastRecovery,
    also: othersDown,
    most: peakInPlace,
    again: renotify,
    quiet: maintenance,
    keptIn: suppressedBy,
    through: overrode,
    parted: splitFrom,
    mute: muted,
    toldAt: notifiedAt,
    backToldAt: recoveryNotifiedAt,
    telling: last === null ? null : reasonValue(last),
    backs: recovered,
    unsaid: unreportedRecoveries,
    words: message,
    unlisted: { ...listed, untold: unreported },
    largest: largest === null ? null : extentValue(largest),
  }
}

function extentValue({ peakInPlace, message, ...same }: Extent): Stored<z.output<typeof extent>> {
  return { ...same, most: peakInPlace, words: message }
}

function reasonValue({
  thresholds: { holdOffMs, minDevices, minShare, flapTransitions, flapPeriodMs },
  thresholdsPlace,
  overrode,
  delivered,
  ...same
}: Reason): Stored<z.output<typeof reason>> {
  return {
    ...same,
    figures: { holdOffMs, least: minDevices, share: minShare, flaps: flapTransitions, flapMs: flapPeriodMs },
    laidFor: thresholdsPlace,
    through: overrode,
    shown: delivered,
  }
}

/** Reads a stored notification without the keys that it is about. Returns null when the value is not one. */
export function readNotification(value: unknown): Omit<Notification, 'about'> | null {
  const { data } = notificationSchema.safeParse(value)
  if (data === undefined) return null
  const { told: content, of: incidentIds, lead: digestKind, open: isGrowing, ...same } = data
  return { ...same, content, incidentIds, digestKind, isGrowing }
}

/** Writes a notification under its stored names. */
export function notificationValue({
  content,
  incidentIds,
  digestKind,
  isGrowing,
  ...same
}: Omit<Notification, 'about'>): Stored<z.output<typeof notificationSchema>> {
  return { ...same, told: content, of: incidentIds, lead: digestKind, open: isGrowing }
}

/** Reads a stored maintenance run. Returns null when the value is not one. */
export function readRun(value: unknown): MaintenanceRun | null {
  const { data } = runSchema.safeParse(value)
  if (data === undefined) return null
  const { overAt: endedAt, hidden, ...same } = data
  if (hidden === null) return { ...same, endedAt, unseenDrops: null }
  const { sureAt: settledAt, ...drops } = hidden
  return { ...same, endedAt, unseenDrops: { ...drops, settledAt } }
}

/** Writes a maintenance run under its stored names. */
export function runValue({ endedAt, unseenDrops, ...same }: MaintenanceRun): Stored<z.output<typeof runSchema>> {
  if (unseenDrops === null) return { ...same, overAt: endedAt, hidden: null }
  const { settledAt, ...drops } = unseenDrops
  return { ...same, overAt: endedAt, hidden: { ...drops, sureAt: settledAt } }
}

/** Reads a stored maintenance report. Returns null when the value is not one. Reports and runs share one stored list. */
export function readReport(value: unknown): MaintenanceReport | null {
  const { data } = reportSchema.safeParse(value)
  if (data === undefined) return null
  const { words: message, ...same } = data.report
  return { ...same, message }
}

/** Writes a maintenance report under its stored names. */
export function reportValue({ message, ...same }: MaintenanceReport): Stored<z.output<typeof reportSchema>> {
  return { report: { ...same, words: message } }
}

import { z } from 'zod'
import { incidentThresholds } from './thresholds.ts'
import { nodeKind, notification } from './inventory.ts'
import { eventDetail, message } from './messages.ts'
import { maintenanceWindow } from '../maintenance/maintenance.ts'

/**
 * What the operator is told about, as the window knows it (design, section 8). Times are ms since the epoch. An incident
 * forms and closes whether or not anybody is told of it; `silent` says why it is not.
 */

/**
 * By what is down now; of a closed one, when it was at its largest. `critical`: something on the watch list is in it, or half of a
 * site, tenant or region or more. `major`: a room, a lesser part of a place that is one incident by figures of its own, ten devices
 * or more without a common site. `minor`: the rest.
 */
export const severity = z.enum(['critical', 'major', 'minor'])
export type Severity = z.infer<typeof severity>

/** Said by the operator of an incident; the reason is theirs. */
export const acknowledgement = z.object({ at: z.number(), reason: z.string() })
/** Not told until then; `until` null: until it recovers. */
export const snooze = z.object({ at: z.number(), until: z.number().nullable() })

/**
 * Why it is not told now. `maintenance`: it began in a maintenance window (`name`). `absence`: it was found after an absence, and is told with
 * the rest of it. `setting`: the operator does not want such things told.
 */
export const suppression = z.object({
  why: z.enum(['acknowledged', 'snoozed', 'maintenance', 'paused', 'setting', 'absence']),
  until: z.number().nullable(),
  name: z.string(),
})
export type Suppression = z.infer<typeof suppression>

export const incident = z.object({
  id: z.string(),
  /** `flapping`: devices that come and go, 5 transitions in 30 minutes unless set otherwise. */
  kind: z.enum(['outage', 'flapping']),
  /** `device`: one alone. `node`: one place explains them. `several`: devices of one tenant without a common site. */
  shape: z.enum(['device', 'node', 'several']),
  severity,
  message,
  /** Names of the places that hold all of it, the deepest first; empty for the whole estate. */
  places: z.array(z.object({ id: z.string(), kind: nodeKind, name: z.string() })),
  /** When the first of it that is down dropped; null when nobody saw it. `openedAt`: when Muster was sure. */
  since: z.number().nullable(),
  /** By when the first of it was found to be down: `since` where that was seen. */
  foundAt: z.number(),
  openedAt: z.number(),
  changedAt: z.number(),
  closedAt: z.number().nullable(),
  /** Begin of the span in which the last of it came back, which ends with `closedAt`; null when that was seen, and while it is open. */
  closedNotBefore: z.number().nullable(),
  /**
   * `down`: how many of it are, the one count of title, list and detail; `peak`: most of them at a time. `others`: more that are down
   * in its place and that it does not tell of. `unseen`: down when they were last seen, and not seen now. `total`: known in its place; null where no place explains it.
   */
  devices: z.object({
    down: z.number(),
    others: z.number(),
    unseen: z.number(),
    peak: z.number(),
    total: z.number().nullable(),
  }),
  /** How many of it the service lists no longer, so that nobody knows whether they are back; left out for none. */
  unlisted: z.number().optional(),
  /** How many of it are on the watch list. */
  watched: z.number(),
  acknowledged: acknowledgement.nullable(),
  snoozed: snooze.nullable(),
  suppressed: suppression.nullable(),
  /** When it was last told; null when it never was. */
  notifiedAt: z.number().nullable(),
  /** Incidents of the same place or device that began in the last 30 days, this one among them; null where no place explains it. */
  recurrence: z.number().nullable(),
  /** What shows its devices in the inventory. */
  open: notification.shape.open,
})
export type Incident = z.infer<typeof incident>

export const incidentMember = z.object({
  key: z.string(),
  name: z.string(),
  at: z.number(),
  /** Begin of the honest span in which it dropped; null when that was seen. */
  notBefore: z.number().nullable(),
  /** When it came back, or left this incident. */
  recoveredAt: z.number().nullable(),
  /** Begin of the honest span in which it came back; null when that was seen, or it left. */
  recoveredNotBefore: z.number().nullable(),
  /** The service lists it no longer: it left for that at `recoveredAt`, and did not come back. */
  unlisted: z.boolean().optional(),
  /** Names of its tenant, '' where that is not known any more, and of its site. */
  tenant: z.string(),
  site: z.string().nullable(),
})
export type IncidentMember = z.infer<typeof incidentMember>

/**
 * A device that was offline before Muster first saw it: no incident is made of that. `lastDetected`: the service's word. `spare`: on
 * the shelf, by the operator's settings (`spareModels`, `spareDays`).
 */
export const longStanding = z.object({
  key: z.string(),
  name: z.string(),
  hardwareModel: z.string(),
  tenant: z.string(),
  site: z.string().nullable(),
  room: z.string().nullable(),
  lastDetected: z.number().nullable(),
  spare: z.boolean(),
})
export type LongStanding = z.infer<typeof longStanding>

/** A line of an incident's history. */
export const incidentEvent = z.object({
  at: z.number(),
  what: z.enum([
    'opened',
    'grew',
    'moved',
    'maintenance',
    'notified',
    'recovered',
    'unlisted',
    'acknowledged',
    'snoozed',
    'unacknowledged',
    'joined',
    'closed',
  ]),
  detail: eventDetail,
})
export type IncidentEvent = z.infer<typeof incidentEvent>

/** What stands open, for the rail, the tray, the title; a new one comes with each change. */
export const incidentSummary = z.object({
  rev: z.number(),
  /** Open and neither acknowledged nor silent. */
  open: z.object({ critical: z.number(), major: z.number(), minor: z.number() }),
  acknowledged: z.number(),
  /** Snoozed, and not acknowledged. */
  snoozed: z.number(),
  /** Open, and not told for another reason. */
  suppressed: z.number(),
  /** Tenants that Muster does not see. */
  monitoringLost: z.number(),
  /** The worst open ones that are not silent, at most 8. */
  worst: z.array(incident),
})
export type IncidentSummary = z.infer<typeof incidentSummary>

/** When Muster tells, for what lies below a node; a figure that is missing is inherited from above, at the top from the settings. */
export const nodeThresholds = z.object(incidentThresholds).partial()
export type NodeThresholds = z.infer<typeof nodeThresholds>

/**
 * A part of an availability strip, in ms: connected, disconnected, not seen, and (`reported`) offline before Muster watched, as the
 * service reports. Together they are the part's length, times the devices.
 */
export const stripPart = z.object({ up: z.number(), down: z.number(), reported: z.number(), unseen: z.number() })
export type StripPart = z.infer<typeof stripPart>

/** What the operator has laid down beside the settings. `zone`: by which a window holds; `inheritedFrom`: the node that set it, null for its own or this computer's. */
export const policies = z.object({
  /** The zone of this computer. */
  ownZone: z.string(),
  windows: z.array(z.object({ window: maintenanceWindow, zone: z.string(), inheritedFrom: z.string().nullable() })),
  zones: z.array(z.object({ node: z.string(), nodeName: z.string(), zone: z.string() })),
  thresholds: z.array(z.object({ node: z.string(), nodeName: z.string(), thresholds: nodeThresholds })),
})
export type Policies = z.infer<typeof policies>

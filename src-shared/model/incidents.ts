import { z } from 'zod'
import { incidentThresholds } from './thresholds.ts'
import { nodeKind, notification } from './inventory.ts'
import { eventDetail, message } from './messages.ts'
import { maintenanceWindow } from '../maintenance/maintenance.ts'

/**
 * Incidents as the window knows them (design, section 8). Times are in ms since the epoch. An incident opens and closes
 * whether or not it is notified; `suppressed` says why it is not.
 */

/**
 * The severity by the present extent; of a closed incident, by the largest one. `critical`: it includes something on
 * the watch list, or half or more of a site, tenant or region. `major`: a room, a smaller part of a place that is one
 * incident by its own thresholds, or ten or more devices without a common site. `minor`: the rest.
 */
export const severity = z.enum(['critical', 'major', 'minor'])
export type Severity = z.infer<typeof severity>

/** The operator of a team's member who did something; left out for a Muster on its own. */
const by = z.string().optional()
/** An operator's acknowledgement with its reason. */
export const acknowledgement = z.object({ at: z.number(), reason: z.string(), by })
/** A snooze until a time, or with null until the incident recovers. */
export const snooze = z.object({ at: z.number(), until: z.number().nullable(), by })
/** The operator of a team's member who takes care of an incident, and the one who assigned it. Both names are as the team knows them. */
export const assignment = z.object({ at: z.number(), to: z.string().max(200), by: z.string().max(200) })
export type Assignment = z.infer<typeof assignment>

/**
 * Why an incident does not notify now. `maintenance`: it began in a maintenance window (`name`). `absence`: it was
 * found after an absence and is notified with the rest of it. `setting`: such notifications are off.
 */
export const suppression = z.object({
  why: z.enum(['acknowledged', 'snoozed', 'maintenance', 'paused', 'setting', 'absence']),
  until: z.number().nullable(),
  name: z.string(),
})
export type Suppression = z.infer<typeof suppression>

/**
 * A delay that runs, until that moment (ms). `alert`: the device is down, and in an incident then; `recovery`: it is back, and recovered
 * then. `reboot`: it is down in the time of a reboot.
 */
export const delay = z.object({
  key: z.string(),
  until: z.number(),
  of: z.enum(['alert', 'recovery', 'reboot']),
})
export type Delay = z.infer<typeof delay>

export const incident = z.object({
  id: z.string(),
  /** `flapping`: devices that change often, by default 5 transitions in 30 minutes. */
  kind: z.enum(['outage', 'flapping']),
  /**
   * `device`: a single one. `node`: one place explains all of them. `several`: devices of one tenant without a common
   * site.
   */
  shape: z.enum(['device', 'node', 'several']),
  severity,
  message,
  /** The places that contain all of it, the deepest first; empty for the whole fleet. */
  places: z.array(z.object({ id: z.string(), kind: nodeKind, name: z.string() })),
  /**
   * When the first of its devices that are down dropped; null when nobody saw it. `openedAt`: when the hold-off was
   * over.
   */
  since: z.number().nullable(),
  /** When the first of its devices was found to be down; equal to `since` when the drop was observed. */
  foundAt: z.number(),
  openedAt: z.number(),
  changedAt: z.number(),
  closedAt: z.number().nullable(),
  /**
   * Start of the span of the last recovery, which ends at `closedAt`; null when it was observed, and while the incident
   * is open.
   */
  closedNotBefore: z.number().nullable(),
  /**
   * Numbers of devices. `down`: down now, the number that title, list and detail show. `peak`: the most at the same
   * time. `others`: also down in its place, but not in it. `unseen`: down when last seen, and not visible now. `total`:
   * all in its place; null without a place.
   */
  devices: z.object({
    down: z.number(),
    others: z.number(),
    unseen: z.number(),
    peak: z.number(),
    total: z.number().nullable(),
  }),
  /** Number of its devices that the service no longer lists, so that their recovery is unknown; left out for none. */
  unlisted: z.number().optional(),
  /** Number of its devices on the watch list. */
  watched: z.number(),
  acknowledged: acknowledgement.nullable(),
  snoozed: snooze.nullable(),
  /** Null also for a Muster on its own, which has nobody to assign it to. */
  assigned: assignment.nullable(),
  suppressed: suppression.nullable(),
  /** When it was last notified; null when it never was. */
  notifiedAt: z.number().nullable(),
  /**
   * Number of incidents of the same place or device in the last 30 days, this one included; null without a common
   * place.
   */
  recurrence: z.number().nullable(),
  /** The target that shows its devices in the inventory. */
  open: notification.shape.open,
})
export type Incident = z.infer<typeof incident>

export const incidentMember = z.object({
  key: z.string(),
  name: z.string(),
  at: z.number(),
  /** Start of the span in which it dropped; null when the drop was observed. */
  notBefore: z.number().nullable(),
  /** When it recovered or left this incident. */
  recoveredAt: z.number().nullable(),
  /** Start of the span in which it recovered; null when the recovery was observed, or it left. */
  recoveredNotBefore: z.number().nullable(),
  /** The service no longer lists it: it left at `recoveredAt` and did not recover. */
  unlisted: z.boolean().optional(),
  /** Name of its tenant, '' when unknown, and of its site. `account`: only where its tenant has several. */
  tenant: z.string(),
  account: z.string().optional(),
  site: z.string().nullable(),
})
export type IncidentMember = z.infer<typeof incidentMember>

/**
 * A device that was offline before Muster first saw it, and so is in no incident. `lastDetected` is the service's
 * value. `account`: only where its tenant has several. `spare`: a spare by the operator's settings (`spareModels`,
 * `spareDays`).
 */
export const longStanding = z.object({
  key: z.string(),
  name: z.string(),
  hardwareModel: z.string(),
  tenant: z.string(),
  account: z.string().optional(),
  site: z.string().nullable(),
  room: z.string().nullable(),
  lastDetected: z.number().nullable(),
  spare: z.boolean(),
})
export type LongStanding = z.infer<typeof longStanding>

/** An entry of an incident's history. */
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
    'assigned',
    'unassigned',
    'joined',
    'closed',
  ]),
  detail: eventDetail,
})
export type IncidentEvent = z.infer<typeof incidentEvent>

/** What operators did about an open incident. */
export const incidentMarks = incident.pick({ id: true, acknowledged: true, snoozed: true, assigned: true })
export type IncidentMarks = z.infer<typeof incidentMarks>

/** The open incidents, for the rail, the tray and the title. The core sends a new summary with each change. */
export const incidentSummary = z.object({
  rev: z.number(),
  /** Open and neither acknowledged, snoozed nor suppressed. */
  open: z.object({ critical: z.number(), major: z.number(), minor: z.number() }),
  acknowledged: z.number(),
  /** Snoozed, and not acknowledged. */
  snoozed: z.number(),
  /** Open and suppressed for another reason. */
  suppressed: z.number(),
  /** Number of tenants that Muster does not see. */
  monitoringLost: z.number(),
  /** The worst open incidents that are not suppressed, at most 8. */
  worst: z.array(incident),
})
export type IncidentSummary = z.infer<typeof incidentSummary>

/**
 * Thresholds for everything below a node. A missing one is inherited from the node above, and at the top from the
 * settings.
 */
export const nodeThresholds = z.object(incidentThresholds).partial()
export type NodeThresholds = z.infer<typeof nodeThresholds>

/**
 * A part of an availability strip, in ms: connected, disconnected, not visible, and (`reported`) offline before Muster
 * first saw the device, according to the service. Their sum is the part's length times the number of devices.
 */
export const stripPart = z.object({ up: z.number(), down: z.number(), reported: z.number(), unseen: z.number() })
export type StripPart = z.infer<typeof stripPart>

/**
 * A node with a policy that the fleet lists now. `account`: the node of the account of a site or room, also where the
 * tree leaves its level out because it is the tenant's only one; null where none is known, and for every other node.
 */
export const policyPlace = z.object({ node: z.string(), account: z.string().nullable() })
export type PolicyPlace = z.infer<typeof policyPlace>

/**
 * The operator's policies beside the settings. `zone`: the zone of a window; `inheritedFrom`: the node that set it, or
 * null for the window's own or this computer's zone. `places`: a node with a policy that is not among them is not listed
 * now, and its policies apply again when it is.
 */
export const policies = z.object({
  /** The zone of this computer. */
  ownZone: z.string(),
  windows: z.array(z.object({ window: maintenanceWindow, zone: z.string(), inheritedFrom: z.string().nullable() })),
  zones: z.array(z.object({ node: z.string(), nodeName: z.string(), zone: z.string() })),
  thresholds: z.array(z.object({ node: z.string(), nodeName: z.string(), thresholds: nodeThresholds })),
  places: z.array(policyPlace),
})
export type Policies = z.infer<typeof policies>

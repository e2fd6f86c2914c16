import { z } from 'zod'
import { acknowledgement, assignment, severity, snooze } from '../../../src-shared/model/incidents.ts'
import { nodeKind, notification } from '../../../src-shared/model/inventory.ts'
import { message, noMessage, reboots, where } from '../../../src-shared/model/messages.ts'

/*
 * An incident as the engine computes it and the journal stores it. Times are in ms, keys are device keys
 * (inventory/keys.ts). Older journals lack the fields with `catch`.
 */

const time = z.number().nullable()
const keys = z.array(z.string()).readonly()

const place = z.object({
  id: z.string(),
  kind: nodeKind,
  name: z.string(),
  placeless: z.boolean(),
  /** The node of a site's account, where the tree left its level out (thread/protocol.ts, `PlaceNode`). */
  onlyAccount: z.string().optional(),
})
export type Place = z.infer<typeof place>

/** The places of an incident. */
const scope = z.object({
  /** `node`: one place explains all of it. `device`: a single device. `several`: devices without a common place. */
  shape: z.enum(['device', 'node', 'several']),
  /** Places that contain all of it, the deepest first; empty for the whole fleet. */
  path: z.array(place).readonly(),
  /** The location that its message gives. `context`: names of the places above that, the deepest first. */
  where,
  context: z.array(z.string()).readonly(),
})

/** The devices of an incident, now and at its peak. */
const extent = z.object({
  /** A few of its devices, the latest first. */
  named: z.array(z.object({ key: z.string(), name: z.string() })).readonly(),
  /** When the first of its devices that are down dropped; null when nobody saw that. */
  since: time,
  /** When that device was found to be down, even if nobody saw the drop; null for older journals. */
  foundAt: time.catch(null),
  down: z.number(),
  /** Number of devices that were down when last seen and are not visible now. */
  unseen: z.number(),
  /**
   * Number of devices that are down in its place now but not in it: they were down before Muster first saw them, or are
   * in other incidents.
   */
  othersDown: z.number().catch(0),
  /** Number of devices in its place; null without a common place. */
  total: time,
  /** Number of its devices on the watch list. */
  watched: z.number(),
  /** Number of its devices that are down and spares by a tag; left out for none. */
  spares: z.number().optional().catch(undefined),
  /** The most devices of it that were down at the same time. */
  peak: z.number(),
  /** The most devices that were down in its place at the same time, these included. */
  peakInPlace: z.number().catch(0),
  /** Reboots after which devices of it that are down were not back in their time; left out for none. */
  reboots: reboots.optional().catch(undefined),
})

/** An incident as it was when it was largest. It may have split into smaller places since. */
const largest = z.object({
  scope,
  extent: extent.pick({
    named: true,
    since: true,
    foundAt: true,
    total: true,
    peak: true,
    peakInPlace: true,
    reboots: true,
  }),
  severity,
  message,
})
export type Largest = z.infer<typeof largest>

const unlisted = z.object({ count: z.number(), named: z.array(z.string()).readonly(), unreported: z.number() })
export type UnlistedDevices = z.infer<typeof unlisted>
export const noUnlisted: UnlistedDevices = { count: 0, named: [], unreported: 0 }

/** The devices that recovered or left an incident. */
const recovery = z.object({
  /**
   * The last recovery lies between these moments, which are equal when it was observed; null when there is none, or for
   * older journals.
   */
  last: z.object({ from: z.number(), at: z.number() }).nullable().catch(null),
  /** Keys of its devices that recovered, as far as is known. */
  recovered: keys,
  /**
   * Keys of those that recovered without a notification while it was acknowledged or snoozed. Its next recovery
   * notification includes them.
   */
  unreported: keys.catch([]),
  /**
   * Its devices that the service no longer lists, so their recovery is unknown. `named`: a few of them, the latest
   * first. `unreported`: how many of them were notified as down, but not yet as no longer listed.
   */
  unlisted: unlisted.catch(noUnlisted),
})

/** What an operator did about an incident. */
const operator = z.object({
  acknowledged: acknowledgement.nullable(),
  snoozed: snooze.nullable(),
  /** Null for older journals. */
  assigned: assignment.nullable().catch(null),
})
export const noOperator: z.infer<typeof operator> = { acknowledged: null, snoozed: null, assigned: null }

/** Why, when and how an incident was notified, by the thresholds of that time. */
const reason = z.object({
  at: z.number(),
  /**
   * `reminder`: after a snooze. `storm`, `absence`, `monitoring-restored`, `maintenance`, `pause`: with other incidents
   * (notify.ts).
   */
  as: z.enum(['alone', 'reminder', 'storm', 'absence', 'monitoring-restored', 'maintenance', 'pause']),
  /** As in `PlaceThresholds` (rules.ts). */
  thresholds: z.object({
    holdOffMs: z.number(),
    minDevices: z.number(),
    minShare: z.number(),
    flapTransitions: z.number(),
    flapPeriodMs: z.number(),
  }),
  /** Its shape at that time; null for older journals. */
  shape: scope.shape.shape.nullable().catch(null),
  /** Name of the place whose thresholds they are; '' for those of the settings. */
  thresholdsPlace: z.string(),
  /**
   * Number of its devices on the watch list, and the name of the maintenance window that they overrode; '' for none.
   */
  watched: z.number(),
  overrode: z.string(),
  /** All of its devices were rebooted by a job and not back in their time. Older journals have none. */
  afterReboot: z.boolean().optional(),
  /** True when the desktop notification was shown; null while unconfirmed. */
  delivered: z.boolean().nullable(),
})
export type Reason = z.infer<typeof reason>

/** What of an incident was notified or suppressed, and why. */
const delivery = z.object({
  /** When it was last notified, and when its recoveries were; null when nothing was. */
  notifiedAt: time,
  recoveryNotifiedAt: time,
  /** The reason of its last notification; null when there was none, or for older journals. */
  reason: reason.nullable().catch(null),
  /** Its snooze is over, and it is to be notified again. */
  renotify: z.boolean().catch(false),
  /** Notifications of outages were off when it began, so it never notifies. */
  muted: z.boolean(),
  /** The run of a maintenance window that it belongs to, until that run is over. */
  maintenance: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Name of the maintenance window that suppressed it last, kept after that window's end; '' for none. */
  suppressedBy: z.string().catch(''),
  /** Name of the maintenance window that it overrode, because all its devices are on the watch list; '' for none. */
  overrode: z.string().catch(''),
})

export const incident = z.object({
  id: z.string(),
  kind: z.enum(['outage', 'flapping']),
  /** `absence`: found down after Muster had lost visibility. */
  origin: z.enum(['now', 'absence']),
  /**
   * Id and location of the incident that it was split from, with which it was notified; null for an incident that began
   * by itself.
   */
  splitFrom: z.object({ id: z.string(), where }).nullable().catch(null),
  /** Keys of the tenants that it concerns, each with a `/` at its end. */
  about: keys,
  openedAt: z.number(),
  /** When a device last joined it. */
  grewAt: z.number(),
  changedAt: z.number(),
  closedAt: time,
  severity,
  message,
  /** The target of a click on it. */
  open: notification.shape.open,
  scope,
  extent,
  largest: largest.nullable().catch(null),
  recovery,
  operator,
  delivery,
})
export type Incident = z.infer<typeof incident>

/** Returns an incident without devices that begins at this time. `refresh.ts` computes it from its devices. */
export const emptyIncident = (id: string, at: number): Incident => ({
  id,
  kind: 'outage',
  origin: 'now',
  splitFrom: null,
  about: [],
  openedAt: at,
  grewAt: at,
  changedAt: at,
  closedAt: null,
  severity: 'minor',
  message: noMessage,
  open: { scope: 'all', filter: '', device: null, incident: null },
  scope: { shape: 'device', path: [], where: { kind: 'none' }, context: [] },
  extent: {
    named: [],
    since: null,
    foundAt: null,
    down: 0,
    unseen: 0,
    othersDown: 0,
    total: null,
    watched: 0,
    peak: 0,
    peakInPlace: 0,
  },
  largest: null,
  recovery: { last: null, recovered: [], unreported: [], unlisted: noUnlisted },
  operator: noOperator,
  delivery: {
    notifiedAt: null,
    recoveryNotifiedAt: null,
    reason: null,
    renotify: false,
    muted: false,
    maintenance: null,
    suppressedBy: '',
    overrode: '',
  },
})

/** Returns an incident with other values of some fields of one group. */
export const updated = <G extends 'scope' | 'extent' | 'recovery' | 'operator' | 'delivery'>(
  one: Incident,
  group: G,
  change: Partial<Incident[G]>,
): Incident => ({ ...one, [group]: { ...one[group], ...change } })

import type { StoredTransition } from '../../storage/journal/alerts.ts'
import type { DeviceLocations } from '../../inventory/thread/protocol.ts'
import type { NodeKind, Notifications, Notification } from '../../../src-shared/model/inventory.ts'
import type { Severity } from '../../../src-shared/model/incidents.ts'
import type { Drop } from './drop.ts'
import type { PlaceThresholds } from './rules.ts'
import type { MaintenanceRun, MaintenanceReport } from './maintenance-report.ts'
import type { EventDetail, Message, Where } from '../../../src-shared/model/messages.ts'

/**
 * What is known of incidents and notifications at a moment; a step makes the next one of it and changes nothing. All times in
 * ms. Incidents form and close by themselves; what is told of them is a matter of its own (notify.ts).
 */
export interface State {
  /** Devices that are down or flap, by key: suspects until they are in an incident, then members until their recovery was notified. */
  drops: ReadonlyMap<string, Drop>
  /** When each device changed lately, oldest first. */
  flaps: ReadonlyMap<string, Flaps>
  /** Those that are open, and closed ones of which something is still to be notified. */
  incidents: ReadonlyMap<string, Incident>
  notifications: ReadonlyMap<string, NotificationRecord>
  /** Tenants that Muster cannot see, or sees again without having said so, by key. */
  monitoringLost: ReadonlyMap<string, MonitoringLoss>
  /** When the visibility of each tenant was last found lost, notified or not. Not kept over a restart, which is an absence itself. */
  lastLostAt: ReadonlyMap<string, number>
  /** Maintenance windows that hold something, by their id. */
  maintenanceRuns: ReadonlyMap<string, MaintenanceRun>
  /** What was told at the end of maintenance windows, the latest last; as much of it as a handover may ask for (`keptReports`). */
  maintenanceReports: readonly MaintenanceReport[]
  pause: { since: number; until: number } | null
  /** When a notification that was deferred is due; null when none waits. Not kept over a restart. */
  deferredUntil: number | null
}

export interface Flaps {
  times: readonly number[]
  /** The thresholds of its place; null while they are not known. */
  thresholds: PlaceThresholds | null
}

export interface Place {
  id: string
  kind: NodeKind
  name: string
  placeless: boolean
}

export interface Incident {
  id: string
  kind: 'outage' | 'flapping'
  /** `node`: what is down is explained by one place. `device`: one alone. `several`: what no place explains. */
  shape: 'device' | 'node' | 'several'
  /** `absence`: found down when Muster saw again. */
  origin: 'now' | 'absence'
  /** Places that hold all of it, the deepest first; none for the whole fleet. */
  path: readonly Place[]
  /** What its message says of where it is; `context`: names of what is above that, the deepest first. */
  where: Where
  context: readonly string[]
  /** A few of its devices, the latest first. */
  named: readonly { key: string; name: string }[]
  since: number | null
  /** By when the first of it that is down was found to be, also where nobody saw when it dropped; null before that was kept. */
  foundAt: number | null
  openedAt: number
  /** When something joined it last. */
  grewAt: number
  changedAt: number
  closedAt: number | null
  /** Between these moments the last one that is back came back, one moment where that was seen; null while none is, or when that was not kept. */
  lastRecovery: { from: number; at: number } | null
  down: number
  unseen: number
  /** Most devices of it that were down at a time. */
  peak: number
  /** How many more are down in its place now that are not in it: they were before Muster knew of them, or are in other incidents. */
  othersDown: number
  /** Most that were down in its place at a time, with these. */
  peakInPlace: number
  /** How many are known in its place. */
  total: number | null
  /** How it was when it was at its largest: it may have given way to smaller places since. */
  largest: Extent | null
  watched: number
  severity: Severity
  /** Keys of the tenants that it is about, each with a `/` at its end. */
  about: readonly string[]
  acknowledged: { at: number; reason: string } | null
  snoozed: { at: number; until: number | null } | null
  /** Its snooze is over, and it is to be notified again. */
  renotify: boolean
  /** The time of a maintenance window that it belongs to, until that is over. */
  maintenance: { id: string; name: string } | null
  /** Name of the maintenance window that it broke through, because all of it is on the watch list; '' for none. */
  overrode: string
  /** Name of the maintenance window that kept it last, also when that is over; '' when none did. */
  suppressedBy: string
  /** What it was a part of and was told with, until the place of that no longer explained what was left: id of that, and where it was; null for what began by itself. */
  splitFrom: { id: string; where: Where } | null
  /** Notifications of outages were off when it began, so it never notifies. */
  muted: boolean
  /** When it was last notified, and when its recoveries were; null when nothing was. */
  notifiedAt: number | null
  recoveryNotifiedAt: number | null
  /** Why it was notified last; null when it was not, or before that was kept. */
  reason: Reason | null
  /** Keys of those that are back, as far as it is known here, */
  recovered: readonly string[]
  /** and of them those that came back without a word, while somebody had taken it on: its next return tells of them as well. */
  unreportedRecoveries: readonly string[]
  /** What of it the service lists no longer: nobody knows whether it is back. */
  unlisted: UnlistedDevices
  message: Message
  open: Notification['open']
}

/** `named`: a few of them, the latest first. `untold`: how many of them were told to be down, and not to be listed no longer. */
export interface UnlistedDevices {
  count: number
  named: readonly string[]
  unreported: number
}

export const noUnlisted: UnlistedDevices = { count: 0, named: [], unreported: 0 }

/** Why, when and how an incident was notified, by the thresholds of that time. */
export interface Reason {
  at: number
  /** `reminder`: after a snooze. `storm`, `absence`, `monitoring-restored`, `maintenance`, `pause`: with others (notify.ts). */
  as: 'alone' | 'reminder' | 'storm' | 'absence' | 'monitoring-restored' | 'maintenance' | 'pause'
  thresholds: Pick<PlaceThresholds, 'holdOffMs' | 'minDevices' | 'minShare' | 'flapTransitions' | 'flapPeriodMs'>
  /** What it was then; null before that was kept. */
  shape: Incident['shape'] | null
  /** Name of the place whose thresholds they are; '' where they are those of the settings. */
  thresholdsPlace: string
  /** How many of it were on the watch list, and the name of the maintenance window that it broke through for that; '' for none. */
  watched: number
  overrode: string
  /** Whether a notification was shown; null as long as nobody has said so. */
  delivered: boolean | null
}

export type Extent = Pick<
  Incident,
  | 'shape'
  | 'path'
  | 'where'
  | 'context'
  | 'named'
  | 'since'
  | 'foundAt'
  | 'peak'
  | 'peakInPlace'
  | 'total'
  | 'severity'
  | 'message'
>

export interface NotificationRecord {
  content: Notification
  /** Keys of the tenants that it is about, each with a `/` at its end, and of the devices that it names. */
  about: readonly string[]
  /** Ids of the incidents that it tells of. */
  incidentIds: readonly string[]
  /** What it was, for those that grow: of sight, or of several incidents as one. */
  digestKind: 'monitoring-lost' | 'monitoring-restored' | 'absence' | 'storm' | 'none'
  firstAt: number
  /** Whether it may still grow. */
  isGrowing: boolean
  /** What it said before, the newest first, and how often it was told. */
  earlier: readonly Pick<Notification, 'at' | 'message'>[]
  times: number
}

export interface MonitoringLoss {
  tenant: string
  name: string
  /** Only a part of its devices is out of sight. */
  partial: boolean
  /** When it was last seen, as far as anyone knows. */
  since: number
  /** Begin of the time out of sight that goes on: later than `since` when it was seen in between without that being told. */
  lostAt: number
  noticedAt: number
  /** Id of the telling that told it; null before. Only what was told is kept over a restart. */
  notificationId: string | null
  restoredAt: number | null
  waitUntil: number
}

export const emptyState: State = {
  drops: new Map(),
  flaps: new Map(),
  incidents: new Map(),
  notifications: new Map(),
  monitoringLost: new Map(),
  lastLostAt: new Map(),
  maintenanceRuns: new Map(),
  maintenanceReports: [],
  pause: null,
  deferredUntil: null,
}

export type Input =
  | { kind: 'transitions'; transitions: readonly StoredTransition[] }
  /** The places of devices whose thresholds were asked for. */
  | { kind: 'figures'; found: DeviceLocations }
  /** No notification until then (ms); null: from now on again. */
  | { kind: 'pause'; until: number | null }
  /** What the operator says of incidents; what is left out stays. */
  | { kind: 'marks'; marks: readonly Marks[] }
  /** Whether the desktop notification was shown. */
  | { kind: 'shown'; id: string; at: number; shown: boolean }

/** What the inventory has now of the devices that were asked for. Tenants that nobody watches are left out. */
export interface Observation extends DeviceLocations {
  /** Keys of the devices that were asked for. */
  asked: readonly string[]
  /** `lastMessages`: when each connection that lists the tenant and is not paused had its last message of the service (ms). */
  tenants: (DeviceLocations['tenants'][number] & { lastMessages: readonly number[] })[]
  /** Keys of tenants that were listed in this run, or whose removal is still said, and are listed no longer. */
  unlistedTenants: ReadonlySet<string>
}

export type Marks = { id: string } & Partial<Pick<Incident, 'acknowledged' | 'snoozed'>>

/** Something to tell now. `keys`: the devices whose drop or return this tells for the first time. */
export interface OutgoingNotification {
  content: Notification
  keys: readonly string[]
}

/** What the journal is to keep of incidents beside their state. */
export interface Notes {
  members: {
    incident: string
    key: string
    name: string
    at: number
    notBefore: number | null
    recoveredAt: number | null
    recoveredNotBefore: number | null
    unlisted: boolean
  }[]
  events: { incident: string; at: number; what: string; detail: EventDetail }[]
  /** Closed, and in the state no more. */
  closed: Incident[]
}

export interface Step {
  state: State
  outgoing: readonly OutgoingNotification[]
  notes: Notes
}

export const noNotes: Notes = { members: [], events: [], closed: [] }

/** The same thing notifies no more often than this. */
export const renotifyMs = 60_000
/** After this long without a change what comes is an incident by itself. */
export const outageMs = 30 * 60_000
/** As many as the window lists (inventory.ts, `notifications`). */
export const maxRecent = 50

/** Newest first. */
export function recentOf({ notifications }: Pick<State, 'notifications'>): Notifications['recent'] {
  return [...notifications.values()]
    .map(({ content, earlier, times }) => (times === 1 ? content : { ...content, times, earlier: [...earlier] }))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, maxRecent)
}

const severityRank = { critical: 0, major: 1, minor: 2 }
type Ranked = Pick<Incident, 'severity' | 'openedAt'>
/** Sorts incidents: the worst first, then the one that opened first. */
export const byWorst = (one: Ranked, other: Ranked): number =>
  severityRank[one.severity] - severityRank[other.severity] || one.openedAt - other.openedAt

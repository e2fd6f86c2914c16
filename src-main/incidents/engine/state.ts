import type { StoredTransition } from '../../storage/journal/alerts.ts'
import type { DeviceLocations } from '../../inventory/thread/protocol.ts'
import type { Notifications, Notification } from '../../../src-shared/model/inventory.ts'
import type { ExpectedReboot } from '../../../src-shared/model/jobs.ts'
import type { Drop } from './drops/drop.ts'
import type { Incident } from './incident.ts'
import type { NotificationRecord } from './notification-record.ts'
import type { PlaceThresholds } from './rules.ts'
import type { MaintenanceRun, MaintenanceReport } from './maintenance/report.ts'
import type { EventDetail } from '../../../src-shared/model/messages.ts'

/**
 * All incidents and notifications at a moment, with their times in ms. A step returns the next state and changes
 * nothing in place. Incidents open and close by themselves; their notifications are a layer of their own (notify.ts).
 */
export interface State {
  /**
   * Devices that are down or flap, by key. They are suspects until they are in an incident, then members until their
   * recovery was notified.
   */
  drops: ReadonlyMap<string, Drop>
  /** The recent transitions of each device, oldest first. */
  flaps: ReadonlyMap<string, Flaps>
  /** Open incidents, and closed ones with pending notifications. */
  incidents: ReadonlyMap<string, Incident>
  notifications: ReadonlyMap<string, NotificationRecord>
  /** Tenants that Muster does not see, or sees again without a notification of it, by key. */
  monitoringLost: ReadonlyMap<string, MonitoringLoss>
  /**
   * When the visibility of each tenant was last lost, notified or not. Not stored, because a restart is an absence
   * itself.
   */
  lastLostAt: ReadonlyMap<string, number>
  /** Runs of maintenance windows in which devices went down, by their id. */
  maintenanceRuns: ReadonlyMap<string, MaintenanceRun>
  /**
   * Reports of ended maintenance windows, the latest last, as far back as a handover may ask for them (`keepReport`).
   */
  maintenanceReports: readonly MaintenanceReport[]
  pause: { since: number; until: number } | null
  /** The reboots that are awaited, by the key of the device. Not stored: the job that sent them is. */
  reboots: ReadonlyMap<string, ExpectedReboot>
  /** When a deferred notification is due; null when none is pending. Not stored. */
  deferredUntil: number | null
}

export interface Flaps {
  times: readonly number[]
  /** The thresholds of its place; null while unknown. */
  thresholds: PlaceThresholds | null
}

export interface MonitoringLoss {
  tenant: string
  name: string
  /** True when only some of its devices are not visible. */
  partial: boolean
  /** When it was last visible, as far as is known. */
  since: number
  /**
   * Start of the present loss. It is later than `since` when the tenant was visible in between without a notification
   * of it.
   */
  lostAt: number
  noticedAt: number
  /** Id of its notification; null before. Only notified losses are stored. */
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
  reboots: new Map(),
  deferredUntil: null,
}

export type Input =
  | { kind: 'transitions'; transitions: readonly StoredTransition[] }
  /** All reboots of jobs that are awaited now. */
  | { kind: 'reboots'; reboots: readonly ExpectedReboot[] }
  /** The places of devices whose thresholds were asked for. */
  | { kind: 'thresholds'; found: DeviceLocations }
  /** Pauses notifications until then (ms); null ends the pause. */
  | { kind: 'pause'; until: number | null }
  /** The operator's acknowledgements, snoozes and assignments. Fields that are left out stay unchanged. */
  | { kind: 'operator'; changes: readonly OperatorChange[] }
  /** Reports the delivery of a desktop notification. */
  | { kind: 'delivery'; id: string; at: number; delivered: boolean }

/**
 * The present inventory data of the devices that were asked for, without tenants of which every connection is paused.
 */
export interface Observation extends DeviceLocations {
  /** Keys of the devices that were asked for. */
  asked: readonly string[]
  /** `lastMessages`: time of the last message of each connection that lists the tenant and is not paused (ms). */
  tenants: (DeviceLocations['tenants'][number] & { lastMessages: readonly number[] })[]
  /**
   * Keys of tenants that were listed in this run, or whose removal is not notified yet, and that are no longer listed.
   */
  unlistedTenants: ReadonlySet<string>
}

/** What an operator changes of an incident. A field that is left out stays unchanged. */
export type OperatorChange = { id: string } & Partial<Incident['operator']>

/** A notification to deliver now. `keys`: the devices whose drop or recovery it reports for the first time. */
export interface OutgoingNotification {
  content: Notification
  keys: readonly string[]
}

/** Entries for the journal beside the state. */
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
  /** Incidents that closed and left the state. */
  closed: Incident[]
  /** Transitions that do not count as flapping. */
  uncounted: { key: string; at: number }[]
}

export interface Step {
  state: State
  outgoing: readonly OutgoingNotification[]
  notes: Notes
}

export const noNotes: Notes = { members: [], events: [], closed: [], uncounted: [] }

/** The minimum time between two notifications of the same thing. */
export const renotifyMs = 60_000
/** After this long without a change, a new event starts an incident or digest of its own. */
export const outageMs = 30 * 60_000
/** The number of notifications that the window lists (inventory.ts, `notifications`). */
export const maxRecent = 50

/** Returns the recent notifications, newest first. */
export function recentOf({ notifications }: Pick<State, 'notifications'>): Notifications['recent'] {
  return [...notifications.values()]
    .map(({ content, earlier, times }) => (times === 1 ? content : { ...content, times, earlier: [...earlier] }))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, maxRecent)
}

const severityRank = { critical: 0, major: 1, minor: 2 }
type Ranked = Pick<Incident, 'severity' | 'openedAt'>
/** Compares incidents: the worst come first; of equal ones, the one that opened first. */
export const byWorst = (one: Ranked, other: Ranked): number =>
  severityRank[one.severity] - severityRank[other.severity] || one.openedAt - other.openedAt

import type { DeviceStatus, Notification } from '../../../src-shared/model/inventory.ts'
import type { EventDetail } from '../../../src-shared/model/messages.ts'
import { formerNode } from '../../inventory/keys.ts'
import type { PlaceNode } from '../../inventory/thread/protocol.ts'
import type { PlaceThresholds, AlertRules } from './rules.ts'
import { updated, type Incident, type Place, type UnlistedDevices } from './incident.ts'
import type { NotificationRecord } from './notification-record.ts'
import type { MonitoringLoss, Flaps, Notes, State, Step, OutgoingNotification } from './state.ts'
import { reportLimits, type MaintenanceRun, type MaintenanceReport } from './maintenance/report.ts'
import { thresholdsAt, longestFlapPeriod } from './rules.ts'
import { maxRecent, recentOf } from './state.ts'
import { maxNamed } from '../scope/places.ts'
import {
  backOf,
  incidentIdOf,
  isDown,
  joined,
  notifiedIncident,
  type Drop,
  type EventTime,
  type FlappingStart,
} from './drops/drop.ts'

/** A device as the inventory has it now, with the path from its room to its region. */
export interface LocatedDevice {
  key: string
  name: string
  status: DeviceStatus
  connected: boolean | null
  hardwareModel: string
  /** True where a tag makes it a spare. */
  isSpare?: boolean
  path: readonly PlaceNode[]
}

/** The next state while a step makes it. The state that it starts from does not change. */
export interface Draft {
  readonly now: number
  readonly rules: AlertRules
  /** Devices that were asked for, by key. It lacks those that the service no longer lists. */
  readonly found: ReadonlyMap<string, LocatedDevice>
  /** Places above the devices in `found`, by id. */
  readonly places: ReadonlyMap<string, PlaceNode>
  readonly drops: Map<string, Drop>
  /** Devices that begin to flap and are not grouped into an incident yet, by key. */
  readonly flappingStarts: Map<string, FlappingStart>
  readonly flaps: Map<string, Flaps>
  readonly incidents: Map<string, Incident>
  readonly notifications: Map<string, NotificationRecord>
  readonly monitoringLost: Map<string, MonitoringLoss>
  readonly lastLostAt: Map<string, number>
  readonly maintenanceRuns: Map<string, MaintenanceRun>
  maintenanceReports: readonly MaintenanceReport[]
  readonly notes: Notes
  pause: State['pause']
  readonly reboots: State['reboots']
  deferredUntil: number | null
  /** Number of ids made in this step. */
  idCount: number
  outgoing: OutgoingNotification[]
}

export function draftOf(
  state: State,
  now: number,
  rules: AlertRules,
  found: Draft['found'],
  places: Draft['places'],
): Draft {
  return {
    now,
    rules,
    found,
    places,
    drops: new Map(state.drops),
    flappingStarts: new Map(),
    flaps: new Map(state.flaps),
    incidents: new Map(state.incidents),
    notifications: new Map(state.notifications),
    monitoringLost: new Map(state.monitoringLost),
    lastLostAt: new Map(state.lastLostAt),
    maintenanceRuns: new Map(state.maintenanceRuns),
    maintenanceReports: state.maintenanceReports,
    notes: { members: [], events: [], closed: [], uncounted: [] },
    pause: state.pause,
    reboots: state.reboots,
    deferredUntil: null,
    idCount: 0,
    outgoing: [],
  }
}

/** Returns the finished step, without state that nothing needs any more. */
export function finished(draft: Draft): Step {
  close(draft)
  const {
    drops,
    flaps,
    incidents,
    notifications,
    monitoringLost,
    lastLostAt,
    maintenanceRuns,
    maintenanceReports,
    pause,
    reboots,
    deferredUntil,
    outgoing,
    notes,
  } = draft
  return {
    state: {
      drops,
      flaps,
      incidents,
      notifications,
      monitoringLost,
      lastLostAt,
      maintenanceRuns,
      maintenanceReports,
      pause,
      reboots,
      deferredUntil,
    },
    outgoing,
    notes,
  }
}

/** Returns an id that no incident and no notification has. */
export function newId(draft: Draft): string {
  for (;;) {
    draft.idCount += 1
    const id = `${draft.now.toString(36)}-${draft.idCount}`
    if (!draft.notifications.has(id) && !draft.incidents.has(id)) return id
  }
}

/** Number of earlier messages kept for a notification that is sent again. */
const maxEarlier = 10
const messageOf = ({ at, message }: Notification): NotificationRecord['earlier'][number] => ({ at, message })

/** Replaces the previous notification of this id and queues the new one for delivery. */
export function notify(
  draft: Draft,
  notification: Omit<NotificationRecord, 'earlier' | 'times'>,
  keys: readonly string[],
): void {
  const before = draft.notifications.get(notification.content.id)
  const earlier = before === undefined ? [] : [messageOf(before.content), ...before.earlier].slice(0, maxEarlier)
  draft.notifications.set(notification.content.id, { ...notification, earlier, times: (before?.times ?? 0) + 1 })
  draft.outgoing.push({ content: notification.content, keys })
}

/** Keeps a maintenance report for as long as a handover may ask for it. */
export function keepReport(draft: Draft, report: MaintenanceReport): void {
  draft.maintenanceReports = [
    ...draft.maintenanceReports.filter(({ at }) => at > draft.now - reportLimits.ms),
    report,
  ].slice(-reportLimits.most)
}

export function note({ notes, now }: Draft, incident: string, what: string, detail: EventDetail): void {
  notes.events.push({ incident, at: now, what, detail })
}

/** Notes that what operators did about an incident is over. */
export function noteReleased(draft: Draft, { id, operator }: Incident, kind: 'reopened' | 'grown'): void {
  const { acknowledged, snoozed, assigned } = operator
  if (acknowledged !== null || snoozed !== null) note(draft, id, 'unacknowledged', { kind })
  if (assigned !== null) note(draft, id, 'unassigned', { kind })
}

/** Notes a device's present state in its incident for the journal. A suspect is in no incident. */
export function noteMember(draft: Draft, drop: Drop, back: EventTime | null = backOf(drop), unlisted = false): void {
  if (drop.kind === 'suspect') return
  const { incident, key, at, notBefore } = drop
  draft.notes.members.push({
    incident,
    key,
    name: draft.found.get(key)?.name ?? '',
    at,
    notBefore,
    recoveredAt: back?.at ?? null,
    recoveredNotBefore: back?.notBefore ?? null,
    unlisted,
  })
}

/** Notes in the journal that a device recovered or left its incident in another way. */
export function noteRecovery(draft: Draft, drop: Drop, back: EventTime): void {
  noteMember(draft, drop, back)
  const { at, notBefore } = back
  const incident = draft.incidents.get(incidentIdOf(drop) ?? '')
  if (incident !== undefined)
    draft.incidents.set(
      incident.id,
      updated(incident, 'recovery', { last: laterRecovery(incident.recovery.last, { from: notBefore ?? at, at }) }),
    )
}

/**
 * Notes that the service no longer lists a device, which is not a recovery. A device that recovered before is left
 * unchanged.
 */
export function noteUnlisted(draft: Draft, drop: Drop): void {
  const incident = draft.incidents.get(incidentIdOf(drop) ?? '')
  if (drop.kind === 'suspect' || drop.kind === 'recovered' || incident === undefined) return
  noteMember(draft, drop, { at: draft.now, notBefore: null }, true)
  const named = incident.extent.named.flatMap(({ key, name }) => (key === drop.key ? [name] : []))
  const { last, unlisted } = incident.recovery
  draft.incidents.set(
    incident.id,
    updated(incident, 'recovery', {
      unlisted: mergeUnlisted({ count: 1, named, unreported: drop.notified ? 1 : 0 }, unlisted),
      last: laterRecovery(last, { from: draft.now, at: draft.now }),
    }),
  )
}

export const mergeUnlisted = (one: UnlistedDevices, other: UnlistedDevices): UnlistedDevices => ({
  count: one.count + other.count,
  named: [...one.named, ...other.named].slice(0, maxNamed),
  unreported: one.unreported + other.unreported,
})

type LastRecovery = Incident['recovery']['last']

/** Returns the span of the last of two recoveries: the later of both bounds. */
export function laterRecovery(one: LastRecovery, other: LastRecovery): LastRecovery {
  if (one === null || other === null) return one ?? other
  return { from: Math.max(one.from, other.from), at: Math.max(one.at, other.at) }
}

/** Moves devices into an incident, and out of the one that they were in. */
export function assign(draft: Draft, keys: Iterable<string>, id: string): void {
  for (const key of keys) {
    const known = draft.drops.get(key)
    const drop = known ?? draft.flappingStarts.get(key)
    if (drop === undefined || incidentIdOf(known) === id) continue
    if (known !== undefined) noteRecovery(draft, known, { at: draft.now, notBefore: null })
    const member = joined(drop, id)
    draft.drops.set(key, member)
    noteMember(draft, member)
  }
}

/** Returns the keys of the devices of each incident, by its id. */
export function keysInside({ drops }: Pick<Draft, 'drops'>): ReadonlyMap<string, readonly string[]> {
  const keysByIncident = new Map<string, string[]>()
  for (const drop of drops.values()) {
    if (drop.kind === 'suspect') continue
    const keys = keysByIncident.get(drop.incident)
    if (keys === undefined) keysByIncident.set(drop.incident, [drop.key])
    else keys.push(drop.key)
  }
  return keysByIncident
}

/** Returns how many devices of each incident are down, visible or not. */
export function countDown({ drops }: Draft): Map<string, number> {
  const counted = new Map<string, number>()
  for (const drop of drops.values()) if (isDown(drop)) counted.set(drop.incident, (counted.get(drop.incident) ?? 0) + 1)
  return counted
}

/** Returns the open incidents; the one that grew last comes first. */
export function openIncidents({ incidents }: Draft): Incident[] {
  return [...incidents.values()].filter(({ closedAt }) => closedAt === null).sort((a, b) => b.grewAt - a.grewAt)
}

type PathStep = Pick<Place, 'id' | 'onlyAccount'>

/**
 * Returns the ids of a path, for policy lookup. A policy of a region made before regions belonged to one service
 * applies to every region of that name. A policy of a tenant's only account applies to its sites, although the tree
 * leaves its level out.
 */
export const idsOf = (path: readonly PathStep[]): string[] =>
  path.flatMap(({ id, onlyAccount }) => {
    const former = formerNode(id)
    if (onlyAccount !== undefined) return [id, onlyAccount]
    return former === null ? id : [id, former]
  })
export const thresholdsOn = ({ rules }: Draft, path: readonly PathStep[]): PlaceThresholds =>
  rules.nodes.size === 0 ? rules.defaults : thresholdsAt(rules, idsOf(path))

/** Returns whether a suspect is seen to be down and is blocked because its model is muted. */
export const isOfMuted = ({ found }: Pick<Draft, 'found'>, drop: Drop): boolean =>
  drop.kind === 'suspect' && drop.isBlocked && found.get(drop.key)?.status === 'disconnected'

/** Returns whether a device, or a place that it is in, is on the watch list. */
export function isWatched({ rules: { watched } }: Draft, key: string, path: readonly PathStep[]): boolean {
  return watched.size > 0 && (watched.has(key) || idsOf(path).some((id) => watched.has(id)))
}

export const placesOf = (path: readonly PlaceNode[]): Place[] =>
  path.map(({ id, kind, name, placeless, onlyAccount }) => ({
    id,
    kind,
    name,
    placeless,
    ...(onlyAccount !== undefined && { onlyAccount }),
  }))

export const openAt = (scope: string, filter: string): NotificationRecord['content']['open'] => ({
  scope,
  filter,
  device: null,
  incident: null,
})

/** Returns the tenant key of a path. A tenant's node id is its key with a prefix (inventory/keys.ts). */
export function tenantOf(path: readonly { id: string; kind: string }[]): string {
  return path.find(({ kind }) => kind === 'tenant')?.id.slice(2) ?? ''
}

/** Returns whether devices of an incident recovered without a notification and are still up. */
export const hasUnreportedRecovery = ({ drops }: Pick<Draft, 'drops'>, { recovery }: Incident): boolean =>
  recovery.unreported.some((key) => !drops.has(key))

/** Removes closed incidents without pending notifications, and notifications beyond the listed maximum. */
function close(draft: Draft): void {
  const named = new Set([...draft.drops.values()].flatMap((drop) => [incidentIdOf(drop), notifiedIncident(drop)]))
  for (const [id, incident] of draft.incidents) {
    if (
      incident.closedAt === null ||
      named.has(id) ||
      hasUnreportedRecovery(draft, incident) ||
      incident.recovery.unlisted.unreported > 0
    )
      continue
    draft.incidents.delete(id)
    draft.notes.closed.push(incident)
  }
  const longest = longestFlapPeriod(draft.rules)
  for (const [key, { times }] of draft.flaps) if ((times.at(-1) ?? 0) <= draft.now - longest) draft.flaps.delete(key)
  if (draft.notifications.size <= maxRecent) return
  const listed = new Set(recentOf(draft).map(({ id }) => id))
  for (const id of draft.notifications.keys()) if (!listed.has(id)) draft.notifications.delete(id)
}

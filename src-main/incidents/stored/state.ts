import type {
  AlertsDelta,
  StoredAlerts,
  StoredDrop,
  StoredMonitoringLoss,
  StoredNotification,
} from '../../storage/journal/alerts.ts'
import type { StoredIncident, StoredUnseen } from '../../storage/journal/incidents.ts'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { dropOf, storedDrop } from './drop.ts'
import type { Drop } from '../engine/drops/drop.ts'
import type { MaintenanceRun } from '../engine/maintenance/report.ts'
import { searchText, type TimeText } from '../../../src-shared/text/messages.ts'
import { timeText } from '../../../src-shared/text/names.ts'
import { emptyIncident, updated, type Incident } from '../engine/incident.ts'
import type { NotificationRecord } from '../engine/notification-record.ts'
import type { MonitoringLoss, Notes, State } from '../engine/state.ts'
import { readIncident, readNotification, readReport, readRun } from './values.ts'

const entriesOf = (stored: unknown): unknown[] => (Array.isArray(stored) ? stored : [])

/** Returns a stored incident; null when it cannot be read. */
export function incidentOf({ value }: Pick<StoredIncident, 'value'>): Incident | null {
  return readIncident(value)
}

/** Returns the stored state without the parts that cannot be read. */
export function stateOf(stored: StoredAlerts, now: number): State {
  const notifications = new Map(
    stored.notifications.flatMap(({ id, about, value }): [string, NotificationRecord][] => {
      const read = readNotification(value)
      return read === null ? [] : [[id, { ...read, about }]]
    }),
  )
  const incidents = new Map(
    stored.incidents.flatMap((one): [string, Incident][] => {
      const incident = incidentOf(one)
      return incident === null ? [] : [[one.id, incident]]
    }),
  )
  for (const { incident: id } of stored.drops) {
    const notification = id === null || incidents.has(id) ? undefined : notifications.get(id)
    if (id !== null && !incidents.has(id))
      incidents.set(id, incidentOfNotification(id, notification?.content ?? null, now))
  }
  return {
    drops: new Map(stored.drops.map((drop) => [drop.key, dropOf(drop)])),
    flaps: flapsOf(stored),
    incidents,
    notifications,
    // A loss without an end continues, with its notification if there was one.
    monitoringLost: new Map(
      [
        ...stored.unseen.map(({ tenant, from }) => ({ tenant, since: from, notificationId: null })),
        ...stored.monitoringLosses,
      ].map(({ tenant, since, notificationId }) => [
        tenant,
        {
          tenant,
          name: '',
          partial: false,
          since,
          lostAt: since,
          noticedAt: now,
          notificationId,
          restoredAt: null,
          waitUntil: 0,
        },
      ]),
    ),
    lastLostAt: new Map(stored.unseen.map(({ tenant }) => [tenant, now])),
    maintenanceRuns: new Map(
      entriesOf(stored.maintenance).flatMap((entry): [string, MaintenanceRun][] => {
        const run = readRun(entry)
        return run === null ? [] : [[run.id, run]]
      }),
    ),
    maintenanceReports: entriesOf(stored.maintenance).flatMap((entry) => readReport(entry) ?? []),
    pause: stored.pause,
    reboots: new Map(),
    deferredUntil: null,
  }
}

/**
 * Returns an incident for a journal that stored only notifications: its devices are known, and the other fields are
 * computed from them.
 */
function incidentOfNotification(id: string, before: Notification | null, now: number): Incident {
  const at = before?.at ?? now
  const empty = updated(updated(emptyIncident(id, at), 'scope', { shape: 'several' }), 'delivery', { notifiedAt: at })
  return before === null ? empty : { ...empty, message: before.message, open: before.open }
}

/**
 * Returns the counted transitions of each device. Those in the outbox are left out, because they are applied and
 * counted later.
 */
function flapsOf({ recent, outbox }: StoredAlerts): State['flaps'] {
  const flaps = new Map<string, { times: number[]; thresholds: null }>()
  const unevaluated = new Set(outbox.map(({ key, at }) => `${key} ${at}`))
  for (const { key, at } of recent)
    if (!unevaluated.has(`${key} ${at}`))
      flaps.set(key, { times: [...(flaps.get(key)?.times ?? []), at], thresholds: null })
  return flaps
}

/**
 * Returns the changes between two states in the journal's form; null when there are none. `utc`: whether times in
 * search texts are in UTC.
 */
export function deltaOf(
  before: State,
  after: State,
  notes: Notes,
  now: number,
  utc: boolean,
): Omit<AlertsDelta, 'taken'> | null {
  const time = (at: number) => timeText(at, now, utc)
  const drops = changed(before.drops, after.drops, storedDrop, isStoredAlike)
  const notifications = changed(
    before.notifications,
    after.notifications,
    storedNotification,
    (one, other) => one === other,
  )
  const losses = changed(
    notifiedLosses(before),
    notifiedLosses(after),
    storedMonitoringLoss,
    (one, other) => one.notificationId === other.notificationId && one.since === other.since,
  )
  const incidents = [
    ...notes.closed.map((one) => storedIncident(one, time)),
    ...[...after.incidents.values()]
      .filter((one) => before.incidents.get(one.id) !== one)
      .map((one) => storedIncident(one, time, one.closedAt !== null)),
  ]
  const unseen = unseenIn(before.monitoringLost, after.monitoringLost, now)
  const pause =
    before.pause?.since === after.pause?.since && before.pause?.until === after.pause?.until
      ? {}
      : { pause: after.pause }
  const runs =
    before.maintenanceReports === after.maintenanceReports &&
    (before.maintenanceRuns === after.maintenanceRuns || areSameRuns(before.maintenanceRuns, after.maintenanceRuns))
      ? {}
      : { maintenance: [...after.maintenanceRuns.values(), ...after.maintenanceReports.map((report) => ({ report }))] }
  const parts = [
    ...[drops, notifications, losses].map(({ put, gone }) => put.length + gone.length),
    incidents.length,
    unseen.length,
    notes.members.length,
    notes.events.length,
    notes.uncounted.length,
  ]
  if (parts.every((count) => count === 0) && !('pause' in pause) && !('maintenance' in runs)) return null
  return {
    drops,
    notifications,
    monitoringLosses: losses,
    incidents,
    unseen,
    members: notes.members,
    events: notes.events,
    uncounted: notes.uncounted,
    ...runs,
    ...pause,
  }
}

function changed<T, S>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  stored: (value: T, key: string) => S,
  same: (one: T, other: T) => boolean,
): { put: S[]; gone: string[] } {
  if (before === after) return { put: [], gone: [] }
  const put = [...after].flatMap(([key, value]) => {
    const known = before.get(key)
    return known !== undefined && (known === value || same(known, value)) ? [] : [stored(value, key)]
  })
  return { put, gone: [...before.keys()].filter((key) => !after.has(key)) }
}

const areSameRuns = (one: ReadonlyMap<string, MaintenanceRun>, other: ReadonlyMap<string, MaintenanceRun>) =>
  one.size === other.size && [...one].every(([id, runs]) => other.get(id) === runs)
const notifiedLosses = ({ monitoringLost: losses }: State) =>
  new Map([...losses].filter(([, { notificationId }]) => notificationId !== null))

/** Returns whether two drops are stored alike. Those of different kinds never are. */
function isStoredAlike(one: Drop, other: Drop): boolean {
  if (one.kind !== other.kind) return false
  const [before, after] = [storedDrop(one), storedDrop(other)]
  return (Object.keys(after) as (keyof StoredDrop)[]).every((field) => before[field] === after[field])
}

const storedNotification = ({ about, ...value }: NotificationRecord, id: string): StoredNotification => ({
  id,
  at: value.content.at,
  about: [...about],
  value,
})
const storedMonitoringLoss = ({ tenant, since, notificationId }: MonitoringLoss): StoredMonitoringLoss => ({
  tenant,
  since,
  notificationId: notificationId ?? '',
})

/**
 * Returns the stored form of an incident. A closed one has its largest extent. `unreported`: it is closed and has
 * pending notifications.
 */
export function storedIncident(current: Incident, time: TimeText, unreported = false): StoredIncident {
  const { largest } = current
  const incident =
    current.closedAt === null || largest === null
      ? current
      : { ...current, ...largest, extent: { ...current.extent, ...largest.extent } }
  const { id, kind, openedAt, closedAt, about, message } = incident
  return {
    id,
    subject: subjectOf(incident),
    kind,
    openedAt,
    closedAt,
    unreported,
    about: [...about],
    searchText: searchText(message, time),
    value: incident,
  }
}

/** Returns the key under which recurrences are counted: the place, or the single device; '' without a common place. */
export function subjectOf({ scope: { shape, path }, extent: { named } }: Incident): string {
  if (shape === 'device') return named[0]?.key ?? ''
  return shape === 'node' ? (path[0]?.id ?? '') : ''
}

/** Returns the spans of lost visibility that began or ended between two states. */
function unseenIn(before: State['monitoringLost'], after: State['monitoringLost'], now: number): StoredUnseen[] {
  const isLost = (one: MonitoringLoss | undefined): one is MonitoringLoss =>
    one !== undefined && one.restoredAt === null
  const begun = [...after.values()].filter(
    (one) => isLost(one) && (!isLost(before.get(one.tenant)) || before.get(one.tenant)?.lostAt !== one.lostAt),
  )
  const ended = [...before.values()].filter((one) => isLost(one) && !isLost(after.get(one.tenant)))
  return [
    ...begun.map(({ tenant, lostAt }) => ({ tenant, from: lostAt, until: null })),
    ...ended.map(({ tenant, lostAt }) => ({ tenant, from: lostAt, until: after.get(tenant)?.restoredAt ?? now })),
  ]
}

import type { Headline, Message, MessageOf } from '../../src-shared/model/messages.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import { idsOf, keepReport, keysInside, newId, note, openAt, notify, type Draft } from '../incidents/engine/draft.ts'
import { noteRecoveries } from './recoveries.ts'
import type { DownDevice } from '../incidents/grouping/group.ts'
import type { MaintenanceRun } from '../incidents/engine/maintenance/report.ts'
import { hasPendingUnseen, stillDownUnseen } from '../incidents/engine/maintenance/end.ts'
import { suspend } from '../incidents/grouping/assign.ts'
import { commonScope, filterOf } from '../incidents/scope/scope.ts'
import { maxNamed } from '../incidents/scope/places.ts'
import { subjectsOf, growing, isUnreported, noteNotified, type Unreported } from './unreported.ts'
import { statusOf, type IncidentStatus } from '../incidents/engine/refresh.ts'
import { suppressionOf } from '../incidents/suppression.ts'
import { backOf, incidentIdOf, type Drop } from '../incidents/engine/drops/drop.ts'
import { updated, type Incident, type Reason } from '../incidents/engine/incident.ts'
import type { NotificationRecord } from '../incidents/engine/notification-record.ts'
import { byWorst, renotifyMs } from '../incidents/engine/state.ts'

type Inside = ReturnType<typeof keysInside>

/** A storm that lasts longer than this (ms) is notified anew. */
const stormPeriodMs = 10 * 60_000

/** The incidents of a digest, including those that the same notification reported before. */
interface Delivery {
  incidents: Incident[]
  headlines: Headline[]
  count: { all: number; open: number }
  keys: string[]
}

/** Returns the first headlines of a digest, and how many there are. */
export const headlinesOf = (all: readonly Headline[]): Pick<MessageOf<'storm'>, 'headlines' | 'total'> => ({
  headlines: all.slice(0, maxNamed),
  total: all.length,
})

/** Marks these incidents as notified and their recoveries as reported. Returns the content of the digest. */
export function noteDelivered(
  draft: Draft,
  before: NotificationRecord | undefined,
  unreported: readonly Unreported[],
  as: Reason['as'],
): Delivery {
  const recovered = new Map(
    unreported.map(({ incident, fresh, recovered: of }) => {
      if (fresh.length > 0) noteNotified(draft, incident, fresh, as)
      return [incident, of.length === 0 ? [] : noteRecoveries(draft, incident, of).unreported]
    }),
  )
  const keys = [...unreported.flatMap(({ fresh }) => fresh.map(({ key }) => key)), ...[...recovered.values()].flat()]
  const ids = new Set([...(before?.incidentIds ?? []), ...unreported.map(({ incident }) => incident.id)])
  const incidents = [...ids].flatMap((id) => draft.incidents.get(id) ?? []).sort(byWorst)
  // An incident that was notified before and still is open neither began nor ended in this digest.
  const began = new Set(unreported.filter(({ fresh }) => fresh.length > 0).map(({ incident }) => incident.id))
  const since = before?.firstAt ?? draft.now
  const counted = incidents.filter(
    ({ id, closedAt, delivery }) => closedAt !== null || began.has(id) || (delivery.notifiedAt ?? -Infinity) >= since,
  )
  const open = counted.filter(({ closedAt }) => closedAt === null)
  const headlines = [
    ...open.map(({ message }) => message),
    ...[...recovered].flatMap(([incident, of]) => recoveryHeadline(draft, incident, of)),
  ]
  return { incidents, headlines, count: { all: counted.length, open: open.length }, keys }
}

/** Returns the headline of devices that recovered in an incident. */
function recoveryHeadline(draft: Draft, incident: Incident, recovered: readonly string[]): Headline[] {
  if (recovered.length === 0) return []
  const found = recovered.flatMap((key) => draft.found.get(key) ?? [])
  const { where, context } = commonScope(found.map(({ path }) => path))
  return [
    {
      kind: 'recovered',
      count: recovered.length,
      where,
      context: [...context],
      names: found.map(({ name }) => name).slice(0, maxNamed),
      steady: incident.kind === 'flapping',
      left: { down: 0, unseen: 0 },
      missed: null,
    },
  ]
}

/** Notifies of the incidents found after an absence. */
export function notifyAbsence(
  draft: Draft,
  before: NotificationRecord | undefined,
  unreported: readonly Unreported[],
): void {
  const { incidents, headlines, count, keys } = noteDelivered(draft, before, unreported, 'absence')
  const message: Message = { kind: 'absence', ...count, ...headlinesOf(headlines) }
  notifyDigest(
    draft,
    before,
    { digestKind: 'absence', kind: 'digest' },
    message,
    incidents,
    keys,
    countsOf(draft, incidents).down,
  )
}

/** Returns the storm that may still grow. A storm stops growing when none of its incidents needs attention. */
export function growingStorm(draft: Draft): NotificationRecord | undefined {
  const storm = growing(draft, ['storm'], stormPeriodMs)
  return storm !== undefined && storm.incidentIds.some((id) => needsAttention(draft, draft.incidents.get(id)))
    ? storm
    : undefined
}

const needsAttention = (draft: Draft, incident: Incident | undefined): boolean =>
  incident !== undefined &&
  incident.closedAt === null &&
  suppressionOf(draft, draft.rules, incident, draft.now) === null

/** Notifies of many incidents that begin at the same time. */
export function notifyStorm(
  draft: Draft,
  before: NotificationRecord | undefined,
  unreported: readonly Unreported[],
): void {
  const left = before && {
    ...before,
    incidentIds: before.incidentIds.filter((id) => needsAttention(draft, draft.incidents.get(id))),
  }
  const { incidents, headlines, keys } = noteDelivered(draft, left, unreported, 'storm')
  const { down } = countsOf(draft, incidents)
  const flapping = countsOf(
    draft,
    incidents.filter(({ kind }) => kind === 'flapping'),
  ).down.length
  const message: Message = {
    kind: 'storm',
    offline: down.length - flapping,
    flapping,
    where: commonScope(down.map(({ path }) => path)).where,
    ...headlinesOf(headlines),
  }
  notifyDigest(draft, before, { digestKind: 'storm', kind: 'offline' }, message, incidents, keys, down)
}

function notifyDigest(
  draft: Draft,
  before: NotificationRecord | undefined,
  { digestKind, kind }: Pick<NotificationRecord, 'digestKind'> & Pick<Notification, 'kind'>,
  message: Message,
  incidents: readonly Incident[],
  keys: readonly string[],
  down: readonly DownDevice[],
): void {
  const content: Notification = {
    id: before?.content.id ?? newId(draft),
    at: draft.now,
    kind,
    message,
    devices: down.length,
    open: downScope(incidents, down),
  }
  const of = [...new Set([...(before?.incidentIds ?? []), ...incidents.map(({ id }) => id)])]
  const about = [...new Set([...(before?.about ?? []).filter((key) => key.endsWith('/')), ...subjectsOf(incidents)])]
  notify(
    draft,
    { content, about, incidentIds: of, digestKind, firstAt: before?.firstAt ?? draft.now, isGrowing: true },
    keys,
  )
}

export function countsOf(draft: Draft, incidents: readonly Incident[]): IncidentStatus {
  const ids = new Set(incidents.map(({ id }) => id))
  return statusOf(
    draft,
    [...draft.drops.values()].filter((drop) => ids.has(incidentIdOf(drop) ?? '')),
  )
}

/** Returns what a click opens: the only incident, or for several the devices of `down`. */
export function downScope(incidents: readonly Incident[], down: readonly DownDevice[]): Notification['open'] {
  const [only, ...more] = incidents
  if (only !== undefined && more.length === 0) return only.open
  const scope = commonScope(down.map(({ path }) => path)).path[0]?.id ?? 'all'
  return filterOf(
    scope,
    down.map(({ key }) => key),
    down.length === 0 ? '' : 'connected:no',
  )
}

/**
 * The longest time (ms) that a maintenance report waits for devices that are not visible or whose recovery is not
 * confirmed.
 */
const maxReportDelayMs = 10 * 60_000

/**
 * Ends the maintenance windows that are over. The report of each says what changed and what did not recover; devices
 * that are still down are then treated like any other. Incidents in another active window move to that one.
 */
export function endMaintenance(draft: Draft): void {
  const over: MaintenanceRun[] = []
  for (const run of draft.maintenanceRuns.values()) {
    const until = run.endedAt === null ? draft.rules.maintenanceUntil(run.id, draft.now) : null
    if (until === null) over.push(run)
    else if (until !== run.until) draft.maintenanceRuns.set(run.id, { ...run, until })
  }
  if (over.length === 0) return
  // An incident that moves to another window is reported when that one ends.
  const left = Map.groupBy(
    [...draft.incidents.values()].filter(({ closedAt }) => closedAt === null),
    ({ delivery }) => delivery.maintenance?.id,
  )
  const keysByIncident = keysInside(draft)
  for (const run of over) endRun(draft, run, left.get(run.id) ?? [], keysByIncident)
}

const dropsOf = ({ drops }: Draft, keysByIncident: Inside, incidents: readonly Incident[]): Drop[] =>
  incidents.flatMap(({ id }) => keysByIncident.get(id) ?? []).flatMap((key) => drops.get(key) ?? [])

/** `left`: open incidents of the window. `keysOf`: keys of the devices of each incident. */
function endRun(draft: Draft, run: MaintenanceRun, left: readonly Incident[], keysOf: Inside): void {
  const endedAt = run.endedAt ?? draft.now
  const keysByIncident = dropsOf(draft, keysOf, left)
  const isSure =
    !hasPendingUnseen(draft, endedAt) &&
    left.every(({ extent }) => extent.unseen === 0) &&
    keysByIncident.every(({ kind }) => kind !== 'recovering')
  if (!isSure && draft.now < endedAt + maxReportDelayMs)
    return void draft.maintenanceRuns.set(run.id, {
      ...run,
      endedAt,
      until: Math.min(draft.now + renotifyMs, endedAt + maxReportDelayMs),
    })
  if (run.unseenDrops !== null && draft.now < run.unseenDrops.settledAt)
    return void draft.maintenanceRuns.set(run.id, { ...run, endedAt, until: run.unseenDrops.settledAt })
  draft.maintenanceRuns.delete(run.id)
  const open = left.filter((incident) => !moveToNextRun(draft, incident, keysOf)).sort(byWorst)
  const moved = new Set(left.filter((incident) => !open.includes(incident)).map(({ id }) => id))
  for (const incident of open) {
    draft.incidents.set(
      incident.id,
      updated(incident, 'delivery', { maintenance: null, muted: !draft.rules.notifyOffline }),
    )
    note(draft, incident.id, 'maintenance', { kind: 'over', window: run.name })
  }
  const gone = new Set(keysByIncident.filter((drop) => moved.has(incidentIdOf(drop) ?? '')).map(({ key }) => key))
  const ours = new Set(keysByIncident.map(({ key }) => key))
  // Devices that are down again in another window, or in none, are reported there.
  const isDown = (drop: Drop | undefined) => drop !== undefined && backOf(drop) === null
  const isElsewhere = (key: string) =>
    isDown(draft.drops.get(key)) && !ours.has(key) && run.unseenDrops?.keys.includes(key) !== true
  const keys = run.keys.filter((key) => !gone.has(key) && !isElsewhere(key))
  if (draft.rules.notifyOffline && keys.length > 0) notifyMaintenanceEnd(draft, { ...run, keys }, open, keysOf)
}

/** Moves an incident to another window that is active over it. Returns whether there is one. */
function moveToNextRun(draft: Draft, incident: Incident, keysByIncident: Inside): boolean {
  const run = draft.rules.maintenanceAt(idsOf(incident.scope.path), draft.now)
  if (run === null) return false
  const delivery = { maintenance: { id: run.id, name: run.name }, suppressedBy: run.name }
  draft.incidents.set(incident.id, updated(incident, 'delivery', delivery))
  note(draft, incident.id, 'maintenance', { kind: 'kept', window: run.name })
  suspend(draft, run, keysByIncident.get(incident.id) ?? [])
  return true
}

function notifyMaintenanceEnd(
  draft: Draft,
  run: MaintenanceRun,
  open: readonly Incident[],
  keysByIncident: Inside,
): void {
  const fresh = Map.groupBy(
    dropsOf(draft, keysByIncident, open).filter((drop) => isUnreported(draft, drop)),
    (drop) => incidentIdOf(drop) ?? '',
  )
  for (const incident of open) noteNotified(draft, incident, fresh.get(incident.id) ?? [], 'maintenance')
  const statusIn = (of: readonly Incident[]) => statusOf(draft, dropsOf(draft, keysByIncident, of))
  const unseenDrops = stillDownUnseen(draft, run)
  const outages = statusOf(draft, [
    ...dropsOf(
      draft,
      keysByIncident,
      open.filter(({ kind }) => kind === 'outage'),
    ),
    ...unseenDrops,
  ])
  const flapping = statusIn(open.filter(({ kind }) => kind === 'flapping'))
  const still = outages.down.map(({ name }) => name)
  const unseen = outages.unseen + flapping.unseen
  const back = Math.max(0, run.keys.length - still.length - flapping.down.length - unseen)
  const message: Message = {
    kind: 'maintenance',
    window: run.name,
    offline: run.keys.length,
    back,
    still: still.slice(0, maxNamed),
    stillCount: still.length,
    flapping: flapping.down.length,
    unseen,
    missed: missedEnd(run),
  }
  const reported = [
    ...open,
    ...[...new Set(unseenDrops.map((drop) => incidentIdOf(drop) ?? ''))].flatMap((id) => draft.incidents.get(id) ?? []),
  ]
  const target =
    still.length + flapping.down.length === 0
      ? openAt(run.node, '')
      : downScope(reported, [...outages.down, ...flapping.down])
  const content: Notification = {
    id: newId(draft),
    at: draft.now,
    kind: 'digest',
    message,
    devices: still.length,
    open: target,
  }
  const keys = [...fresh.values()].flatMap((drops) => drops.map(({ key }) => key))
  const about = [...subjectsOf(open), ...tenantsOf(run.keys)]
  notify(
    draft,
    { content, about, incidentIds: open.map(({ id }) => id), digestKind: 'none', firstAt: draft.now, isGrowing: false },
    keys,
  )
  keepReport(draft, { id: run.id, name: run.name, at: draft.now, message, about })
}

/** Returns the unobserved end of a window and its span of uncertainty; null when there is none. */
const missedEnd = ({ unseenDrops, endedAt }: MaintenanceRun) =>
  unseenDrops === null || endedAt === null
    ? null
    : { count: unseenDrops.keys.length, from: unseenDrops.from, until: unseenDrops.until, endedAt }

const tenantsOf = (keys: readonly string[]): string[] => [
  ...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1))),
]

import { thresholdsOn, idsOf, isWatched, note, noteReleased, openAt, placesOf, tenantOf, type Draft } from './draft.ts'
import { countedDevices, type DownDevice } from '../grouping/group.ts'
import { commonScope, filterOf } from '../scope/scope.ts'
import { suspend } from '../grouping/assign.ts'
import { splitMoved, split } from '../grouping/split.ts'
import { notifiesOnlyRecovery } from '../suppression.ts'
import type { Slices } from '../cooperative.ts'
import { splitTenants } from '../grouping/split-tenants.ts'
import { incidentIdOf, isDown, isDownIn, type Drop } from './drops/drop.ts'
import { rebootsOf } from './drops/reboots.ts'
import { noOperator, updated, type Incident, type Largest } from './incident.ts'
import type { MessageOf } from '../../../src-shared/model/messages.ts'
import { incidentMessage } from '../message.ts'
import { maxNamed } from '../scope/places.ts'

/** Number of devices without a common place from which an incident is major. */
const majorFrom = 10
/**
 * Share of a place's devices from which its incident is critical. A smaller share is one incident only where the
 * place's own thresholds allow it.
 */
const criticalShare = 0.5
/** The incident of a place is split when no more than this part of its threshold is still down. */
const hysteresis = 0.5

/** Updates each incident from its devices. */
export function* refresh(draft: Draft): Slices<void> {
  yield
  const members = membersOf(draft)
  const isOpen = (incident: Incident, drops: readonly Drop[]) =>
    incident.closedAt === null || drops.some((drop) => isDownIn(drop, incident.id))
  const splitFrom = [...draft.incidents.values()].filter(
    (incident) =>
      isOpen(incident, members.get(incident.id) ?? []) &&
      splitUnexplained(draft, incident, members.get(incident.id) ?? []),
  )
  const now = splitFrom.length === 0 ? members : membersOf(draft)
  for (const incident of draft.incidents.values()) {
    yield
    const drops = now.get(incident.id) ?? []
    if (!isOpen(incident, drops)) continue
    const after = refreshed(draft, incident.closedAt === null ? incident : reopened(draft, incident, drops), drops)
    if (JSON.stringify(after) !== JSON.stringify(incident))
      draft.incidents.set(incident.id, { ...after, changedAt: draft.now })
  }
}

/**
 * Reopens an incident whose devices drop again before its end was notified. An acknowledged or snoozed one begins anew,
 * assigned to nobody, and notifies again.
 */
function reopened(draft: Draft, incident: Incident, drops: readonly Drop[]): Incident {
  if (!notifiesOnlyRecovery(incident)) return { ...incident, closedAt: null }
  noteReleased(draft, incident, 'reopened')
  const run = draft.rules.maintenanceAt(idsOf(incident.scope.path), draft.now)
  const begun: Incident = { ...incident, closedAt: null, operator: noOperator }
  if (run === null || incident.extent.watched > 0)
    return updated(begun, 'delivery', {
      renotify: incident.delivery.notifiedAt !== null && draft.rules.notifyOffline,
    })
  suspend(
    draft,
    run,
    drops.map(({ key }) => key),
  )
  return updated(begun, 'delivery', { maintenance: { id: run.id, name: run.name }, suppressedBy: run.name })
}

function membersOf({ drops }: Draft): Map<string, Drop[]> {
  return Map.groupBy(
    [...drops.values()].filter(({ kind }) => kind !== 'suspect'),
    (drop) => incidentIdOf(drop) ?? '',
  )
}

export interface IncidentStatus {
  /** Devices seen to be down or to flap; the one that dropped last comes first. */
  down: DownDevice[]
  /** Number of devices that were down when last seen and are not visible now (invariant 4). */
  unseen: number
}

export function statusOf({ found }: Draft, drops: readonly Drop[]): IncidentStatus {
  const down: DownDevice[] = []
  let unseen = 0
  for (const drop of drops) {
    if (!isDown(drop)) continue
    const { kind, key, at, notBefore } = drop
    const device = found.get(key)
    if (device !== undefined && (kind === 'flapping' ? device.status !== 'unknown' : device.status === 'disconnected'))
      down.push({ key, at, notBefore, name: device.name, path: device.path })
    else unseen += 1
  }
  return { down: down.sort((a, b) => b.at - a.at), unseen }
}

/**
 * Splits off the devices that the place of an incident no longer explains, and those that moved to another place.
 * Returns whether there were any.
 */
function splitUnexplained(draft: Draft, incident: Incident, drops: readonly Drop[]): boolean {
  const [place] = incident.scope.path
  if (incident.scope.shape !== 'node') return splitTenants(draft, incident, drops)
  if (place === undefined) return false
  const { down, unseen } = statusOf(draft, drops)
  const moved = down.filter(({ path }) => !path.some(({ id }) => id === place.id))
  const isElsewhere = unseen === 0 && moved.length > 0 && moved.length === down.length
  if (isElsewhere || !isExplained(draft, incident, drops, { down, unseen })) split(draft, incident, down)
  else if (moved.length > 0) splitMoved(draft, incident, moved, unseen === 0 ? down : null)
  else return false
  return true
}

/**
 * Returns whether the place still explains the incident. It does while some devices are not visible, and recovering
 * devices still count as down.
 */
function isExplained(
  draft: Draft,
  { scope: { path }, extent: { peak } }: Incident,
  drops: readonly Drop[],
  { down, unseen }: IncidentStatus,
): boolean {
  const node = draft.places.get(path[0]?.id ?? '')
  const still = down.length + drops.filter(({ kind }) => kind === 'recovering').length
  const { minShare, minDevices } = thresholdsOn(draft, path)
  if (
    node?.kind === 'region' &&
    unseen === 0 &&
    still === down.length &&
    new Set(down.map((one) => tenantOf(one.path))).size < 2
  )
    return down.length === 0
  return (
    node === undefined ||
    unseen > 0 ||
    down.length === 0 ||
    still * 2 >= peak ||
    (still >= minDevices && still > hysteresis * minShare * countedDevices(node, still))
  )
}

function refreshed(draft: Draft, incident: Incident, drops: readonly Drop[]): Incident {
  const isOver = drops.every(({ kind }) => kind === 'recovered')
  const { down, unseen } = statusOf(draft, drops)
  if (isOver) {
    const { count } = incident.recovery.unlisted
    note(draft, incident.id, 'closed', count === 0 ? { kind: 'none' } : { kind: 'unlisted', count })
    return { ...updated(incident, 'extent', { down: 0, unseen: 0, othersDown: 0 }), closedAt: draft.now }
  }
  const now: Incident = {
    ...incident,
    scope: down.length === 0 ? incident.scope : scopeOf(down, incident.scope),
    extent: extentOf(draft, incident, { down, unseen }),
    // Devices of one room share one path object.
    about: [
      ...new Set([
        ...incident.about,
        ...[...new Set(down.map(({ path }) => path))].map((path) => `${tenantOf(path)}/`),
      ]),
    ],
  }
  const result = { ...now, severity: severityOf(now) }
  const content = {
    ...result,
    message: incidentMessage(result, overriddenMaintenance(draft, result, down)),
    open: targetOf(now, down),
  }
  return { ...content, largest: largestOf(content) }
}

function extentOf(
  draft: Draft,
  { kind, scope, extent }: Incident,
  { down, unseen }: IncidentStatus,
): Incident['extent'] {
  const place = draft.places.get(scope.path[0]?.id ?? '')
  const othersDown =
    scope.shape === 'node' && kind === 'outage' && place !== undefined ? Math.max(0, place.offline - down.length) : 0
  const counts = {
    down: down.length,
    unseen,
    othersDown,
    total: scope.shape === 'node' ? (place?.devices ?? extent.total) : null,
    peak: Math.max(extent.peak, down.length + unseen),
    peakInPlace: Math.max(extent.peakInPlace, down.length + unseen + othersDown),
  }
  const { spares: _spares, ...withoutSpares } = extent
  if (down.length === 0) return { ...withoutSpares, ...counts }
  const { reboots: _reboots, ...before } = withoutSpares
  const spares = down.filter(({ key }) => draft.found.get(key)?.isSpare === true).length
  const reboots = kind === 'outage' ? rebootsOf(draft, down) : null
  const first = down.reduce((least, one) => (one.at < least.at ? one : least))
  return {
    ...before,
    ...counts,
    ...(reboots !== null && { reboots }),
    ...(spares > 0 && { spares }),
    named: down.slice(0, maxNamed).map(({ key, name }) => ({ key, name })),
    // The first device was found down, so nobody knows since when it is.
    since: first.notBefore === null ? first.at : null,
    foundAt: first.at,
    watched: down.filter(({ key, path }) => isWatched(draft, key, path)).length,
  }
}

/**
 * Returns the maintenance window that a watched device overrode, and how many devices are down in its place; null for
 * none.
 */
function overriddenMaintenance(
  { rules, now, incidents, places }: Draft,
  { delivery: { overrode } }: Incident,
  down: readonly DownDevice[],
): MessageOf<'offline'>['overrode'] {
  const path = down[0]?.path ?? []
  const run = overrode === '' ? null : rules.maintenanceAt(idsOf(path), now)
  if (run === null) return null
  const isPart = ({ delivery: { maintenance }, scope, closedAt }: Incident) =>
    maintenance?.id === run.id &&
    scope.shape === 'node' &&
    closedAt === null &&
    path.some(({ id }) => id === scope.path[0]?.id)
  const [place] = [...incidents.values()].find(isPart)?.scope.path ?? []
  return { window: run.name, place: place?.name ?? '', down: places.get(place?.id ?? '')?.offline ?? 0 }
}

/**
 * Returns the larger of the present and the largest extent. At equal size the present one wins, because its names are
 * newer.
 */
function largestOf({ scope, extent, severity, message, largest }: Incident): Largest {
  const { named, since, foundAt, total, peak, peakInPlace, down, unseen, reboots } = extent
  if (largest !== null && (peak < largest.extent.peak || down + unseen < peak)) return largest
  return {
    scope,
    extent: {
      named,
      since: largest?.extent.since ?? since,
      foundAt: largest?.extent.foundAt ?? foundAt,
      total,
      peak,
      peakInPlace,
      ...(reboots !== undefined && { reboots }),
    },
    severity,
    message,
  }
}

/** Returns the present scope of the devices. One device that others joined becomes `several`. */
function scopeOf(down: readonly DownDevice[], scope: Incident['scope']): Incident['scope'] {
  if (scope.shape === 'node') return scope
  const { path, where, context } = commonScope(down.map((one) => one.path))
  return { shape: down.length > 1 ? 'several' : scope.shape, path: placesOf(path), where, context }
}

/**
 * Returns the severity by the devices that are down, visible or not. `critical`: a watched device, or most of a site,
 * tenant or region. `major`: a room, a smaller part of a place, flapping in a place, or many devices. `minor`: the
 * rest, and where all of them are spares; a spare does not count.
 */
function severityOf({ kind, scope: { shape, path }, extent }: Incident): Incident['severity'] {
  const { watched, down, unseen, othersDown, total, spares = 0 } = extent
  if (watched > 0) return 'critical'
  const now = down + unseen - spares
  if (spares > 0 && now === 0) return 'minor'
  if (shape !== 'node') return now >= majorFrom ? 'major' : 'minor'
  const isMost = total === null || now + othersDown >= criticalShare * total
  return path[0]?.kind === 'room' || kind === 'flapping' || !isMost ? 'major' : 'critical'
}

/**
 * Returns what a click opens: all devices that are down in a place, or exactly the devices of an incident without a
 * place.
 */
function targetOf({ id, kind, scope: { shape, path } }: Incident, down: readonly DownDevice[]): Incident['open'] {
  const scope = path[0]?.id ?? 'all'
  const open =
    shape === 'node' && kind === 'outage' && down.length !== 1
      ? openAt(scope, 'connected:no')
      : filterOf(
          scope,
          down.map(({ key }) => key),
          'connected:no',
        )
  return { ...open, incident: id }
}

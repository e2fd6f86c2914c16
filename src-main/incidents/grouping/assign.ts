import {
  assign,
  mergeUnlisted,
  countDown,
  thresholdsOn,
  idsOf,
  isWatched,
  keysInside,
  laterRecovery,
  note,
  noteReleased,
  openIncidents,
  tenantOf,
  type Draft,
} from '../engine/draft.ts'
import { group, type DownDevice, type DeviceGroup } from './group.ts'
import { suspendUnseen } from '../engine/maintenance/end.ts'
import {
  openIncident,
  maxSingles,
  newLocation,
  ofDevice,
  ofPlace,
  ofSeveral,
  addDevices,
  tenantsIn,
  type GroupKey,
} from '../engine/incident-draft.ts'
import type { Slices } from '../cooperative.ts'
import { backOf, incidentIdOf } from '../engine/drops/drop.ts'
import type { Incident, Largest } from '../engine/incident.ts'
import { outageMs } from '../engine/state.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

/**
 * Devices without a common place that drop within this time of each other count together. The resulting incident takes
 * more devices for as long after it opened.
 */
const singlesMs = 10 * 60_000

/**
 * Assigns devices that were down for the hold-off, or flap: they join the open incidents that they belong to, or form
 * new ones.
 */
export function* assignDevices(
  draft: Draft,
  kind: Incident['kind'],
  origin: Incident['origin'],
  down: readonly DownDevice[],
): Slices<void> {
  for (const { maintenance, overrode, members } of yield* byMaintenance(draft, down)) {
    yield
    const groupKey: GroupKey = { kind, origin, maintenance, overrode }
    const rest = joinOpen(draft, groupKey, members)
    yield
    const before = recentGrowth(draft, groupKey)
    yield
    const { groups, left } = group(rest, before.downByPlace, (path) => thresholdsOn(draft, path))
    for (const group of groups) {
      yield
      assignGroup(draft, groupKey, group, before)
    }
    yield
    assignSingles(draft, groupKey, left, before)
  }
}

type ActiveRun = NonNullable<ReturnType<Draft['rules']['maintenanceAt']>>

/**
 * Returns the maintenance window that a device went down in. A device that was seen to go down before the window began
 * is not in it, whatever its hold-off.
 */
function maintenanceOf({ rules, now }: Draft, { path, at, notBefore }: DownDevice): ActiveRun | null {
  const run = rules.maintenanceAt(idsOf(path), now)
  return run !== null && notBefore === null && rules.maintenanceAt(idsOf(path), at) === null ? null : run
}

/** Groups devices by maintenance window. Watched devices override their window and form a group of their own. */
function* byMaintenance(
  draft: Draft,
  down: readonly DownDevice[],
): Slices<(Pick<GroupKey, 'maintenance' | 'overrode'> & { members: DownDevice[] })[]> {
  const groups = new Map<string, { run: ActiveRun | null; overrides: boolean; members: DownDevice[] }>()
  for (const one of down) {
    yield
    const run = maintenanceOf(draft, one)
    const overrides = run !== null && isWatched(draft, one.key, one.path)
    const id = run === null ? '' : `${overrides ? '!' : ' '}${run.id}`
    const group = groups.get(id) ?? { run, overrides, members: [] }
    groups.set(id, group)
    group.members.push(one)
  }
  const result: (Pick<GroupKey, 'maintenance' | 'overrode'> & { members: DownDevice[] })[] = []
  for (const { run, overrides, members } of groups.values()) {
    if (run !== null && !overrides) {
      suspend(
        draft,
        run,
        members.map(({ key }) => key),
      )
      result.push({ maintenance: { id: run.id, name: run.name }, overrode: '', members })
    } else {
      yield* suspendUnseen(draft, members)
      result.push({ maintenance: null, overrode: run?.name ?? '', members })
    }
  }
  return result
}

export function suspend(
  { maintenanceRuns: runs }: Draft,
  { id, name, node, until }: ActiveRun,
  keys: readonly string[],
): void {
  const known = runs.get(id)
  runs.set(id, {
    id,
    name,
    node,
    until,
    endedAt: known?.endedAt ?? null,
    keys: [...new Set([...(known?.keys ?? []), ...keys])],
    unseenDrops: known?.unseenDrops ?? null,
  })
}

/** Returns whether an incident can take the devices of a group. Muted and unmuted incidents do not mix. */
const isSameGroup = (
  { rules }: Draft,
  groupKey: GroupKey,
  { kind, delivery: { maintenance, muted } }: Incident,
): boolean =>
  kind === groupKey.kind &&
  (maintenance?.id ?? null) === (groupKey.maintenance?.id ?? null) &&
  muted === !rules.notifyOffline

/** Adds devices to open incidents of their place while most of that place is still down. Returns the rest. */
function joinOpen(draft: Draft, groupKey: GroupKey, down: readonly DownDevice[]): DownDevice[] {
  const counts = countDown(draft)
  const joinable = new Map<string, Incident>()
  for (const one of openIncidents(draft).toReversed()) {
    const [node] = one.scope.path
    if (
      one.scope.shape === 'node' &&
      node !== undefined &&
      isSameGroup(draft, groupKey, one) &&
      (counts.get(one.id) ?? 0) * 2 >= one.extent.peak
    )
      joinable.set(node.id, one)
  }
  const joining = new Map<Incident, DownDevice[]>()
  const rest: DownDevice[] = []
  for (const one of down) {
    const node = one.path.find(({ id }) => joinable.has(id))
    const incident = node === undefined ? undefined : joinable.get(node.id)
    if (incident === undefined) rest.push(one)
    else {
      const members = joining.get(incident) ?? []
      members.push(one)
      joining.set(incident, members)
    }
  }
  for (const [incident, members] of joining) addDevices(draft, incident, members)
  return rest
}

/** Incidents that grew lately and may become part of a place that is down. */
interface RecentGrowth {
  /** Number of devices of each place that are down in these incidents. They count toward the place's thresholds. */
  downByPlace: ReadonlyMap<string, number>
  /** Open incidents in each place, and incidents without a common place that have devices there. */
  incidentsByPlace: ReadonlyMap<string, readonly Incident[]>
  /** Keys of the devices of each incident. */
  keysByIncident: ReadonlyMap<string, readonly string[]>
  /** Locations of the devices of each incident without a common place. */
  scattered: ReadonlyMap<string, readonly { key: string; path: readonly { id: string }[] }[]>
}

function recentGrowth(draft: Draft, groupKey: GroupKey): RecentGrowth {
  const counts = countDown(draft)
  const more = new Map<string, number>()
  const within = new Map<string, Incident[]>()
  const scattered = new Map<string, { key: string; path: readonly { id: string }[] }[]>()
  const open = openIncidents(draft).filter((one) => isAbsorbable(draft, groupKey, one))
  const several = new Map(open.filter(({ scope }) => scope.shape === 'several').map((one) => [one.id, one]))
  const add = (id: string, incident: Incident, count: number) => {
    more.set(id, (more.get(id) ?? 0) + count)
    const known = listIn(within, id)
    if (known.at(-1) !== incident) known.push(incident)
  }
  for (const incident of open)
    if (!several.has(incident.id))
      for (const { id } of incident.scope.path) add(id, incident, counts.get(incident.id) ?? 0)
  for (const drop of several.size === 0 ? [] : draft.drops.values()) {
    const of = backOf(drop) === null ? several.get(incidentIdOf(drop) ?? '') : undefined
    const path = draft.found.get(drop.key)?.path
    if (of === undefined || path === undefined) continue
    listIn(scattered, of.id).push({ key: drop.key, path })
    for (const { id } of path) add(id, of, 1)
  }
  return { downByPlace: more, incidentsByPlace: within, keysByIncident: keysInside(draft), scattered }
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

const isAbsorbable = (draft: Draft, groupKey: GroupKey, incident: Incident): boolean =>
  isSameGroup(draft, groupKey, incident) && incident.grewAt > draft.now - outageMs

/**
 * Opens or extends the incident of a place that is down. It absorbs open incidents of places and devices in it and
 * keeps the id of the oldest. Of an incident without a common place it takes only the devices in this place.
 */
function assignGroup(
  draft: Draft,
  groupKey: GroupKey,
  group: DeviceGroup,
  { incidentsByPlace: within, keysByIncident, scattered }: RecentGrowth,
): void {
  const isHere = ({ path }: { path: readonly { id: string }[] }) => path.some(({ id }) => id === group.node.id)
  const all = [...new Set(within.get(group.node.id))]
    .flatMap(({ id }) => draft.incidents.get(id) ?? [])
    .filter(({ closedAt }) => closedAt === null)
  const whole = all.filter((one) => one.scope.shape !== 'several' || (scattered.get(one.id) ?? []).every(isHere))
  const made = ofPlace(draft, groupKey, group)
  const id = mergeInto(draft, whole, made, group.members, keysByIncident)
  for (const part of all)
    if (!whole.includes(part))
      assign(
        draft,
        (scattered.get(part.id) ?? []).filter(isHere).map(({ key }) => key),
        id,
      )
}

/** Assigns devices without a common place, tenant by tenant, because drops of different customers are unrelated. */
function assignSingles(draft: Draft, groupKey: GroupKey, left: readonly DownDevice[], before: RecentGrowth): void {
  if (left.length === 0) return
  // Devices that override a maintenance window form incidents of their own.
  const recent = openIncidents(draft).filter(
    (one) =>
      isSameGroup(draft, groupKey, one) &&
      one.delivery.overrode === groupKey.overrode &&
      one.origin === groupKey.origin &&
      one.grewAt > draft.now - singlesMs,
  )
  const byTenant = Map.groupBy(recent, ({ scope }) => tenantOf(scope.path))
  for (const members of tenantsIn(left))
    assignTenantSingles(draft, groupKey, members, byTenant.get(tenantOf(members[0]?.path ?? [])) ?? [], before)
}

/** Opens an incident for each of a few devices, or one for many. `recent`: the open incidents of their tenant. */
function assignTenantSingles(
  draft: Draft,
  groupKey: GroupKey,
  left: readonly DownDevice[],
  recent: readonly Incident[],
  { keysByIncident }: RecentGrowth,
): void {
  // An acknowledged or snoozed incident stays as the operator knows it, and the rest of a split place does not collect
  // other devices: neither takes new drops.
  const untouched = recent.filter(({ operator }) => operator.acknowledged === null && operator.snoozed === null)
  const several = untouched.find(
    ({ scope, openedAt, splitFrom, largest }) =>
      scope.shape === 'several' &&
      openedAt > draft.now - singlesMs &&
      splitFrom === null &&
      largest?.scope.shape !== 'node',
  )
  if (several !== undefined) return addDevices(draft, several, left)
  const alone = untouched.filter(({ scope }) => scope.shape === 'device')
  if (alone.length + left.length > maxSingles) mergeInto(draft, alone, ofSeveral(draft, groupKey), left, keysByIncident)
  else for (const one of left) openIncident(draft, ofDevice(draft, groupKey, one), [one])
}

/**
 * Merges incidents into the oldest of them, or opens `made` when there are none. `keysByIncident`: keys of their
 * devices. Returns the id.
 */
function mergeInto(
  draft: Draft,
  parts: readonly Incident[],
  made: Incident,
  members: readonly DownDevice[],
  keysByIncident: RecentGrowth['keysByIncident'],
): string {
  const [base, ...others] = parts.toSorted((a, b) => a.openedAt - b.openedAt)
  if (base === undefined) {
    openIncident(draft, made, members)
    return made.id
  }
  for (const other of others) {
    assign(draft, keysByIncident.get(other.id) ?? [], base.id)
    const recovery = { ...other.recovery, last: null }
    draft.incidents.set(other.id, { ...other, closedAt: draft.now, changedAt: draft.now, recovery })
    note(draft, other.id, 'joined', { kind: 'partOf', where: made.scope.where })
  }
  const { id, openedAt, about } = base
  const joined: Incident = {
    ...made,
    id,
    openedAt,
    about,
    origin: parts.every(({ origin }) => origin === 'absence') ? made.origin : 'now',
    extent: { ...made.extent, peak: largest(parts.map(({ extent }) => extent.peak)) },
    largest: parts
      .flatMap(({ largest }) => largest ?? [])
      .reduce<Largest | null>((most, one) => (most === null || one.extent.peak > most.extent.peak ? one : most), null),
    recovery: mergedRecovery(parts),
    delivery: mergedDelivery(made, base, parts),
  }
  draft.incidents.set(id, joined)
  noteReleased(draft, base, 'grown')
  note(draft, id, 'moved', newLocation(joined.scope))
  addDevices(draft, joined, members)
  return id
}

function mergedRecovery(parts: readonly Incident[]): Incident['recovery'] {
  const all = parts.map(({ recovery }) => recovery)
  return {
    last: all.reduce<Incident['recovery']['last']>((last, one) => laterRecovery(last, one.last), null),
    recovered: [...new Set(all.flatMap(({ recovered }) => recovered))],
    unreported: [...new Set(all.flatMap(({ unreported }) => unreported))],
    unlisted: all.map(({ unlisted }) => unlisted).reduce(mergeUnlisted),
  }
}

/** Returns the delivery of an incident that continues `base`, or else the part that was notified last. */
function mergedDelivery(made: Incident, base: Incident, parts: readonly Incident[]): Incident['delivery'] {
  const notified =
    base.delivery.notifiedAt === null
      ? parts
          .map(({ delivery }) => delivery)
          .filter(({ notifiedAt }) => notifiedAt !== null)
          .toSorted((one, other) => (other.notifiedAt ?? 0) - (one.notifiedAt ?? 0))[0]
      : base.delivery
  const { suppressedBy } = made.delivery.suppressedBy === '' ? base.delivery : made.delivery
  return {
    ...made.delivery,
    notifiedAt: notified?.notifiedAt ?? null,
    recoveryNotifiedAt: base.delivery.recoveryNotifiedAt,
    reason: notified?.reason ?? null,
    suppressedBy,
  }
}

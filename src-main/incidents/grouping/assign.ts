import {
  assign,
  bothUnlisted,
  countDown,
  thresholdsOn,
  idsOf,
  isMarked,
  keysInside,
  laterBack,
  note,
  openIncidents,
  tenantOf,
  type Draft,
} from '../engine/draft.ts'
import { group, type DownDevice, type DeviceGroup } from './group.ts'
import { suspendUnseen } from '../engine/maintenance-end.ts'
import {
  openIncident,
  emptyIncident,
  mostAlone,
  movedTo,
  ofDevice,
  ofPlace,
  addDevices,
  tenantsIn,
  type Sort,
} from '../engine/incident-draft.ts'
import type { Slices } from '../cooperative.ts'
import { outageMs, type Incident } from '../engine/state.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

/** Devices alone within this time of each other count together for that; and as long it takes more of them, from its first. */
const aloneMs = 10 * 60_000

/** Devices that have been down for the hold-off, or flap: they join what is open where they belong to it, or are folded. */
export function* assignDevices(
  draft: Draft,
  kind: Incident['kind'],
  why: Incident['why'],
  down: readonly DownDevice[],
): Slices<void> {
  for (const { quiet, through, members } of yield* byQuiet(draft, down)) {
    yield
    const sort: Sort = { kind, why, quiet, through }
    const rest = joinLiving(draft, sort, members)
    yield
    const before = lately(draft, sort)
    yield
    const { folded, left } = group(rest, before.more, (path) => thresholdsOn(draft, path))
    for (const group of folded) {
      yield
      placeGroup(draft, sort, group, before)
    }
    yield
    placeLeft(draft, sort, left, before)
  }
}

type Window = NonNullable<ReturnType<Draft['rules']['quietAt']>>

/** The maintenance window that a device went down in. One that was seen to go down before it began did not, whatever the hold-off. */
function windowOf({ rules, now }: Draft, { path, at, notBefore }: DownDevice): Window | null {
  const window = rules.quietAt(idsOf(path), now)
  return window !== null && notBefore === null && rules.quietAt(idsOf(path), at) === null ? null : window
}

/** What lies in a maintenance window is kept apart from the rest; what is on the watch list breaks through it, and stands apart from both. */
function* byQuiet(
  draft: Draft,
  down: readonly DownDevice[],
): Slices<(Pick<Sort, 'quiet' | 'through'> & { members: DownDevice[] })[]> {
  const groups = new Map<string, { window: Window | null; breaks: boolean; members: DownDevice[] }>()
  for (const one of down) {
    yield
    const window = windowOf(draft, one)
    const breaks = window !== null && isMarked(draft, one.key, one.path)
    const id = window === null ? '' : `${breaks ? '!' : ' '}${window.id}`
    const group = groups.get(id) ?? { window, breaks, members: [] }
    groups.set(id, group)
    group.members.push(one)
  }
  const apart: (Pick<Sort, 'quiet' | 'through'> & { members: DownDevice[] })[] = []
  for (const { window, breaks, members } of groups.values()) {
    if (window !== null && !breaks) {
      suspend(
        draft,
        window,
        members.map(({ key }) => key),
      )
      apart.push({ quiet: { id: window.id, name: window.name }, through: '', members })
    } else {
      yield* suspendUnseen(draft, members)
      apart.push({ quiet: null, through: window?.name ?? '', members })
    }
  }
  return apart
}

export function suspend({ held }: Draft, { id, name, node, until }: Window, keys: readonly string[]): void {
  const known = held.get(id)
  held.set(id, {
    id,
    name,
    node,
    until,
    overAt: known?.overAt ?? null,
    keys: [...new Set([...(known?.keys ?? []), ...keys])],
    hidden: known?.hidden ?? null,
  })
}

/** What was not to be told when it began takes nothing that is, and the other way round. */
const isSame = ({ rules }: Draft, { kind, quiet }: Sort, incident: Incident): boolean =>
  incident.kind === kind && (incident.quiet?.id ?? null) === (quiet?.id ?? null) && incident.mute === !rules.offline

/** A place that is open, and most of which still is down, takes what comes down in it. */
function joinLiving(draft: Draft, sort: Sort, down: readonly DownDevice[]): DownDevice[] {
  const counts = countDown(draft)
  const living = new Map<string, Incident>()
  for (const one of openIncidents(draft).toReversed()) {
    const [node] = one.path
    if (
      one.shape === 'node' &&
      node !== undefined &&
      isSame(draft, sort, one) &&
      (counts.get(one.id) ?? 0) * 2 >= one.peak
    )
      living.set(node.id, one)
  }
  const joining = new Map<Incident, DownDevice[]>()
  const rest: DownDevice[] = []
  for (const one of down) {
    const node = one.path.find(({ id }) => living.has(id))
    const incident = node === undefined ? undefined : living.get(node.id)
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

/** What grew lately, and may become a part of a place that is down. */
interface Lately {
  /** How many devices of each place are down by it: with them a place may be explained. */
  more: ReadonlyMap<string, number>
  /** What is open in each place, and what no place explained of which some is there. */
  within: ReadonlyMap<string, readonly Incident[]>
  /** Keys of the devices of each incident. */
  inside: ReadonlyMap<string, readonly string[]>
  /** Where the devices are that no place explained. */
  scattered: ReadonlyMap<string, readonly { key: string; path: readonly { id: string }[] }[]>
}

function lately(draft: Draft, sort: Sort): Lately {
  const counts = countDown(draft)
  const more = new Map<string, number>()
  const within = new Map<string, Incident[]>()
  const scattered = new Map<string, { key: string; path: readonly { id: string }[] }[]>()
  const open = openIncidents(draft).filter((one) => isAbsorbable(draft, sort, one))
  const several = new Map(open.filter(({ shape }) => shape === 'several').map((one) => [one.id, one]))
  const add = (id: string, incident: Incident, count: number) => {
    more.set(id, (more.get(id) ?? 0) + count)
    const known = listIn(within, id)
    if (known.at(-1) !== incident) known.push(incident)
  }
  for (const incident of open)
    if (!several.has(incident.id)) for (const { id } of incident.path) add(id, incident, counts.get(incident.id) ?? 0)
  for (const { key, incident, backAt } of several.size === 0 ? [] : draft.drops.values()) {
    const of = backAt === null ? several.get(incident ?? '') : undefined
    const path = draft.found.get(key)?.path
    if (of === undefined || path === undefined) continue
    listIn(scattered, of.id).push({ key, path })
    for (const { id } of path) add(id, of, 1)
  }
  return { more, within, inside: keysInside(draft), scattered }
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

const isAbsorbable = (draft: Draft, sort: Sort, incident: Incident): boolean =>
  isSame(draft, sort, incident) && incident.grewAt > draft.now - outageMs

/**
 * A place that is down. What is open of places and devices in it becomes a part of it: an outage that grows keeps its id.
 * Of what no place explained it takes those that are in it.
 */
function placeGroup(draft: Draft, sort: Sort, group: DeviceGroup, { within, inside, scattered }: Lately): void {
  const isHere = ({ path }: { path: readonly { id: string }[] }) => path.some(({ id }) => id === group.node.id)
  const all = [...new Set(within.get(group.node.id))]
    .flatMap(({ id }) => draft.incidents.get(id) ?? [])
    .filter(({ closedAt }) => closedAt === null)
  const whole = all.filter((one) => one.shape !== 'several' || (scattered.get(one.id) ?? []).every(isHere))
  const made = ofPlace(draft, sort, group)
  const id = become(draft, whole, made, group.members, inside)
  for (const part of all)
    if (!whole.includes(part))
      assign(
        draft,
        (scattered.get(part.id) ?? []).filter(isHere).map(({ key }) => key),
        id,
      )
}

/** What no place explains, tenant by tenant: what drops at one customer has nothing to do with another one's. */
function placeLeft(draft: Draft, sort: Sort, left: readonly DownDevice[], before: Lately): void {
  if (left.length === 0) return
  // What breaks through a window is told for itself: what drops elsewhere has nothing to do with it.
  const recent = openIncidents(draft).filter(
    (one) =>
      isSame(draft, sort, one) &&
      one.through === sort.through &&
      one.why === sort.why &&
      one.grewAt > draft.now - aloneMs,
  )
  const byTenant = Map.groupBy(recent, ({ path }) => tenantOf(path))
  for (const members of tenantsIn(left))
    placeSingles(draft, sort, members, byTenant.get(tenantOf(members[0]?.path ?? [])) ?? [], before)
}

/** A few alone, more as one. `recent`: what is open of their tenant. */
function placeSingles(
  draft: Draft,
  sort: Sort,
  left: readonly DownDevice[],
  recent: readonly Incident[],
  { inside }: Lately,
): void {
  // What somebody has taken on is known to them as it was, and what is left of a place gathered nothing: neither holds what else drops.
  const gathers = ({ acknowledged, snoozed, parted, largest }: Incident) =>
    acknowledged === null && snoozed === null && parted === null && largest?.shape !== 'node'
  const several = recent.find((one) => one.shape === 'several' && one.openedAt > draft.now - aloneMs && gathers(one))
  if (several !== undefined) return addDevices(draft, several, left)
  const alone = recent.filter((one) => one.shape === 'device' && one.acknowledged === null && one.snoozed === null)
  if (alone.length + left.length > mostAlone)
    become(draft, alone, { ...emptyIncident(draft, sort), shape: 'several' }, left, inside)
  else for (const one of left) openIncident(draft, ofDevice(draft, sort, one), [one])
}

/** The oldest of these becomes this one, the others are a part of it; without any it is a new one. `inside`: keys of their devices. */
function become(
  draft: Draft,
  parts: readonly Incident[],
  made: Incident,
  members: readonly DownDevice[],
  inside: Lately['inside'],
): string {
  const [base, ...others] = parts.toSorted((a, b) => a.openedAt - b.openedAt)
  if (base === undefined) {
    openIncident(draft, made, members)
    return made.id
  }
  for (const other of others) {
    assign(draft, inside.get(other.id) ?? [], base.id)
    draft.incidents.set(other.id, { ...other, closedAt: draft.now, changedAt: draft.now, lastBack: null })
    note(
      draft,
      other.id,
      'joined',
      `became a part of ${made.where === '' ? 'several devices' : made.where.replace(/^in /u, '')}`,
    )
  }
  const { id, openedAt, toldAt, backToldAt } = base
  const told =
    toldAt === null
      ? parts.filter((part) => part.toldAt !== null).toSorted((a, b) => (b.toldAt ?? 0) - (a.toldAt ?? 0))[0]
      : base
  const joined: Incident = {
    ...made,
    id,
    openedAt,
    backToldAt,
    keptIn: made.keptIn === '' ? base.keptIn : made.keptIn,
    toldAt: told?.toldAt ?? null,
    telling: told?.telling ?? null,
    why: parts.every(({ why }) => why === 'absence') ? made.why : 'now',
    about: base.about,
    largest: parts
      .flatMap(({ largest }) => largest ?? [])
      .reduce<Incident['largest']>((most, one) => (most === null || one.peak > most.peak ? one : most), null),
    lastBack: parts.reduce<Incident['lastBack']>((last, part) => laterBack(last, part.lastBack), null),
    backs: [...new Set(parts.flatMap(({ backs }) => backs))],
    unsaid: [...new Set(parts.flatMap(({ unsaid }) => unsaid))],
    unlisted: parts.map(({ unlisted }) => unlisted).reduce(bothUnlisted),
    peak: largest(parts.map(({ peak }) => peak)),
  }
  draft.incidents.set(id, joined)
  if (base.acknowledged !== null || base.snoozed !== null)
    note(draft, id, 'released', 'it has grown beyond what was known')
  note(draft, id, 'moved', movedTo(joined))
  addDevices(draft, joined, members)
  return id
}

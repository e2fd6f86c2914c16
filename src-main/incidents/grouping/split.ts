import { thresholdsOn, note, type Draft } from '../engine/draft.ts'
import { group, type DownDevice, type DeviceGroup } from './group.ts'
import {
  groupKeyOf,
  openIncident,
  maxSingles,
  newLocation,
  ofDevice,
  ofPlace,
  ofSeveral,
  tenantsIn,
  type GroupKey,
} from '../engine/incident-draft.ts'
import { updated, type Incident } from '../engine/incident.ts'

/** Splits an incident whose place no longer explains its devices. The parts are not notified again. */
export function split(draft: Draft, incident: Incident, down: readonly DownDevice[]): void {
  const { groups, left } = group(down, new Map(), (path) => thresholdsOn(draft, path))
  const [first, ...others] = groups.toSorted((a, b) => b.members.length - a.members.length)
  const [single = [], ...elsewhere] = tenantsIn(left)
  const keep = (change: Partial<Incident['scope']>) => {
    const { extent, recovery } = incident
    const scope = { ...incident.scope, ...change }
    draft.incidents.set(incident.id, {
      ...incident,
      scope,
      extent: { ...extent, peak: 0, peakInPlace: 0 },
      // Recoveries in the former place were notified with it, except the unreported ones.
      recovery: { ...recovery, recovered: recovery.unreported },
    })
    note(draft, incident.id, 'moved', newLocation(scope))
  }
  // The incident continues as the largest part.
  const isLarger = single.length > maxSingles && single.length > (first?.members.length ?? 0)
  if (first !== undefined && !isLarger) {
    const { path, where, context } = ofPlace(draft, groupKeyOf(incident), first).scope
    keep({ path, where, context })
    openParts(draft, incident, { groups: others, left })
    return
  }
  const [only] = single
  if (single.length === 1 && only !== undefined) {
    keep(ofDevice(draft, groupKeyOf(incident), only).scope)
  } else keep({ shape: 'several', path: [] })
  openParts(draft, incident, { groups, left: elsewhere.flat() })
}

/**
 * Splits off devices that moved out of the incident's place. Where one place explains all devices, the incident
 * continues there. `all`: all of its devices that are down; null while some are not visible.
 */
export function splitMoved(
  draft: Draft,
  incident: Incident,
  moved: readonly DownDevice[],
  all: readonly DownDevice[] | null,
): void {
  const whole = all && group(all, new Map(), (path) => thresholdsOn(draft, path))
  if (all !== null && whole?.left.length === 0 && whole.groups.length === 1) return split(draft, incident, all)
  openParts(
    draft,
    incident,
    group(moved, new Map(), (path) => thresholdsOn(draft, path)),
  )
  note(draft, incident.id, 'moved', { kind: 'elsewhere', count: moved.length })
}

/** Opens the parts of an incident with its notification state. */
function openParts(
  draft: Draft,
  incident: Incident,
  { groups, left }: { groups: readonly DeviceGroup[]; left: readonly DownDevice[] },
): void {
  const { notifiedAt, reason, muted, renotify } = incident.delivery
  const splitFrom = { id: familyOf(incident), where: incident.scope.where }
  for (const { made, members } of partsOf(draft, groupKeyOf(incident), groups, left)) {
    const part = updated(made, 'delivery', { notifiedAt, reason, muted, renotify })
    openIncident(draft, { ...part, operator: incident.operator, splitFrom }, members)
  }
}

/** Returns the id that an incident shares with the one it was split from. */
export const familyOf = ({ id, splitFrom }: Incident): string => splitFrom?.id ?? id

/**
 * Yields an incident for each place, and for the remaining devices of each tenant: one each for a few, one for many. It
 * yields them one at a time, so that each has an id of its own.
 */
function* partsOf(
  draft: Draft,
  groupKey: GroupKey,
  groups: readonly DeviceGroup[],
  left: readonly DownDevice[],
): Generator<{ made: Incident; members: readonly DownDevice[] }> {
  for (const group of groups) yield { made: ofPlace(draft, groupKey, group), members: group.members }
  for (const members of tenantsIn(left)) {
    if (members.length > maxSingles) yield { made: ofSeveral(draft, groupKey), members }
    else for (const one of members) yield { made: ofDevice(draft, groupKey, one), members: [one] }
  }
}

import { thresholdsOn, note, type Draft } from '../engine/draft.ts'
import { group, type DownDevice, type DeviceGroup } from './group.ts'
import {
  openIncident,
  emptyIncident,
  maxSingles,
  newLocation,
  ofDevice,
  ofPlace,
  tenantsIn,
  type GroupKey,
} from '../engine/incident-draft.ts'
import type { Incident } from '../engine/state.ts'

/** Parts of an incident whose place no longer explains them: they stand for themselves, and are not told anew. */
export function split(draft: Draft, incident: Incident, down: readonly DownDevice[]): void {
  const { groups, left } = group(down, new Map(), (path) => thresholdsOn(draft, path))
  const [first, ...others] = groups.toSorted((a, b) => b.members.length - a.members.length)
  const [single = [], ...elsewhere] = tenantsIn(left)
  const keep = (change: Partial<Incident>) => {
    // What came back of the former place was told with that, unless nothing was said.
    draft.incidents.set(incident.id, {
      ...incident,
      peak: 0,
      peakInPlace: 0,
      recovered: incident.unreportedRecoveries,
      ...change,
    })
    note(draft, incident.id, 'moved', newLocation({ ...incident, ...change }))
  }
  // It goes on as the largest of them.
  const isLarger = single.length > maxSingles && single.length > (first?.members.length ?? 0)
  if (first !== undefined && !isLarger) {
    const { path, where, context } = ofPlace(draft, incident, first)
    keep({ path, where, context })
    openParts(draft, incident, { groups: others, left })
    return
  }
  const [only] = single
  if (single.length === 1 && only !== undefined) {
    const { path, where, context } = ofDevice(draft, incident, only)
    keep({ shape: 'device', path, where, context })
  } else keep({ shape: 'several', path: [] })
  openParts(draft, incident, { groups, left: elsewhere.flat() })
}

/**
 * Devices that stand in another place by now than their incident: where one place explains all of it, it goes on there, else
 * they stand for themselves. `all`: all that is down of it; null while some of it is not seen.
 */
export function splitMoved(
  draft: Draft,
  incident: Incident,
  strays: readonly DownDevice[],
  all: readonly DownDevice[] | null,
): void {
  const whole = all && group(all, new Map(), (path) => thresholdsOn(draft, path))
  if (all !== null && whole?.left.length === 0 && whole.groups.length === 1) return split(draft, incident, all)
  openParts(
    draft,
    incident,
    group(strays, new Map(), (path) => thresholdsOn(draft, path)),
  )
  note(draft, incident.id, 'moved', { kind: 'elsewhere', count: strays.length })
}

/** Begins what parted from an incident, told as that was. */
function openParts(
  draft: Draft,
  incident: Incident,
  { groups, left }: { groups: readonly DeviceGroup[]; left: readonly DownDevice[] },
): void {
  const { notifiedAt, reason: notification, muted, acknowledged, snoozed, renotify } = incident
  const splitFrom = { id: familyOf(incident), where: incident.where }
  for (const { made, members } of partsOf(draft, incident, groups, left))
    openIncident(
      draft,
      { ...made, notifiedAt, reason: notification, muted, acknowledged, snoozed, renotify, splitFrom },
      members,
    )
}

/** What parted shares the id of what it was a part of. */
export const familyOf = ({ id, splitFrom }: Incident): string => splitFrom?.id ?? id

/** Each place by itself, and devices alone as long as they are few. Made one after the other, so that each has an id of its own. */
function* partsOf(
  draft: Draft,
  groupKey: GroupKey,
  groups: readonly DeviceGroup[],
  left: readonly DownDevice[],
): Generator<{ made: Incident; members: readonly DownDevice[] }> {
  for (const group of groups) yield { made: ofPlace(draft, groupKey, group), members: group.members }
  for (const members of tenantsIn(left)) {
    if (members.length > maxSingles) yield { made: { ...emptyIncident(draft, groupKey), shape: 'several' }, members }
    else for (const one of members) yield { made: ofDevice(draft, groupKey, one), members: [one] }
  }
}

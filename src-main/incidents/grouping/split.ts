import { thresholdsOn, note, type Draft } from '../engine/draft.ts'
import { group, type DownDevice, type DeviceGroup } from './group.ts'
import {
  openIncident,
  emptyIncident,
  mostAlone,
  movedTo,
  ofDevice,
  ofPlace,
  tenantsIn,
  type Sort,
} from '../engine/incident-draft.ts'
import type { Incident } from '../engine/state.ts'
import { devices } from '../../notifications/messages.ts'

/** Parts of an incident whose place no longer explains them: they stand for themselves, and are not told anew. */
export function split(draft: Draft, incident: Incident, down: readonly DownDevice[]): void {
  const { folded, left } = group(down, new Map(), (path) => thresholdsOn(draft, path))
  const [first, ...others] = folded.toSorted((a, b) => b.members.length - a.members.length)
  const [single = [], ...elsewhere] = tenantsIn(left)
  const keep = (change: Partial<Incident>) => {
    // What came back of the former place was told with that, unless nothing was said.
    draft.incidents.set(incident.id, { ...incident, peak: 0, most: 0, backs: incident.unsaid, ...change })
    note(draft, incident.id, 'moved', movedTo({ ...incident, ...change }))
  }
  // It goes on as the largest of them.
  const isLarger = single.length > mostAlone && single.length > (first?.members.length ?? 0)
  if (first !== undefined && !isLarger) {
    const { path, where, context } = ofPlace(draft, incident, first)
    keep({ path, where, context })
    beginApart(draft, incident, { folded: others, left })
    return
  }
  const [only] = single
  if (single.length === 1 && only !== undefined) {
    const { path, where, context } = ofDevice(draft, incident, only)
    keep({ shape: 'device', path, where, context })
  } else keep({ shape: 'several', path: [] })
  beginApart(draft, incident, { folded, left: elsewhere.flat() })
}

/**
 * Devices that stand in another place by now than their incident: where one place explains all of it, it goes on there, else
 * they stand for themselves. `all`: all that is down of it; null while some of it is not seen.
 */
export function moveApart(
  draft: Draft,
  incident: Incident,
  strays: readonly DownDevice[],
  all: readonly DownDevice[] | null,
): void {
  const whole = all && group(all, new Map(), (path) => thresholdsOn(draft, path))
  if (all !== null && whole?.left.length === 0 && whole.folded.length === 1) return split(draft, incident, all)
  beginApart(
    draft,
    incident,
    group(strays, new Map(), (path) => thresholdsOn(draft, path)),
  )
  note(
    draft,
    incident.id,
    'moved',
    `${devices(strays.length)} of it ${strays.length === 1 ? 'stands' : 'stand'} in another place`,
  )
}

/** Begins what parted from an incident, told as that was. */
function beginApart(
  draft: Draft,
  incident: Incident,
  { folded, left }: { folded: readonly DeviceGroup[]; left: readonly DownDevice[] },
): void {
  const { toldAt, telling, mute, acknowledged, snoozed, again } = incident
  const parted = { id: familyOf(incident), where: incident.where }
  for (const { made, members } of apart(draft, incident, folded, left))
    openIncident(draft, { ...made, toldAt, telling, mute, acknowledged, snoozed, again, parted }, members)
}

/** What parted shares the id of what it was a part of. */
export const familyOf = ({ id, parted }: Incident): string => parted?.id ?? id

/** Each place by itself, and devices alone as long as they are few. Made one after the other, so that each has an id of its own. */
function* apart(
  draft: Draft,
  sort: Sort,
  groups: readonly DeviceGroup[],
  left: readonly DownDevice[],
): Generator<{ made: Incident; members: readonly DownDevice[] }> {
  for (const group of groups) yield { made: ofPlace(draft, sort, group), members: group.members }
  for (const members of tenantsIn(left)) {
    if (members.length > mostAlone) yield { made: { ...emptyIncident(draft, sort), shape: 'several' }, members }
    else for (const one of members) yield { made: ofDevice(draft, sort, one), members: [one] }
  }
}

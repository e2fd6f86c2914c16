import { figuresOn, note, type Draft } from './draft.ts'
import { fold, type Down, type Folded } from './fold.ts'
import { begin, fresh, mostAlone, movedTo, ofDevice, ofPlace, tenantsIn, type Sort } from './incident-draft.ts'
import type { Incident } from './state.ts'
import { devices } from './words.ts'

/** Parts of an incident whose place no longer explains them: they stand for themselves, and are not told anew. */
export function unfold(draft: Draft, incident: Incident, down: readonly Down[]): void {
  const { folded, left } = fold(down, new Map(), (path) => figuresOn(draft, path))
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
export function part(draft: Draft, incident: Incident, strays: readonly Down[], all: readonly Down[] | null): void {
  const whole = all && fold(all, new Map(), (path) => figuresOn(draft, path))
  if (all !== null && whole?.left.length === 0 && whole.folded.length === 1) return unfold(draft, incident, all)
  beginApart(
    draft,
    incident,
    fold(strays, new Map(), (path) => figuresOn(draft, path)),
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
  { folded, left }: { folded: readonly Folded[]; left: readonly Down[] },
): void {
  const { toldAt, telling, mute, acknowledged, snoozed, again } = incident
  const parted = { id: familyOf(incident), where: incident.where }
  for (const { made, members } of apart(draft, incident, folded, left))
    begin(draft, { ...made, toldAt, telling, mute, acknowledged, snoozed, again, parted }, members)
}

/** What parted shares the id of what it was a part of. */
export const familyOf = ({ id, parted }: Incident): string => parted?.id ?? id

/** Each place by itself, and devices alone as long as they are few. Made one after the other, so that each has an id of its own. */
function* apart(
  draft: Draft,
  sort: Sort,
  groups: readonly Folded[],
  left: readonly Down[],
): Generator<{ made: Incident; members: readonly Down[] }> {
  for (const group of groups) yield { made: ofPlace(draft, sort, group), members: group.members }
  for (const members of tenantsIn(left)) {
    if (members.length > mostAlone) yield { made: { ...fresh(draft, sort), shape: 'several' }, members }
    else for (const one of members) yield { made: ofDevice(draft, sort, one), members: [one] }
  }
}

import { assign, changeDrop, countDown, figuresOn, idsOf, isMarked, newId, note, openIncidents, placesOf, tenantOf, type Draft } from './draft.ts'
import { fold, type Down, type Folded } from './fold.ts'
import { outageMs, type Incident } from './state.ts'
import { deviceContext, devices, placeWords } from './words.ts'

/** More devices than this that no place explains are one incident. */
const mostAlone = 3
/** Devices alone within this time of each other count together for that; and as long it takes more of them, from its first. */
const aloneMs = 10 * 60_000

/** What is put together: only what is of one kind, was found in one way, and lies in the same quiet window. */
interface Sort {
  kind: Incident['kind']
  why: Incident['why']
  quiet: { id: string; name: string } | null
}

/** Devices that have been down for the hold-off, or flap: they join what is open where they belong to it, or are folded. */
export function place(draft: Draft, kind: Incident['kind'], why: Incident['why'], down: readonly Down[]): void {
  for (const { quiet, members } of byQuiet(draft, down)) {
    const sort: Sort = { kind, why, quiet }
    const rest = joinLiving(draft, sort, members)
    const { folded, left } = fold(rest, recentlyDown(draft, sort), (path) => figuresOn(draft, path))
    for (const group of folded) placeGroup(draft, sort, group)
    placeLeft(draft, sort, left)
  }
}

/** What lies in a quiet window is kept apart from the rest; what is on the watch list breaks through it. */
function byQuiet(draft: Draft, down: readonly Down[]): { quiet: Sort['quiet']; members: Down[] }[] {
  const groups = new Map<string, { quiet: Sort['quiet']; members: Down[] }>()
  for (const one of down) {
    const window = isMarked(draft, one.key, one.path) ? null : draft.rules.quietAt(idsOf(one.path), draft.now)
    const group = groups.get(window?.id ?? '') ?? { quiet: window === null ? null : { id: window.id, name: window.name }, members: [] }
    groups.set(window?.id ?? '', group)
    group.members.push(one)
    if (window === null) continue
    const held = draft.held.get(window.id)
    draft.held.set(window.id, { went: 0, back: 0, ...held, id: window.id, name: window.name, node: window.node, until: window.until })
  }
  for (const { quiet, members } of groups.values()) {
    const held = draft.held.get(quiet?.id ?? '')
    if (held !== undefined) draft.held.set(held.id, { ...held, went: held.went + members.length })
  }
  return [...groups.values()]
}

const isSame = ({ kind, quiet }: Sort, incident: Incident): boolean => incident.kind === kind && (incident.quiet?.id ?? null) === (quiet?.id ?? null)

/** A place that is open, and most of which still is down, takes what comes down in it. */
function joinLiving(draft: Draft, sort: Sort, down: readonly Down[]): Down[] {
  const counts = countDown(draft)
  const living = new Map<string, Incident>()
  for (const one of openIncidents(draft).toReversed()) {
    const [node] = one.path
    if (one.shape === 'node' && node !== undefined && isSame(sort, one) && (counts.get(one.id) ?? 0) * 2 >= one.peak) living.set(node.id, one)
  }
  const joining = new Map<Incident, Down[]>()
  const rest: Down[] = []
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
  for (const [incident, members] of joining) take(draft, incident, members)
  return rest
}

/** How many devices of each place are down by what grew lately: with them a place may be explained. */
function recentlyDown(draft: Draft, sort: Sort): Map<string, number> {
  const counts = countDown(draft)
  const more = new Map<string, number>()
  for (const incident of openIncidents(draft)) {
    if (!isAbsorbable(draft, sort, incident)) continue
    for (const { id } of incident.path) more.set(id, (more.get(id) ?? 0) + (counts.get(incident.id) ?? 0))
  }
  return more
}

function isAbsorbable({ now }: Draft, sort: Sort, incident: Incident): boolean {
  return isSame(sort, incident) && incident.shape !== 'several' && incident.grewAt > now - outageMs
}

/** A place that is down. What is open of places and devices in it becomes a part of it: an outage that grows keeps its id. */
function placeGroup(draft: Draft, sort: Sort, group: Folded): void {
  const within = openIncidents(draft).filter((one) => isAbsorbable(draft, sort, one) && idsOf(one.path).includes(group.node.id))
  become(draft, within, ofPlace(draft, sort, group), group.members)
}

/** What no place explains: a few alone, more as one. */
function placeLeft(draft: Draft, sort: Sort, left: readonly Down[]): void {
  if (left.length === 0) return
  const recent = openIncidents(draft).filter((one) => isSame(sort, one) && one.why === sort.why && one.grewAt > draft.now - aloneMs)
  const several = recent.find(({ shape, openedAt }) => shape === 'several' && openedAt > draft.now - aloneMs)
  if (several !== undefined) return take(draft, several, left)
  const alone = recent.filter(({ shape }) => shape === 'device')
  if (alone.length + left.length > mostAlone) return become(draft, alone, { ...fresh(draft, sort), shape: 'several' }, left)
  for (const one of left) begin(draft, ofDevice(draft, sort, one), [one])
}

/** The oldest of these becomes this one, the others are a part of it; without any it is a new one. */
function become(draft: Draft, parts: readonly Incident[], made: Incident, members: readonly Down[]): void {
  const [base, ...others] = parts.toSorted((a, b) => a.openedAt - b.openedAt)
  if (base === undefined) return begin(draft, made, members)
  for (const other of others) {
    assign(draft, [...draft.drops.values()].filter(({ incident }) => incident === other.id).map(({ key }) => key), base.id)
    draft.incidents.set(other.id, { ...other, closedAt: draft.now, changedAt: draft.now })
    note(draft, other.id, 'joined', `became a part of ${made.where === '' ? 'several devices' : made.where.replace(/^in /u, '')}`)
  }
  const { id, openedAt, toldAt, backToldAt } = base
  const told = parts.map((part) => part.toldAt).filter((at) => at !== null)
  const joined: Incident = {
    ...made, id, openedAt, backToldAt, toldAt: toldAt ?? (told.length === 0 ? null : Math.max(...told)), snoozed: base.snoozed,
    why: parts.every(({ why }) => why === 'absence') ? made.why : 'now', about: base.about,
    backs: [...new Set(parts.flatMap(({ backs }) => backs))], peak: Math.max(...parts.map(({ peak }) => peak)),
  }
  draft.incidents.set(id, joined)
  if (base.acknowledged !== null) note(draft, id, 'released', 'it has grown beyond what was acknowledged')
  note(draft, id, 'moved', movedTo(joined))
  take(draft, joined, members)
}

const movedTo = ({ where, shape }: Incident): string => (shape === 'several' ? 'to several devices that no place explains' : where.replace(/^in /u, 'to '))

function begin(draft: Draft, incident: Incident, members: readonly Down[]): void {
  draft.incidents.set(incident.id, incident)
  assign(draft, members.map(({ key }) => key), incident.id)
  note(draft, incident.id, 'opened', devices(members.length))
}

/** What joins counts as news of it. */
export function take(draft: Draft, incident: Incident, members: readonly Down[]): void {
  draft.incidents.set(incident.id, { ...incident, grewAt: draft.now })
  assign(draft, members.map(({ key }) => key), incident.id)
  // One that was known in it before: it is told again all the same.
  for (const { key } of members) changeDrop(draft, key, { waitUntil: 0 })
  note(draft, incident.id, 'grew', `${devices(members.length)} more`)
}

function ofPlace(draft: Draft, sort: Sort, { node, members }: Folded): Incident {
  const path = members[0]?.path ?? []
  const from = path.slice(path.indexOf(node))
  return { ...fresh(draft, sort), shape: 'node', path: placesOf(from), ...placeWords(from) }
}

function ofDevice(draft: Draft, sort: Sort, { path }: Down): Incident {
  return { ...fresh(draft, sort), shape: 'device', path: placesOf(path), context: deviceContext(path), about: [`${tenantOf(path)}/`] }
}

/** The rest of it is reckoned from its devices (refresh.ts). */
function fresh(draft: Draft, { kind, why, quiet }: Sort): Incident {
  const { now, rules } = draft
  return {
    id: newId(draft), kind, shape: 'device', why, path: [], where: '', context: '', named: [], since: null,
    openedAt: now, grewAt: now, changedAt: now, closedAt: null, down: 0, unseen: 0, peak: 0, total: null, marked: 0, severity: 'minor', about: [],
    acknowledged: null, snoozed: null, quiet, mute: !rules.offline, toldAt: null, backToldAt: null, backs: [],
    words: { title: '', body: '', moments: [] }, open: { scope: 'all', filter: '', device: null, incident: null },
  }
}

/** Parts of an incident whose place no longer explains them: they stand for themselves, and are not told anew. */
export function unfold(draft: Draft, incident: Incident, down: readonly Down[]): void {
  const { folded, left } = fold(down, new Map(), (path) => figuresOn(draft, path))
  const sort: Sort = { kind: incident.kind, why: incident.why, quiet: incident.quiet }
  const [first, ...others] = folded.toSorted((a, b) => b.members.length - a.members.length)
  const keep = (change: Partial<Incident>) => {
    // What came back of the former place was told with that.
    draft.incidents.set(incident.id, { ...incident, peak: 0, backs: [], ...change })
    note(draft, incident.id, 'moved', movedTo({ ...incident, ...change }))
  }
  if (first !== undefined) {
    const { path, where, context } = ofPlace(draft, sort, first)
    keep({ path, where, context })
    const { toldAt, mute, acknowledged, snoozed } = incident
    for (const { made, members } of apart(draft, sort, others, left)) begin(draft, { ...made, toldAt, mute, acknowledged, snoozed }, members)
  } else if (left.length === 1 && left[0] !== undefined) {
    const { path, where, context } = ofDevice(draft, sort, left[0])
    keep({ shape: 'device', path, where, context })
  } else keep({ shape: 'several', path: [] })
}

/** Each place by itself, and devices alone as long as they are few. Made one after the other, so that each has an id of its own. */
function* apart(draft: Draft, sort: Sort, groups: readonly Folded[], left: readonly Down[]): Generator<{ made: Incident; members: readonly Down[] }> {
  for (const group of groups) yield { made: ofPlace(draft, sort, group), members: group.members }
  if (left.length > mostAlone) yield { made: { ...fresh(draft, sort), shape: 'several' }, members: left }
  else for (const one of left) yield { made: ofDevice(draft, sort, one), members: [one] }
}

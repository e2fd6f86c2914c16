import type { Told } from '../../src-shared/model.ts'
import { assign, countDown, newId, openAt, openTellings, scopeOf, tell, wait, type Draft, type OpenTelling } from './draft.ts'
import { fold, type Down, type Folded } from './fold.ts'
import { asTheyAre, opensThese, standing } from './members.ts'
import { growMs, outageMs, type Open, type Telling } from './state.ts'
import { deviceContext, offlineWords, placeWords, sightedWords } from './words.ts'

/** More places than this at a time are told as one. */
const mostPlaces = 4
/** More devices than this that no place explains are told as one. */
const mostAlone = 3
/** Devices that are told alone within this time of each other count together for that; and as long it takes more of them, from its first. */
const aloneMs = 10 * 60_000

/** Devices that have been down for the hold-off: told with what is down already where they belong to it, else folded. */
export function tellDown(draft: Draft, down: readonly Down[]): void {
  const rest = joinLiving(draft, down)
  const { folded, left } = fold(rest, recentlyDown(draft))
  if (folded.length > mostPlaces) return tellLeft(draft, rest)
  for (const group of folded) tellPlace(draft, group)
  tellLeft(draft, left)
}

/** What was missed in an absence comes as one, and what is found of it later joins. */
export function tellMissed(draft: Draft, down: readonly Down[]): void {
  if (down.length === 0) return
  const recent = openTellings(draft).find(({ open }) => open.why === 'absence' && open.shape !== 'sighted' && takesMore(draft, open, outageMs))
  if (recent !== undefined) return grow(draft, recent, down)
  const { folded: [group, ...more], left } = fold(down, new Map())
  const id = newId(draft)
  if (group !== undefined && more.length + left.length === 0) begin(draft, id, { ...openOfPlace(draft, group), why: 'absence' }, down)
  else begin(draft, id, { ...(down.length === 1 ? openOfDevice(draft, down) : openOfSeveral(draft)), why: 'absence' }, down)
}

const isRecent = ({ now }: Draft, { toldAt }: Open, within: number): boolean => toldAt > now - within
/** Devices that no place explains have an end, though some of them are always down: then what drops begins a new telling. */
const takesMore = ({ now }: Draft, { firstAt }: Open, within: number): boolean => firstAt > now - within

/** A place that was told to be down, and most of which still is, takes what comes down in it. */
function joinLiving(draft: Draft, down: readonly Down[]): Down[] {
  const counts = countDown(draft)
  const places = new Map(openTellings(draft).toReversed().flatMap((one) => {
    const [place] = one.open.path
    const lives = one.open.shape === 'node' && (counts.get(one.id) ?? 0) * 2 >= one.open.peak
    return lives && place !== undefined ? [[place, one] as const] : []
  }))
  const rest: Down[] = []
  const joining = new Map<OpenTelling, Down[]>()
  for (const one of down) {
    const place = one.path.find(({ id }) => places.has(id))
    const living = place && places.get(place.id)
    if (living === undefined) rest.push(one)
    else listIn(joining, living).push(one)
  }
  for (const [living, members] of joining) grow(draft, living, members)
  return rest
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

/** How many devices of each place are down by what was told lately: with them a place may be explained. */
function recentlyDown(draft: Draft): Map<string, number> {
  const counts = countDown(draft)
  const more = new Map<string, number>()
  for (const { id, open } of openTellings(draft)) {
    if (!absorbable(draft, open)) continue
    for (const place of open.path) more.set(place, (more.get(place) ?? 0) + (counts.get(id) ?? 0))
  }
  return more
}

const absorbable = (draft: Draft, open: Open): boolean =>
  (open.shape === 'node' || open.shape === 'device') && isRecent(draft, open, outageMs)

/** A place that is down. What was told of places and devices in it becomes a part of it: an outage that grows keeps its id. */
function tellPlace(draft: Draft, group: Folded): void {
  const within = openTellings(draft).filter(({ open }) => absorbable(draft, open) && open.path.includes(group.node.id))
  become(draft, within, openOfPlace(draft, group), group.members)
}

/** What no place explains: a few alone, more as one. */
function tellLeft(draft: Draft, left: readonly Down[]): void {
  if (left.length === 0) return
  const recent = openTellings(draft).filter(({ open }) => open.why === 'now' && isRecent(draft, open, aloneMs))
  const several = recent.find(({ open }) => open.shape === 'several' && takesMore(draft, open, aloneMs))
  if (several !== undefined) return grow(draft, several, left)
  const counts = countDown(draft)
  const alone = recent.filter(({ id, open }) => open.shape === 'device' && counts.has(id))
  if (alone.length + left.length > mostAlone) return become(draft, alone, openOfSeveral(draft), left)
  for (const one of left) begin(draft, newId(draft), openOfDevice(draft, [one]), [one])
}

/** The newest of these tellings becomes this one, the others are a part of it; without any it is a new one. */
function become(draft: Draft, parts: readonly OpenTelling[], open: Open, members: readonly Down[]): void {
  const [base, ...others] = parts
  if (base === undefined) return begin(draft, newId(draft), open, members)
  if (isRecent(draft, base.open, growMs)) return wait(draft, members.map(({ key }) => key), base.open.toldAt + growMs)
  const ids = new Set(others.map(({ id }) => id))
  const moved = [...draft.drops.values()].filter(({ telling }) => telling !== null && ids.has(telling)).map(({ key }) => key)
  assign(draft, moved, base.id)
  for (const { id, telling } of others) draft.tellings.set(id, { ...telling, open: null })
  const joined = parts.reduce((one, part) => joinedTo(one, part.open), open)
  begin(draft, base.id, joined, members, parts.flatMap(({ telling }) => telling.about))
}

const joinedTo = (open: Open, part: Open): Open => ({
  ...open,
  firstAt: Math.min(open.firstAt, part.firstAt),
  backs: [...new Set([...open.backs, ...part.backs])],
  backToldAt: latest(open.backToldAt, part.backToldAt),
})

/** Takes these devices into a telling; within a minute of the last time they wait. */
export function grow(draft: Draft, { id, telling, open }: OpenTelling, members: readonly Down[]): void {
  if (isRecent(draft, open, growMs)) return wait(draft, members.map(({ key }) => key), open.toldAt + growMs)
  const [place] = open.path
  const inside = open.shape === 'sighted' || (open.shape === 'node' && members.every(({ path }) => path.some((node) => node.id === place)))
  begin(draft, id, inside ? open : { ...open, shape: 'several' }, members, telling.about)
}

/** Tells these devices, and whatever else of the telling of this id is down. */
function begin(draft: Draft, id: string, open: Open, members: readonly Down[], about: readonly string[] = []): void {
  assign(draft, members.map(({ key }) => key), id)
  const { down, unseen } = standing(draft, id, members)
  const now = { ...asTheyAre(open, down), toldAt: draft.now, peak: Math.max(open.peak, down.length + unseen) }
  tell(draft, tellingOf(draft, id, now, { down, unseen }, [...about, ...aboutOf(members)]), members.map(({ key }) => key))
}

function tellingOf(draft: Draft, id: string, open: Open, { down, unseen }: ReturnType<typeof standing>, about: readonly string[]): Telling {
  const before = draft.tellings.get(id)?.told
  const words = open.shape === 'sighted'
    ? { ...sightedWords([], open, { down: down.length, unseen }, false), title: before?.title ?? '' }
    : offlineWords(open, { down: down.length, unseen }, draft.now, draft.rules)
  const kind = open.shape === 'sighted' ? 'sighted' : 'offline'
  const told: Told = { id, at: draft.now, kind, ...words, devices: down.length, open: opens(open, down) }
  const names = new Set(open.named.map(({ key }) => key))
  return { told, open, about: [...new Set(about)].filter((key) => key.endsWith('/') || names.has(key)) }
}

/** A place that is down opens with all that is down in it, devices that no place explains with just these. */
function opens(open: Open, down: readonly Down[]): Told['open'] {
  if (open.shape === 'node' && down.length !== 1) return openAt(scopeOf(open), 'connected:no')
  return opensThese(scopeOf(open), down.map(({ key }) => key), 'connected:no')
}

/** A tenant's key is its node's id without the letter (data/keys.ts). */
function aboutOf(members: readonly Down[]): string[] {
  return members.flatMap(({ key, path }) => [...path.filter(({ kind }) => kind === 'tenant').map(({ id }) => `${id.slice(2)}/`), key])
}

/** What is told for the first time; `begin` says of which devices. */
const begun = ({ now }: Draft) =>
  ({ why: 'now', where: '', context: '', firstAt: now, toldAt: now, peak: 0, backs: [], backToldAt: null, named: [], since: null }) as const

function openOfPlace(draft: Draft, { node, members }: Folded): Open {
  const path = members[0]?.path ?? []
  const from = path.slice(path.indexOf(node))
  return { ...begun(draft), shape: 'node', path: from.map(({ id }) => id), ...placeWords(from) }
}

function openOfDevice(draft: Draft, members: readonly Down[]): Open {
  const path = members[0]?.path ?? []
  return { ...begun(draft), shape: 'device', path: path.map(({ id }) => id), context: deviceContext(path) }
}

const openOfSeveral = (draft: Draft): Open => ({ ...begun(draft), shape: 'several', path: [] })

const latest = (one: number | null, other: number | null) => (one === null || other === null ? (one ?? other) : Math.max(one, other))

/** What Muster found when it saw again: told with that, not by itself. */
export function openOfSighted(draft: Draft, path: readonly string[]): Open {
  return { ...begun(draft), shape: 'sighted', why: 'absence', path }
}

import type { PlaceNode } from '../inventory/thread/protocol.ts'
import type { Told } from '../../src-shared/model/inventory.ts'
import { note, openAt, notify, type Draft } from '../incidents/engine/draft.ts'
import { commonScope, filterOf } from './scope.ts'
import { subjectsOf, mayNotify, type Unreported } from './unreported.ts'
import { familyOf } from '../incidents/grouping/split.ts'
import { statusOf } from '../incidents/engine/refresh.ts'
import type { Drop, Incident } from '../incidents/engine/state.ts'
import { formatMessage } from './moments.ts'
import { nameText } from './names.ts'
import {
  recoveriesMessage,
  recoveryMessage,
  devices,
  mostNamed,
  unlistedMessage,
  type MissedRecovery,
} from './messages.ts'

/** More incidents than this that end at a time are told as one. */
const mostApart = 3
/** What holds the devices that came back, when they are more than a filter can name. */
export const recoveredScope = 'up:<1d'

/** Devices that came back and stayed for the hold-off, incident by incident; not more often than once a minute for each. */
export function notifyRecoveries(draft: Draft, news: readonly Unreported[]): void {
  const ready = news.filter(
    ({ backs, ended, incident }) => (backs.length > 0 || ended) && mayNotify(draft, incident.backToldAt),
  )
  if (ready.length > mostApart) tellTogether(draft, ready)
  else for (const one of ready) tellEnding(draft, one)
}

function tellEnding(draft: Draft, { incident, backs: fresh }: Unreported): void {
  const { all: backs, untold } = noteRecoveries(draft, incident, fresh)
  const { down, unseen } = statusOf(
    draft,
    [...draft.drops.values()].filter((drop) => isToldWith(draft, incident, drop)),
  )
  // Those of which the service no longer says anything are left out of where they are.
  const found = backs.flatMap((key) => draft.found.get(key) ?? [])
  // An incident that unfolded has another place now than those had that came back.
  const isThere =
    incident.shape === 'node' &&
    found.length > 1 &&
    found.every(({ path }) => path.some(({ id }) => id === incident.path[0]?.id))
  const { where, context } = isThere ? incident : commonScope(found.map(({ path }) => path))
  const scope = isThere ? (incident.path[0]?.id ?? 'all') : scopeOf(found)
  const names = found.map(({ name }) => name).slice(0, mostNamed)
  const words = recoveryMessage(
    { where, context, kind: incident.kind },
    names,
    backs.length,
    { down: down.length, unseen },
    missedOf(fresh),
  )
  const open = { ...filterOf(scope, backs, recoveredScope), incident: incident.id }
  say(draft, { id: `${incident.id}-back`, kind: 'recovered', words, count: backs.length, open }, [incident], untold)
}

/** Incidents that are over, of which the service lists devices no longer that somebody was told of: that is no return. */
export function notifyUnlisted(draft: Draft): void {
  const ready = [...draft.incidents.values()].filter(
    ({ closedAt, unlisted, backToldAt }) => closedAt !== null && unlisted.untold > 0 && mayNotify(draft, backToldAt),
  )
  for (const group of ready.length > mostApart ? [ready] : ready.map((one) => [one])) {
    const [first] = group
    if (first === undefined) continue
    const count = group.reduce((sum, { unlisted }) => sum + unlisted.untold, 0)
    const names = group
      .flatMap(({ unlisted }) => unlisted.named)
      .map(nameText)
      .slice(0, mostNamed)
    const words = unlistedMessage(group.length === 1 ? first : { where: '', context: '' }, names, count)
    const open = group.length === 1 ? { ...first.open, incident: first.id } : openAt('all', '')
    for (const incident of group)
      draft.incidents.set(incident.id, {
        ...incident,
        unlisted: { ...incident.unlisted, untold: 0 },
        backToldAt: draft.now,
      })
    say(draft, { id: `${first.id}-unlisted`, kind: 'unlisted', words, count, open }, group, [])
  }
}

/** Whether it was in the same notification: an incident that parted from another one was told with that. */
function isToldWith({ incidents }: Draft, incident: Incident, drop: Drop): boolean {
  const of = incidents.get(drop.incident ?? '')
  return (
    of !== undefined &&
    (of.id === incident.id || (familyOf(of) === familyOf(incident) && of.toldAt === incident.toldAt))
  )
}

function tellTogether(draft: Draft, news: readonly Unreported[]): void {
  const keys = news.flatMap(({ incident, backs }) => noteRecoveries(draft, incident, backs).untold)
  const fresh = news.flatMap(({ backs }) => backs)
  const found = keys.flatMap((key) => draft.found.get(key) ?? [])
  const words = recoveriesMessage(found.map(({ name }) => name).slice(0, mostNamed), keys.length, missedOf(fresh))
  const incidents = news.map(({ incident }) => incident)
  say(
    draft,
    {
      id: `${incidents[0]?.id ?? ''}-backs-${draft.now.toString(36)}`,
      kind: 'recovered',
      words,
      count: keys.length,
      open: filterOf(scopeOf(found), keys, recoveredScope),
    },
    incidents,
    keys,
  )
}

/** Those whose return nobody saw. */
function missedOf(backs: readonly Drop[]): MissedRecovery | null {
  const missed = backs.flatMap(({ backAt, backNotBefore }) =>
    backAt === null || backNotBefore === null ? [] : [{ from: backNotBefore, until: backAt }],
  )
  return missed.reduce<MissedRecovery | null>(
    (all, { from, until }) => ({
      count: missed.length,
      from: Math.min(all?.from ?? from, from),
      until: Math.max(all?.until ?? until, until),
    }),
    null,
  )
}

const scopeOf = (found: readonly { path: readonly PlaceNode[] }[]): string =>
  commonScope(found.map(({ path }) => path)).path[0]?.id ?? 'all'

/** They are known no longer. `all`: what is back of the incident as far as anyone was told, the latest first; `untold`: what of it nobody was told before. */
export function noteRecoveries(
  draft: Draft,
  incident: Incident,
  fresh: readonly Drop[],
): { all: string[]; untold: string[] } {
  const backs = leave(draft, incident, fresh)
  const known = draft.incidents.get(incident.id)
  if (known !== undefined && fresh.length + known.unsaid.length > 0)
    draft.incidents.set(incident.id, { ...known, backs, unsaid: [], backToldAt: draft.now })
  // What is down again, for however short a time, is not called back.
  const all = backs.filter((key) => !draft.drops.has(key))
  const untold = new Set([...fresh.map(({ key }) => key), ...incident.unsaid])
  return { all, untold: all.filter((key) => untold.has(key)) }
}

/** They leave it without a word: its next return tells of them as well. */
export function leaveUnreported(draft: Draft, incident: Incident, fresh: readonly Drop[]): void {
  const backs = leave(draft, incident, fresh)
  const known = draft.incidents.get(incident.id)
  const unsaid = new Set([...fresh.map(({ key }) => key), ...incident.unsaid])
  if (known !== undefined)
    draft.incidents.set(incident.id, { ...known, backs, unsaid: backs.filter((key) => unsaid.has(key)) })
}

/** Answers all that is back of it, the latest first. What is within its hold-off again may be back still. */
function leave(draft: Draft, incident: Incident, fresh: readonly Drop[]): string[] {
  for (const { key } of fresh) draft.drops.delete(key)
  if (fresh.length > 0 && draft.incidents.has(incident.id)) note(draft, incident.id, 'back', devices(fresh.length))
  return [...new Set([...fresh.map(({ key }) => key), ...incident.backs])].filter(
    (key) => (draft.drops.get(key)?.incident ?? null) === null,
  )
}

interface Said extends Pick<Told, 'id' | 'kind' | 'open'> {
  words: { title: string; body: string }
  count: number
}

function say(
  draft: Draft,
  { id, kind, words, count, open }: Said,
  incidents: readonly Incident[],
  keys: readonly string[],
): void {
  const about = [...new Set([...subjectsOf(incidents).filter((key) => key.endsWith('/')), ...keys.slice(0, mostNamed)])]
  const told: Told = { id, at: draft.now, kind, ...formatMessage(words, draft.now, draft.rules), devices: count, open }
  notify(
    draft,
    { told, about, of: incidents.map((one) => one.id), lead: 'none', firstAt: draft.now, open: false },
    keys,
  )
}

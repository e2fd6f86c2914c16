import { withMoments } from '../../src-shared/text/moments.ts'
import type { Told } from '../../src-shared/model/inventory.ts'
import { keepReport, keysInside, newId, note, openAt, notify, type Draft } from '../incidents/engine/draft.ts'
import { noteRecoveries } from './recoveries.ts'
import type { DownDevice } from '../incidents/grouping/group.ts'
import type { MaintenanceRun } from '../incidents/engine/maintenance-report.ts'
import { anyUnseen, unseenDown } from '../incidents/engine/maintenance-end.ts'
import { nameText } from './names.ts'
import { suspend } from '../incidents/grouping/assign.ts'
import { commonScope, filterOf } from './scope.ts'
import { moment } from './moments.ts'
import { subjectsOf, byWorst, growing, isUnreported, noteNotified, type Unreported } from './unreported.ts'
import { statusOf, type IncidentStatus } from '../incidents/engine/refresh.ts'
import { suppressionOf } from '../incidents/suppression.ts'
import { growMs, type Drop, type Incident, type Reason, type Notification } from '../incidents/engine/state.ts'
import { recoveryMessage } from './messages.ts'
import { absenceMessage, maintenanceMessage, stormMessage } from './digest-messages.ts'

type Inside = ReturnType<typeof keysInside>

/** What goes on for longer than this is told anew. */
const stormMs = 10 * 60_000

/** What several incidents amount to, with those that the same telling had before. */
interface Gathered {
  incidents: Incident[]
  titles: string[]
  count: { all: number; open: number }
  keys: string[]
}

/** Notes of these that they are told. */
export function noteDelivered(
  draft: Draft,
  before: Notification | undefined,
  news: readonly Unreported[],
  as: Reason['as'],
): Gathered {
  const backs = new Map(
    news.map(({ incident, fresh, backs: of }) => {
      if (fresh.length > 0) noteNotified(draft, incident, fresh, as)
      return [incident, of.length === 0 ? [] : noteRecoveries(draft, incident, of).untold]
    }),
  )
  const keys = [...news.flatMap(({ fresh }) => fresh.map(({ key }) => key)), ...[...backs.values()].flat()]
  const ids = new Set([...(before?.of ?? []), ...news.map(({ incident }) => incident.id)])
  const incidents = [...ids].flatMap((id) => draft.incidents.get(id) ?? []).sort(byWorst)
  // What was told before and still is there, of which some came back, is none that began or ended meanwhile.
  const began = new Set(news.filter(({ fresh }) => fresh.length > 0).map(({ incident }) => incident.id))
  const since = before?.firstAt ?? draft.now
  const counted = incidents.filter(
    ({ id, closedAt, toldAt }) => closedAt !== null || began.has(id) || (toldAt ?? -Infinity) >= since,
  )
  const open = counted.filter(({ closedAt }) => closedAt === null)
  const titles = [
    ...open.map(({ words }) => withMoments(words, 'title', moment)),
    ...[...backs].flatMap(([incident, of]) => backTitle(draft, incident, of)),
  ]
  return { incidents, titles, count: { all: counted.length, open: open.length }, keys }
}

/** What came back of an incident meanwhile. */
function backTitle(draft: Draft, incident: Incident, backs: readonly string[]): string[] {
  if (backs.length === 0) return []
  const found = backs.flatMap((key) => draft.found.get(key) ?? [])
  const { where, context } = commonScope(found.map(({ path }) => path))
  return [
    recoveryMessage(
      { where, context, kind: incident.kind },
      found.map(({ name }) => name),
      backs.length,
      { down: 0, unseen: 0 },
      null,
    ).title,
  ]
}

/** Incidents after an absence of which nothing was said. */
export function notifyAbsence(draft: Draft, before: Notification | undefined, news: readonly Unreported[]): void {
  const { incidents, titles, count, keys } = noteDelivered(draft, before, news, 'away')
  const words = absenceMessage(titles, count, draft.now, draft.rules)
  put(draft, before, { lead: 'away', kind: 'digest' }, words, incidents, keys, countsOf(draft, incidents).down)
}

/** One of which nothing is left that calls for anybody does not grow: what begins then is told for itself. */
export function growingStorm(draft: Draft): Notification | undefined {
  const storm = growing(draft, ['storm'], stormMs)
  return storm !== undefined && storm.of.some((id) => calls(draft, draft.incidents.get(id))) ? storm : undefined
}

const calls = (draft: Draft, incident: Incident | undefined): boolean =>
  incident !== undefined &&
  incident.closedAt === null &&
  suppressionOf(draft, draft.rules, incident, draft.now) === null

/** Many incidents that begin at a time. */
export function notifyStorm(draft: Draft, before: Notification | undefined, news: readonly Unreported[]): void {
  const left = before && { ...before, of: before.of.filter((id) => calls(draft, draft.incidents.get(id))) }
  const { incidents, titles, keys } = noteDelivered(draft, left, news, 'storm')
  const { down } = countsOf(draft, incidents)
  const flapping = countsOf(
    draft,
    incidents.filter(({ kind }) => kind === 'flapping'),
  ).down.length
  const words = stormMessage(
    { offline: down.length - flapping, flapping },
    commonScope(down.map(({ path }) => path)).where,
    titles,
    draft.now,
    draft.rules,
  )
  put(draft, before, { lead: 'storm', kind: 'offline' }, words, incidents, keys, down)
}

function put(
  draft: Draft,
  before: Notification | undefined,
  { lead, kind }: Pick<Notification, 'lead'> & Pick<Told, 'kind'>,
  words: Pick<Told, 'title' | 'body' | 'moments'>,
  incidents: readonly Incident[],
  keys: readonly string[],
  down: readonly DownDevice[],
): void {
  const told: Told = {
    id: before?.told.id ?? newId(draft),
    at: draft.now,
    kind,
    ...words,
    devices: down.length,
    open: downScope(incidents, down),
  }
  const of = [...new Set([...(before?.of ?? []), ...incidents.map(({ id }) => id)])]
  const about = [...new Set([...(before?.about ?? []).filter((key) => key.endsWith('/')), ...subjectsOf(incidents)])]
  notify(draft, { told, about, of, lead, firstAt: before?.firstAt ?? draft.now, open: true }, keys)
}

export function countsOf(draft: Draft, incidents: readonly Incident[]): IncidentStatus {
  const ids = new Set(incidents.map(({ id }) => id))
  return statusOf(
    draft,
    [...draft.drops.values()].filter(({ incident }) => incident !== null && ids.has(incident)),
  )
}

/** One incident opens as itself, more of them what is down of all, `down`. */
export function downScope(incidents: readonly Incident[], down: readonly DownDevice[]): Told['open'] {
  const [only, ...more] = incidents
  if (only !== undefined && more.length === 0) return only.open
  const scope = commonScope(down.map(({ path }) => path)).path[0]?.id ?? 'all'
  return filterOf(
    scope,
    down.map(({ key }) => key),
    down.length === 0 ? '' : 'connected:no',
  )
}

/** As long as the report of a window waits for what is not seen, or not sure to be back. */
const reportMs = 10 * 60_000

/**
 * Maintenance windows that are over: a report of each says what changed and what did not come back, and what is still down goes
 * on as any other. What lies in another window that holds still goes over to that one.
 */
export function endMaintenance(draft: Draft): void {
  const over: MaintenanceRun[] = []
  for (const window of draft.held.values()) {
    const until = window.overAt === null ? draft.rules.quietUntil(window.id, draft.now) : null
    if (until === null) over.push(window)
    else if (until !== window.until) draft.held.set(window.id, { ...window, until })
  }
  if (over.length === 0) return
  // What goes over from one window to another is looked at when that one ends.
  const left = Map.groupBy(
    [...draft.incidents.values()].filter(({ closedAt }) => closedAt === null),
    ({ quiet }) => quiet?.id,
  )
  const inside = keysInside(draft)
  for (const window of over) endWindow(draft, window, left.get(window.id) ?? [], inside)
}

const dropsOf = ({ drops }: Draft, inside: Inside, incidents: readonly Incident[]): Drop[] =>
  incidents.flatMap(({ id }) => inside.get(id) ?? []).flatMap((key) => drops.get(key) ?? [])

/** `left`: what is open of it; `inside`: keys of the devices of each incident. */
function endWindow(draft: Draft, window: MaintenanceRun, left: readonly Incident[], keysOf: Inside): void {
  const overAt = window.overAt ?? draft.now
  const inside = dropsOf(draft, keysOf, left)
  const isSure =
    !anyUnseen(draft, overAt) &&
    left.every(({ unseen }) => unseen === 0) &&
    inside.every(({ backAt, returned, flapping }) => backAt === null || returned || flapping)
  if (!isSure && draft.now < overAt + reportMs)
    return void draft.held.set(window.id, { ...window, overAt, until: Math.min(draft.now + growMs, overAt + reportMs) })
  if (window.hidden !== null && draft.now < window.hidden.sureAt)
    return void draft.held.set(window.id, { ...window, overAt, until: window.hidden.sureAt })
  draft.held.delete(window.id)
  const open = left.filter((incident) => !goesOver(draft, incident, keysOf)).sort(byWorst)
  const moved = new Set(left.filter((incident) => !open.includes(incident)).map(({ id }) => id))
  for (const incident of open) {
    draft.incidents.set(incident.id, { ...incident, quiet: null, mute: !draft.rules.offline })
    note(draft, incident.id, 'quiet', `the maintenance window ${nameText(window.name)} is over`)
  }
  const gone = new Set(inside.filter(({ incident }) => moved.has(incident ?? '')).map(({ key }) => key))
  const ours = new Set(inside.map(({ key }) => key))
  // What is down again elsewhere, in another window or none, is told of there.
  const isElsewhere = (key: string) =>
    draft.drops.get(key)?.backAt === null && !ours.has(key) && window.hidden?.keys.includes(key) !== true
  const keys = window.keys.filter((key) => !gone.has(key) && !isElsewhere(key))
  if (draft.rules.offline && keys.length > 0) report(draft, { ...window, keys }, open, keysOf)
}

/** It begins in what lies over it still, if anything does. */
function goesOver(draft: Draft, incident: Incident, inside: Inside): boolean {
  const window = draft.rules.quietAt(
    incident.path.map(({ id }) => id),
    draft.now,
  )
  if (window === null) return false
  draft.incidents.set(incident.id, { ...incident, quiet: { id: window.id, name: window.name }, keptIn: window.name })
  note(draft, incident.id, 'quiet', `kept in the maintenance window ${nameText(window.name)}`)
  suspend(draft, window, inside.get(incident.id) ?? [])
  return true
}

function report(draft: Draft, window: MaintenanceRun, open: readonly Incident[], inside: Inside): void {
  const fresh = Map.groupBy(
    dropsOf(draft, inside, open).filter((drop) => isUnreported(draft, drop)),
    ({ incident }) => incident ?? '',
  )
  for (const incident of open) noteNotified(draft, incident, fresh.get(incident.id) ?? [], 'report')
  const stands = (of: readonly Incident[]) => statusOf(draft, dropsOf(draft, inside, of))
  const hidden = unseenDown(draft, window)
  const outages = statusOf(draft, [
    ...dropsOf(
      draft,
      inside,
      open.filter(({ kind }) => kind === 'outage'),
    ),
    ...hidden,
  ])
  const flapping = stands(open.filter(({ kind }) => kind === 'flapping'))
  const still = outages.down.map(({ name }) => name)
  const unseen = outages.unseen + flapping.unseen
  const back = Math.max(0, window.keys.length - still.length - flapping.down.length - unseen)
  const words = maintenanceMessage(
    window.name,
    { went: window.keys.length, back, still, flapping: flapping.down.length, unseen },
    hiddenOf(window),
    draft.now,
    draft.rules,
  )
  const here = [
    ...open,
    ...[...new Set(hidden.map(({ incident }) => incident ?? ''))].flatMap((id) => draft.incidents.get(id) ?? []),
  ]
  const opens =
    still.length + flapping.down.length === 0
      ? openAt(window.node, '')
      : downScope(here, [...outages.down, ...flapping.down])
  const told: Told = { id: newId(draft), at: draft.now, kind: 'digest', ...words, devices: still.length, open: opens }
  const keys = [...fresh.values()].flatMap((drops) => drops.map(({ key }) => key))
  const about = [...subjectsOf(open), ...tenantsOf(window.keys)]
  notify(draft, { told, about, of: open.map(({ id }) => id), lead: 'none', firstAt: draft.now, open: false }, keys)
  keepReport(draft, { id: window.id, name: window.name, at: draft.now, words, about })
}

/** When a window ended of which Muster did not see the end, and what it does not know for that. */
const hiddenOf = ({ hidden, overAt }: MaintenanceRun) =>
  hidden === null || overAt === null
    ? null
    : { count: hidden.keys.length, from: hidden.from, until: hidden.until, overAt }

const tenantsOf = (keys: readonly string[]): string[] => [
  ...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1))),
]

import type { Told } from '../../src-shared/model/inventory.ts'
import { recoveredScope, leaveUnreported, notifyRecoveries, notifyUnlisted } from './recoveries.ts'
import { endMaintenance, growingStorm, notifyAbsence, notifyStorm } from './digest.ts'
import { newId, type Draft } from '../incidents/engine/draft.ts'
import { isPaused } from '../incidents/engine/due.ts'
import { commonScope, filterOf } from './scope.ts'
import { byWorst, mayNotify, unreportedOf, notifyIncident, notifiableOf, type Unreported } from './unreported.ts'
import {
  growingAbsence,
  mayNotifyFound,
  notifyMonitoringLost,
  notifyMonitoringRestored,
  awaitingResync,
} from './visibility.ts'
import { isTaken } from '../incidents/suppression.ts'
import type { Slices } from '../incidents/cooperative.ts'
import { isDownIn, type Observation } from '../incidents/engine/state.ts'
import { pauseMessage } from './digest-messages.ts'

/** More incidents than this that begin at a time are told as one. */
const mostPlaces = 4

/** What is to be told now of all that is known. In a pause nothing is, and all of it at its end as one. */
export function* notifyAll(draft: Draft, { tenants }: Observation): Slices<void> {
  leaveTaken(draft)
  if (isPaused(draft, draft.now)) return
  endMaintenance(draft)
  notifyMonitoringLost(draft, tenants)
  const waits = awaitingResync(draft, tenants)
  if (draft.rules.recovered) notifyUnlisted(draft)
  else forgetBacks(draft)
  yield
  const news = unreportedOf(draft)
    .flatMap((one) => notifiableOf(draft, one) ?? [])
    .filter((one) => mayNotifyFound(draft, waits, one))
  const rest = tellMissed(draft, notifyMonitoringRestored(draft, tenants, waits, news))
  yield
  tellFresh(draft, rest)
  yield
  notifyRecoveries(draft, rest)
  if (draft.pause !== null) endPause(draft)
}

/**
 * Of what somebody has taken on the end alone is told, with all that came back by then. What is back before that has left it
 * all the same: when it drops again, it drops as anything does.
 */
function leaveTaken(draft: Draft): void {
  for (const { incident, backs } of unreportedOf(draft)) {
    // Nobody was told: the end need not wait.
    if (isTaken(incident) && incident.closedAt === null && backs.length > 0) leaveUnreported(draft, incident, backs)
  }
}

/** Returns that are not to be told are over with it, and not told later either. */
function forgetBacks(draft: Draft): void {
  for (const [id, incident] of draft.incidents)
    if (incident.unlisted.untold > 0)
      draft.incidents.set(id, { ...incident, unlisted: { ...incident.unlisted, untold: 0 } })
  for (const { incident, backs } of unreportedOf(draft)) {
    leaveUnreported(draft, incident, backs)
    const known = draft.incidents.get(incident.id)
    if (known !== undefined && known.unsaid.length > 0)
      draft.incidents.set(incident.id, { ...known, backs: incident.backs, unsaid: [] })
  }
}

/** What was found after an absence comes as one, and what is found of it later joins. One incident alone speaks for itself. */
function tellMissed(draft: Draft, news: readonly Unreported[]): Unreported[] {
  const missed = news.filter((one) => one.missed)
  const known = growingAbsence(draft, missed)
  if (
    missed.length === 0 ||
    (known === undefined && (missed.length < 2 || missed.every(({ fresh }) => fresh.length === 0)))
  )
    return [...news]
  if (mayNotify(draft, known?.told.at ?? null)) notifyAbsence(draft, known, missed)
  return news.filter((one) => !one.missed)
}

function tellFresh(draft: Draft, news: readonly Unreported[]): void {
  const ready = news
    .filter(({ fresh, again, incident }) => again || (fresh.length > 0 && mayNotify(draft, incident.toldAt)))
    .toSorted((a, b) => byWorst(a.incident, b.incident))
  const begun = ready.filter(({ incident, again }) => incident.toldAt === null && !again)
  const storm = growingStorm(draft)
  const isStorm = begun.length > mostPlaces || (storm !== undefined && begun.length > 0)
  if (isStorm && mayNotify(draft, storm?.told.at ?? null))
    notifyStorm(
      draft,
      storm,
      begun.map((one) => ({ ...one, backs: [] })),
    )
  for (const one of ready) if (!isStorm || !begun.includes(one)) notifyIncident(draft, one)
}

/** The parts stay in the list of what was told, below what is told now. */
function endPause(draft: Draft): void {
  draft.pause = null
  if (draft.tells.length < 2) return
  const parts = draft.tells
  // What is told of at all and not down by now is back; a digest tells of both.
  const isDown = (key: string) => draft.drops.get(key)?.returned === false
  const sum = (down: boolean) =>
    parts.reduce((sum, { keys }) => sum + keys.filter((key) => isDown(key) === down).length, 0)
  // Told again after a snooze: of most of these nobody hears for the first time.
  const again = parts.filter(({ told }) => draft.incidents.get(told.id)?.telling?.as === 'again')
  const still = (kind: Told['kind']) =>
    again.reduce((sum, { told, keys }) => sum + (told.kind === kind ? Math.max(0, told.devices - keys.length) : 0), 0)
  const counts = {
    offline: sum(true),
    back: sum(false),
    stillOffline: still('offline'),
    stillFlapping: still('flapping'),
  }
  const down = counts.offline + counts.stillOffline + counts.stillFlapping
  const [first] = parts
  const kind = down > 0 ? 'offline' : counts.back > 0 ? 'recovered' : (first?.told.kind ?? 'blind')
  const words = pauseMessage(
    counts,
    parts.map(({ told }) => told),
    draft.now,
    draft.rules,
  )
  const keys = [
    ...new Set([...parts, ...again.map(({ told }) => ({ keys: downIn(draft, told.id) }))].flatMap((part) => part.keys)),
  ]
  const scope = commonScope(keys.map((key) => draft.found.get(key)?.path ?? [])).path[0]?.id ?? 'all'
  const open = filterOf(scope, keys, down > 0 ? 'connected:no' : counts.back > 0 ? recoveredScope : '')
  const told: Told = { id: newId(draft), at: draft.now, kind, ...words, devices: down + counts.back, open }
  for (const [id, incident] of draft.incidents) {
    if (incident.telling?.at === draft.now)
      draft.incidents.set(id, { ...incident, telling: { ...incident.telling, as: 'pause' } })
  }
  const of = parts.flatMap(({ told: { id } }) => draft.tellings.get(id)?.of ?? [])
  const about = parts.flatMap(({ told: { id } }) => draft.tellings.get(id)?.about ?? [])
  draft.tellings.set(told.id, {
    told,
    about: [...new Set(about)],
    of: [...new Set(of)],
    lead: 'none',
    firstAt: draft.now,
    open: false,
    earlier: [],
    times: 1,
  })
  draft.tells = [{ told, keys: [...new Set(parts.flatMap((part) => part.keys))] }]
}

/** Keys of the devices that are down, or flap, in the incidents of a telling. */
function downIn({ drops, tellings }: Draft, telling: string): string[] {
  const of = tellings.get(telling)?.of ?? []
  return [...drops.values()].filter((drop) => of.some((id) => isDownIn(drop, id))).map(({ key }) => key)
}

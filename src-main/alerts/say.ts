import type { Told } from '../../src-shared/model.ts'
import { cameBack, leaveUnsaid, tellBacks, tellUnlisted } from './back.ts'
import { endQuiet, growingStorm, tellAway, tellStorm } from './digest.ts'
import { newId, type Draft } from './draft.ts'
import { isPaused } from './due.ts'
import { around, opensThese } from './members.ts'
import { byWorst, mayTell, newsOf, tellIncident, toldOf, type News } from './news.ts'
import { growingAway, mayBeTold, tellBlind, tellSighted, waiting } from './sight.ts'
import { isTaken } from './silence.ts'
import type { Slices } from './slices.ts'
import { isDownIn, type Looked } from './state.ts'
import { pauseWords } from './digest-messages.ts'

/** More incidents than this that begin at a time are told as one. */
const mostPlaces = 4

/** What is to be told now of all that is known. In a pause nothing is, and all of it at its end as one. */
export function* say(draft: Draft, { tenants }: Looked): Slices<void> {
  leaveTaken(draft)
  if (isPaused(draft, draft.now)) return
  endQuiet(draft)
  tellBlind(draft, tenants)
  const waits = waiting(draft, tenants)
  if (draft.rules.recovered) tellUnlisted(draft)
  else forgetBacks(draft)
  yield
  const news = newsOf(draft)
    .flatMap((one) => toldOf(draft, one) ?? [])
    .filter((one) => mayBeTold(draft, waits, one))
  const rest = tellMissed(draft, tellSighted(draft, tenants, waits, news))
  yield
  tellFresh(draft, rest)
  yield
  tellBacks(draft, rest)
  if (draft.pause !== null) endPause(draft)
}

/**
 * Of what somebody has taken on the end alone is told, with all that came back by then. What is back before that has left it
 * all the same: when it drops again, it drops as anything does.
 */
function leaveTaken(draft: Draft): void {
  for (const { incident, backs } of newsOf(draft)) {
    // Nobody was told: the end need not wait.
    if (isTaken(incident) && incident.closedAt === null && backs.length > 0) leaveUnsaid(draft, incident, backs)
  }
}

/** Returns that are not to be told are over with it, and not told later either. */
function forgetBacks(draft: Draft): void {
  for (const [id, incident] of draft.incidents)
    if (incident.unlisted.untold > 0)
      draft.incidents.set(id, { ...incident, unlisted: { ...incident.unlisted, untold: 0 } })
  for (const { incident, backs } of newsOf(draft)) {
    leaveUnsaid(draft, incident, backs)
    const known = draft.incidents.get(incident.id)
    if (known !== undefined && known.unsaid.length > 0)
      draft.incidents.set(incident.id, { ...known, backs: incident.backs, unsaid: [] })
  }
}

/** What was found after an absence comes as one, and what is found of it later joins. One incident alone speaks for itself. */
function tellMissed(draft: Draft, news: readonly News[]): News[] {
  const missed = news.filter((one) => one.missed)
  const known = growingAway(draft, missed)
  if (
    missed.length === 0 ||
    (known === undefined && (missed.length < 2 || missed.every(({ fresh }) => fresh.length === 0)))
  )
    return [...news]
  if (mayTell(draft, known?.told.at ?? null)) tellAway(draft, known, missed)
  return news.filter((one) => !one.missed)
}

function tellFresh(draft: Draft, news: readonly News[]): void {
  const ready = news
    .filter(({ fresh, again, incident }) => again || (fresh.length > 0 && mayTell(draft, incident.toldAt)))
    .toSorted((a, b) => byWorst(a.incident, b.incident))
  const begun = ready.filter(({ incident, again }) => incident.toldAt === null && !again)
  const storm = growingStorm(draft)
  const isStorm = begun.length > mostPlaces || (storm !== undefined && begun.length > 0)
  if (isStorm && mayTell(draft, storm?.told.at ?? null))
    tellStorm(
      draft,
      storm,
      begun.map((one) => ({ ...one, backs: [] })),
    )
  for (const one of ready) if (!isStorm || !begun.includes(one)) tellIncident(draft, one)
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
  const words = pauseWords(
    counts,
    parts.map(({ told }) => told),
    draft.now,
    draft.rules,
  )
  const keys = [
    ...new Set([...parts, ...again.map(({ told }) => ({ keys: downIn(draft, told.id) }))].flatMap((part) => part.keys)),
  ]
  const scope = around(keys.map((key) => draft.found.get(key)?.path ?? [])).path[0]?.id ?? 'all'
  const open = opensThese(scope, keys, down > 0 ? 'connected:no' : counts.back > 0 ? cameBack : '')
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

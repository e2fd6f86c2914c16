import { changeDrop, hasUnreportedRecovery, note, notify, type Draft } from '../incidents/engine/draft.ts'
import { reasonOf } from './reason.ts'
import { suppressionOf } from '../incidents/suppression.ts'
import { growMs, type Drop, type Incident, type Reason, type Notification } from '../incidents/engine/state.ts'
import { mostNamed } from './messages.ts'

/** What an incident has that nobody was told yet. */
export interface Unreported {
  incident: Incident
  /** Down, or flapping, and not told. */
  fresh: Drop[]
  /** Told to be down, and back for good. */
  backs: Drop[]
  /** Its snooze is over, and it is not. */
  again: boolean
  /** Found after an absence. */
  missed: boolean
  /** It is over, and of what came back of it without a word nobody was told. */
  ended: boolean
}

const statusOf = ({ found }: Draft, { key }: Drop) => found.get(key)?.status ?? 'unknown'

/** Not told, and seen to be so now: nothing is said of what Muster does not see (invariant 4). */
export function isUnreported(draft: Draft, drop: Drop): boolean {
  if (drop.told || drop.returned) return false
  const status = statusOf(draft, drop)
  return drop.flapping ? status !== 'unknown' : drop.backAt === null && status === 'disconnected'
}

/** All news, whether or not it may be told now. */
export function unreportedOf(draft: Draft): Unreported[] {
  const byIncident = new Map<string, { fresh: Drop[]; backs: Drop[] }>()
  for (const drop of draft.drops.values()) {
    if (drop.incident === null) continue
    const of = byIncident.get(drop.incident) ?? { fresh: [], backs: [] }
    if (isUnreported(draft, drop)) of.fresh.push(drop)
    else if (drop.returned && statusOf(draft, drop) === 'connected') of.backs.push(drop)
    byIncident.set(drop.incident, of)
  }
  return [...draft.incidents.values()].flatMap((incident) => {
    const { fresh, backs } = byIncident.get(incident.id) ?? { fresh: [], backs: [] }
    const again = incident.again && incident.closedAt === null && incident.down > 0
    const ended = incident.closedAt !== null && hasUnreportedRecovery(draft, incident)
    if (fresh.length + backs.length === 0 && !again && !ended) return []
    const missed =
      (fresh.length > 0 && incident.why === 'absence' && incident.toldAt === null) ||
      backs.some(({ backNotBefore }) => backNotBefore !== null)
    return [{ incident, fresh, backs, again, missed, ended }]
  })
}

/** What of it may be told now: of what is acknowledged, snoozed or quiet only the end is. */
export function notifiableOf(draft: Draft, news: Unreported): Unreported | null {
  const { incident } = news
  const silence = suppressionOf(draft, draft.rules, incident, draft.now)
  const isSilent = silence !== null && silence.why !== 'away' && silence.why !== 'paused'
  const fresh = isSilent ? [] : news.fresh
  const backs = isSilent && incident.closedAt === null ? [] : news.backs
  const again = news.again && !isSilent
  return fresh.length + backs.length === 0 && !again && !news.ended ? null : { ...news, fresh, backs, again }
}

/** Nothing more often than once a minute of the same. */
export function mayNotify(draft: Draft, at: number | null): boolean {
  if (at === null || at + growMs <= draft.now) return true
  rateLimitedUntil(draft, at + growMs)
  return false
}

export function rateLimitedUntil(draft: Draft, until: number): void {
  draft.waits = Math.min(draft.waits ?? Infinity, until)
}

/** An incident in its own words. */
export function notifyIncident(draft: Draft, { incident, fresh, again }: Unreported): void {
  const { id, words, down, unseen, open, kind, about, named } = incident
  const told = {
    id,
    at: draft.now,
    kind: kind === 'flapping' ? ('flapping' as const) : ('offline' as const),
    ...words,
    devices: down === 0 ? unseen : down,
    open,
  }
  notify(
    draft,
    {
      told,
      about: [...about, ...named.map(({ key }) => key)],
      of: [id],
      lead: 'none',
      firstAt: draft.now,
      open: false,
    },
    fresh.map(({ key }) => key),
  )
  noteNotified(draft, incident, fresh, again ? 'again' : 'alone')
}

/** From here on these are told, in this way. */
export function noteNotified(draft: Draft, incident: Incident, fresh: readonly Drop[], as: Reason['as']): void {
  for (const { key } of fresh) changeDrop(draft, key, { told: true, owed: null })
  const known = draft.incidents.get(incident.id)
  if (known === undefined) return
  draft.incidents.set(incident.id, { ...known, toldAt: draft.now, telling: reasonOf(draft, known, as), again: false })
  note(draft, incident.id, 'told', known.words.title)
}

/** What several of them are about: their tenants, and a few devices of them. */
export function subjectsOf(incidents: readonly Incident[]): string[] {
  return [
    ...new Set([
      ...incidents.flatMap(({ about }) => about),
      ...incidents.slice(0, mostNamed).flatMap(({ named }) => named.map(({ key }) => key)),
    ]),
  ]
}

/** One that may still grow, told last within this time. */
export function growing(
  draft: Draft,
  leads: readonly Notification['lead'][],
  within: number,
): Notification | undefined {
  return [...draft.tellings.values()]
    .filter(({ lead, open, firstAt }) => open && leads.includes(lead) && firstAt > draft.now - within)
    .sort((a, b) => b.told.at - a.told.at)[0]
}

const order = { critical: 0, major: 1, minor: 2 }
type Ranked = Pick<Incident, 'severity' | 'openedAt'>
/** The worst first, then the one that is longer down. */
export const byWorst = (one: Ranked, other: Ranked): number =>
  order[one.severity] - order[other.severity] || one.openedAt - other.openedAt

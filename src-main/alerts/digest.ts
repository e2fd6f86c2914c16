import { withMoments } from '../../src-shared/moments.ts'
import type { Told } from '../../src-shared/model.ts'
import { newId, openAt, tell, type Draft } from './draft.ts'
import { noteBacks } from './back.ts'
import { around, opensThese } from './members.ts'
import { moment } from './moments.ts'
import { aboutAll, byWorst, growing, isFresh, noteTold, type News } from './news.ts'
import { standing, type Standing } from './refresh.ts'
import { growMs, outageMs, type Incident, type Telling } from './state.ts'
import { awayWords, quietWords, stormWords } from './words.ts'

/** What goes on for longer than this is told anew. */
const stormMs = 10 * 60_000

/** Notes of these that they are told, and counts what they amount to with those that the same telling had before. */
export interface Gathered {
  incidents: Incident[]
  titles: string[]
  count: { all: number; open: number }
  keys: string[]
}

export function gather(draft: Draft, before: Telling | undefined, news: readonly News[]): Gathered {
  const keys = news.flatMap(({ fresh, backs }) => [...fresh, ...backs].map(({ key }) => key))
  for (const { incident, fresh, backs } of news) {
    if (fresh.length > 0) noteTold(draft, incident, fresh)
    noteBacks(draft, incident, backs)
  }
  const ids = new Set([...(before?.of ?? []), ...news.map(({ incident }) => incident.id)])
  const incidents = [...ids].flatMap((id) => draft.incidents.get(id) ?? []).sort(byWorst)
  const open = incidents.filter(({ closedAt }) => closedAt === null)
  const over = ids.size - open.length
  return { incidents, titles: open.map(({ words }) => withMoments(words, 'title', moment)), count: { all: open.length + over, open: open.length }, keys }
}

/** Incidents after an absence of which nothing was said. */
export function tellAway(draft: Draft, before: Telling | undefined, news: readonly News[]): void {
  const { incidents, titles, count, keys } = gather(draft, before, news)
  const words = awayWords(titles, count, draft.now, draft.rules)
  put(draft, before, 'away', 'digest', words, incidents, keys, opensDown(draft, incidents))
}

export const growingStorm = (draft: Draft): Telling | undefined => growing(draft, ['storm'], stormMs)
export const growingAway = (draft: Draft): Telling | undefined => growing(draft, ['away'], outageMs)

/** Many incidents that begin at a time. */
export function tellStorm(draft: Draft, before: Telling | undefined, news: readonly News[]): void {
  const { incidents, titles, keys } = gather(draft, before, news)
  const { down } = standingOf(draft, incidents)
  const words = stormWords(down.length, around(down.map(({ path }) => path)).where, titles, draft.now, draft.rules)
  put(draft, before, 'storm', 'offline', words, incidents, keys, opensDown(draft, incidents))
}

function put(
  draft: Draft, before: Telling | undefined, lead: Telling['lead'], kind: Told['kind'], words: Pick<Told, 'title' | 'body' | 'moments'>,
  incidents: readonly Incident[], keys: readonly string[], open: Told['open'],
): void {
  const devices = standingOf(draft, incidents).down.length
  const told: Told = { id: before?.told.id ?? newId(draft), at: draft.now, kind, ...words, devices, open }
  const of = [...new Set([...(before?.of ?? []), ...incidents.map(({ id }) => id)])]
  const about = [...new Set([...(before?.about ?? []).filter((key) => key.endsWith('/')), ...aboutAll(incidents)])]
  tell(draft, { told, about, of, lead, firstAt: before?.firstAt ?? draft.now, open: true }, keys)
}

export function standingOf(draft: Draft, incidents: readonly Incident[]): Standing {
  const ids = new Set(incidents.map(({ id }) => id))
  return standing(draft, [...draft.drops.values()].filter(({ incident }) => incident !== null && ids.has(incident)))
}

/** One incident opens as itself, more of them what is down of all. */
export function opensDown(draft: Draft, incidents: readonly Incident[]): Told['open'] {
  const [only, ...more] = incidents
  if (only !== undefined && more.length === 0) return only.open
  const { down } = standingOf(draft, incidents)
  const scope = around(down.map(({ path }) => path)).path[0]?.id ?? 'all'
  return { ...openAt(scope, ''), ...opensThese(scope, down.map(({ key }) => key), down.length === 0 ? '' : 'connected:no') }
}

/**
 * Quiet windows that are over: a report of each says what changed and what did not come back, and what is still down goes
 * on as any other. Nothing changed is nothing to report.
 */
export function endQuiet(draft: Draft): void {
  const over = [...draft.held.values()].filter(({ id }) => draft.rules.quietUntil(id, draft.now) === null)
  for (const window of over) {
    const left = [...draft.incidents.values()].filter(({ quiet }) => quiet?.id === window.id)
    // Of what Muster does not see nobody can say whether it came back: the report waits for that.
    if (left.some(({ unseen, closedAt }) => unseen > 0 && closedAt === null)) {
      draft.held.set(window.id, { ...window, until: draft.now + growMs })
      continue
    }
    draft.held.delete(window.id)
    for (const incident of left) draft.incidents.set(incident.id, { ...incident, quiet: null })
    const open = left.filter(({ closedAt }) => closedAt === null).sort(byWorst)
    const keys = open.flatMap((incident) => {
      const fresh = [...draft.drops.values()].filter((drop) => drop.incident === incident.id && isFresh(draft, drop))
      if (!incident.mute) noteTold(draft, incident, fresh)
      return incident.mute ? [] : fresh.map(({ key }) => key)
    })
    if (window.went === 0 || (draft.rules.offline ? 0 : left.length) > 0) continue
    const { down } = standingOf(draft, open)
    const words = quietWords(window.name, { went: window.went, back: window.back, still: down.map(({ name }) => name) }, draft.now, draft.rules)
    const opens = down.length === 0 ? openAt(window.node, '') : opensDown(draft, open)
    const told: Told = { id: newId(draft), at: draft.now, kind: 'digest', ...words, devices: down.length, open: opens }
    tell(draft, { told, about: aboutAll(open), of: open.map(({ id }) => id), lead: 'none', firstAt: draft.now, open: false }, keys)
  }
}

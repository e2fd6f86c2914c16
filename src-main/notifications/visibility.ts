import type { Told } from '../../src-shared/model/inventory.ts'
import { isOfMuted, newId, openAt, notify, type Draft } from '../incidents/engine/draft.ts'
import { noteDelivered, downScope, countsOf } from './digest.ts'
import { subjectsOf, growing, mayNotify, rateLimitedUntil, type Unreported } from './unreported.ts'
import { growMs, outageMs, type Blind, type Observation, type Notification } from '../incidents/engine/state.ts'
import { monitoringLostMessage } from './messages.ts'
import { monitoringRestoredMessage } from './digest-messages.ts'
import { largest, smallest } from '../../src-shared/lib/extremes.ts'

type Tenants = Observation['tenants']

/** As long as this is waited for all to be read again before it is told that Muster sees. */
const readAgainMs = 10 * 60_000
/** As long as tenants that are seen again wait for others that are. */
const togetherMs = 2 * 60_000

/** Which tenants Muster sees, all of what is watched in them. One without devices is nothing to be blind for. */
export function noteVisibility(draft: Draft, tenants: Tenants): void {
  const watched = new Map(tenants.filter(({ devices }) => devices > 0).map((tenant) => [tenant.key, tenant]))
  for (const key of draft.blind.keys()) if (!watched.has(key)) draft.blind.delete(key)
  for (const tenant of watched.values()) {
    const { key, name, devices, unseen, seenSince, lastSeen } = tenant
    const known = draft.blind.get(key)
    const what = unseen < devices ? `a part of ${name}` : name
    if (unseen > 0)
      draft.blind.set(key, known ? stillBlind(draft, known, what, lastSeen) : outOfSight(draft, tenant, what))
    else if (known?.telling === null) draft.blind.delete(key)
    else if (known)
      draft.blind.set(key, { ...known, name, sightedAt: known.sightedAt ?? sightedAt(draft, known, seenSince) })
  }
}

/** A session of seeing that is older than the blindness goes on with what was seen all the time: it began again now. */
function sightedAt({ now }: Draft, { since }: Blind, seenSince: number | null): number {
  return seenSince === null || seenSince < since ? now : Math.min(seenSince, now)
}

/** Told as since the last word of the service, as the window says it too; what nobody vouches for began at the last proof before that. */
function outOfSight(
  { now, outs }: Draft,
  { key, lastSeen, heard, unseen, devices }: Tenants[number],
  name: string,
): Blind {
  const outAt = Math.min(lastSeen ?? now, now)
  // Where only a part is out of sight, it is that of whoever has heard nothing for longest.
  const last = heard.length === 0 ? outAt : Math.min(now, unseen < devices ? smallest(heard) : largest(heard))
  outs.set(key, now)
  return {
    tenant: key,
    name,
    since: Math.max(last, outAt),
    outAt,
    noticedAt: now,
    telling: null,
    sightedAt: null,
    waitUntil: 0,
  }
}

function stillBlind({ now, outs }: Draft, known: Blind, name: string, lastSeen: number | null): Blind {
  if (known.sightedAt === null) return { ...known, name }
  outs.set(known.tenant, now)
  return { ...known, name, sightedAt: null, outAt: Math.min(Math.max(lastSeen ?? now, known.sightedAt), now) }
}

/** Says what Muster has not seen for the hold-off: one telling, which grows while more goes out of sight. */
export function notifyMonitoringLost(draft: Draft, tenants: Tenants): void {
  const { now, rules } = draft
  const ready = [...draft.blind.values()].filter(
    ({ telling, noticedAt, waitUntil }) =>
      telling === null && noticedAt + rules.own.holdOffMs <= now && waitUntil <= now,
  )
  if (!rules.blind || ready.length === 0) return
  const still = new Set(
    [...draft.blind.values()].filter(({ sightedAt }) => sightedAt === null).map(({ telling }) => telling),
  )
  const known = [...draft.tellings.values()].find(
    ({ told, lead }) => lead === 'blind' && still.has(told.id) && told.at > now - outageMs,
  )
  if (known !== undefined && known.told.at + growMs > now) return postpone(draft, ready, known.told.at + growMs)
  const id = known?.told.id ?? newId(draft)
  for (const blind of ready) draft.blind.set(blind.tenant, { ...blind, telling: id })
  const all = [...draft.blind.values()].filter(({ telling, sightedAt }) => telling === id && sightedAt === null)
  const watched = tenants.filter(({ devices }) => devices > 0)
  const everything =
    all.length > 1 && all.length === watched.length && watched.every(({ unseen, devices }) => unseen === devices)
  const words = monitoringLostMessage(
    all.map(({ name }) => name),
    everything,
    earliest(all),
    now,
    rules,
  )
  const told: Told = {
    id,
    at: now,
    kind: 'blind',
    ...words,
    devices: devicesOf(watched, all),
    open: openAt(scopeOfAll(all), ''),
  }
  notify(
    draft,
    {
      told,
      about: all.map(({ tenant }) => `${tenant}/`),
      of: [],
      lead: 'blind',
      firstAt: known?.firstAt ?? now,
      open: true,
    },
    [],
  )
}

const earliest = (all: readonly Blind[]): number => all.reduce((least, { since }) => Math.min(least, since), Infinity)

function devicesOf(tenants: Tenants, of: readonly Blind[]): number {
  const keys = new Set(of.map(({ tenant }) => tenant))
  return tenants.reduce((sum, { key, unseen }) => sum + (keys.has(key) ? unseen : 0), 0)
}

/** A tenant's node is its key with a letter (inventory/keys.ts). */
function scopeOfAll(all: readonly Blind[]): string {
  const [only, ...more] = all
  return only !== undefined && more.length === 0 ? `t:${only.tenant}` : 'all'
}

function postpone(draft: Draft, blind: readonly Blind[], until: number): void {
  for (const one of blind) draft.blind.set(one.tenant, { ...one, waitUntil: until })
}

/** Whether none of these tenants has gone out of sight since a digest was first told. */
const isOfReturn = ({ outs }: Draft, { firstAt }: Notification, tenants: readonly string[]): boolean =>
  tenants.every((tenant) => (outs.get(tenant) ?? firstAt) <= firstAt)

/** What was told of this absence, and may grow by what is found of it later. */
export function growingAbsence(draft: Draft, news: readonly Unreported[]): Notification | undefined {
  const last = growing(draft, ['away'], outageMs)
  return last !== undefined && isOfReturn(draft, last, news.flatMap(tenantsOf)) ? last : undefined
}

const tenantsOf = ({ incident }: Unreported): string[] => incident.about.map((key) => key.slice(0, -1))

/** What was found after an absence waits until all of its tenants has been read again, and what was found down has been down for the hold-off. */
export function awaitingResync(draft: Draft, tenants: Tenants): ReadonlySet<string> {
  const held = [...draft.drops.values()].filter(
    ({ incident, notBefore, waitUntil, flapping }) =>
      incident === null && notBefore !== null && !flapping && waitUntil !== Infinity,
  )
  return new Set([
    ...tenants.filter(({ behind }) => behind > 0).map(({ key }) => key),
    ...held.map(({ key }) => key.slice(0, key.lastIndexOf('/'))),
  ])
}

export function mayNotifyFound(draft: Draft, waits: ReadonlySet<string>, news: Unreported): boolean {
  if (
    !news.missed ||
    !tenantsOf(news).some((tenant) => waits.has(tenant)) ||
    news.incident.grewAt + readAgainMs <= draft.now
  )
    return true
  // Whatever it waits for brings the next look; this is for what never comes.
  rateLimitedUntil(draft, draft.now + growMs)
  return false
}

/**
 * Says what Muster sees again, with what it found there, when it has seen for the hold-off and nothing is waited for any
 * more. Answers what is left to tell by itself.
 */
export function notifyMonitoringRestored(
  draft: Draft,
  tenants: Tenants,
  waits: ReadonlySet<string>,
  news: readonly Unreported[],
): Unreported[] {
  const { now, rules } = draft
  const sighted = [...draft.blind.values()].filter(({ telling, sightedAt }) => telling !== null && sightedAt !== null)
  const seenFor = ({ sightedAt }: Blind) => now - (sightedAt ?? now) - rules.own.holdOffMs
  const done = sighted.filter(
    (blind) => seenFor(blind) >= 0 && (!waits.has(blind.tenant) || seenFor(blind) >= readAgainMs),
  )
  // What comes back together is told together: the first wait for the last, for a while.
  const ready = done.length === sighted.length || done.some((blind) => seenFor(blind) >= togetherMs) ? done : []
  const early = sighted.filter((blind) => !ready.includes(blind))
  // The last one's hold-off is known; whatever else is waited for brings the next look, or it never comes.
  postpone(
    draft,
    early,
    sighted
      .map((blind) => now - seenFor(blind))
      .filter((at) => at > now)
      .reduce((least, at) => Math.min(least, at), now + growMs),
  )
  const later = new Set(early.map(({ tenant }) => tenant))
  const rest = news.filter((one) => !one.missed || !tenantsOf(one).some((tenant) => later.has(tenant)))
  if (!rules.blind) for (const { tenant } of ready) draft.blind.delete(tenant)
  return rules.blind ? sayReady(draft, tenants, ready, rest) : rest
}

/**
 * Tenants that come back a while after others are told under the same id, and so is what is found later; not more often than
 * once a minute. What was in sight when that was told, and went out of it since, is another absence and a digest of its own.
 */
function sayReady(draft: Draft, tenants: Tenants, ready: readonly Blind[], news: readonly Unreported[]): Unreported[] {
  const last = growing(draft, ['sighted'], outageMs)
  const known =
    last !== undefined &&
    isOfReturn(
      draft,
      last,
      ready.map(({ tenant }) => tenant),
    )
      ? last
      : undefined
  const before = new Set(known?.about.map((key) => key.replace(/\/$/u, '')))
  const keys = new Set([
    ...ready.map(({ tenant }) => tenant),
    ...[...before].filter((tenant) => !draft.blind.has(tenant)),
  ])
  const of = news.filter((one) => one.missed && tenantsOf(one).some((tenant) => keys.has(tenant)))
  if (ready.length + of.length === 0) return [...news]
  const rest = news.filter((one) => !of.includes(one))
  if (!mayNotify(draft, known?.told.at ?? null)) {
    postpone(draft, ready, (known?.told.at ?? draft.now) + growMs)
    return rest
  }
  for (const { tenant } of ready) draft.blind.delete(tenant)
  saySighted(
    draft,
    tenants.filter(({ key }) => keys.has(key)),
    of,
    { known, since: earliest(ready) },
  )
  return rest
}

/** Devices of these that are down, or flap, and dropped unseen since then: a clock that was set back meanwhile may have put one before it. */
function wentUnseen(draft: Draft, tenants: Tenants, since: number): number {
  const keys = new Set(tenants.map(({ key }) => key))
  return [...draft.drops.values()].filter((drop) => {
    const { at, notBefore } = drop.went ?? drop
    return (
      drop.backAt === null &&
      notBefore !== null &&
      at >= since - growMs &&
      !isOfMuted(draft, drop) &&
      keys.has(drop.key.slice(0, drop.key.lastIndexOf('/')))
    )
  }).length
}

/** `since`: when the first of those that are seen again went out of sight. */
function saySighted(
  draft: Draft,
  tenants: Tenants,
  news: readonly Unreported[],
  { known, since }: { known: Notification | undefined; since: number },
): void {
  const { incidents, titles, count, keys } = noteDelivered(draft, known, news, 'sighted')
  const words = monitoringRestoredMessage(
    tenants.map(({ name }) => name),
    titles,
    { ...count, beside: wentUnseen(draft, tenants, since) },
    tenants.some(({ behind }) => behind > 0),
    draft.now,
    draft.rules,
  )
  const [only, ...more] = tenants
  const devices = incidents.reduce((sum, { down, closedAt }) => sum + (closedAt === null ? down : 0), 0)
  const open =
    incidents.length > 0
      ? downScope(incidents, countsOf(draft, incidents).down)
      : openAt(only !== undefined && more.length === 0 ? only.id : 'all', '')
  const told: Told = { id: known?.told.id ?? newId(draft), at: draft.now, kind: 'sighted', ...words, devices, open }
  const about = [...new Set([...tenants.map(({ key }) => `${key}/`), ...subjectsOf(incidents)])]
  const of = [...new Set([...(known?.of ?? []), ...incidents.map(({ id }) => id)])]
  notify(draft, { told, about, of, lead: 'sighted', firstAt: known?.firstAt ?? draft.now, open: true }, keys)
}

import type { Whereabouts } from '../data/protocol.ts'
import type { Told } from '../../src-shared/model.ts'
import { assign, countDown, newId, openAt, openTellings, tell, wait, type Draft, type OpenTelling } from './draft.ts'
import type { Down } from './fold.ts'
import { asTheyAre, opensThese, standing } from './members.ts'
import { grow, openOfSighted } from './offline.ts'
import { growMs, outageMs, type Blind } from './state.ts'
import { blindWords, sightedWords } from './words.ts'

type Tenants = Whereabouts['tenants']

/** As long as this is waited for all to be read again before it is told that Muster sees. */
const readAgainMs = 10 * 60_000
/** As long as tenants that are seen again wait for others that are. */
const togetherMs = 2 * 60_000

/** Which tenants Muster sees, all of what is watched in them. One without devices is nothing to be blind for. */
export function noteSight(draft: Draft, tenants: Tenants): void {
  const watched = new Map(tenants.filter(({ devices }) => devices > 0).map((tenant) => [tenant.key, tenant]))
  for (const key of draft.blind.keys()) if (!watched.has(key)) draft.blind.delete(key)
  for (const { key, name, devices, unseen, seenSince, lastSeen } of watched.values()) {
    const known = draft.blind.get(key)
    const what = unseen < devices ? `a part of ${name}` : name
    if (unseen > 0) draft.blind.set(key, known ? { ...known, name: what, sightedAt: null } : outOfSight(draft, key, what, lastSeen))
    else if (known?.telling === null) draft.blind.delete(key)
    else if (known) draft.blind.set(key, { ...known, name, sightedAt: known.sightedAt ?? sightedAt(draft, known, seenSince) })
  }
}

/** A session of seeing that is older than the blindness goes on with what was seen all the time: it began again now. */
function sightedAt({ now }: Draft, { since }: Blind, seenSince: number | null): number {
  return seenSince === null || seenSince < since ? now : Math.min(seenSince, now)
}

const outOfSight = ({ now }: Draft, tenant: string, name: string, lastSeen: number | null): Blind =>
  ({ tenant, name, since: Math.min(lastSeen ?? now, now), noticedAt: now, telling: null, sightedAt: null, waitUntil: 0 })

/** Says what Muster has not seen for the hold-off: one telling, which grows while more goes out of sight. */
export function tellBlind(draft: Draft, tenants: Tenants): void {
  const { now, rules } = draft
  const ready = [...draft.blind.values()].filter(({ telling, noticedAt, waitUntil }) => telling === null && noticedAt + rules.holdOffMs <= now && waitUntil <= now)
  if (!rules.blind || ready.length === 0) return
  const still = new Set([...draft.blind.values()].filter(({ sightedAt }) => sightedAt === null).map(({ telling }) => telling))
  const known = openTellings(draft).find(({ id, open }) => open.shape === 'blind' && still.has(id) && open.toldAt > now - outageMs)
  if (known !== undefined && known.open.toldAt + growMs > now) return postpone(draft, ready, known.open.toldAt + growMs)
  const id = known?.id ?? newId(draft)
  for (const blind of ready) draft.blind.set(blind.tenant, { ...blind, telling: id })
  const all = [...draft.blind.values()].filter(({ telling, sightedAt }) => telling === id && sightedAt === null)
  const watched = tenants.filter(({ devices }) => devices > 0)
  const everything = all.length > 1 && all.length === watched.length && watched.every(({ unseen, devices }) => unseen === devices)
  const words = blindWords(all.map(({ name }) => name), everything, earliest(all), now, rules)
  const told: Told = { id, at: now, kind: 'blind', ...words, devices: devicesOf(watched, all), open: openAt(scopeOfAll(all), '') }
  const open = { ...openOfSighted(draft, []), shape: 'blind' as const, toldAt: now }
  tell(draft, { told, open, about: all.map(({ tenant }) => `${tenant}/`) }, [])
}

const earliest = (all: readonly Blind[]): number => all.reduce((least, { since }) => Math.min(least, since), Infinity)

function devicesOf(tenants: Tenants, of: readonly Blind[]): number {
  const keys = new Set(of.map(({ tenant }) => tenant))
  return tenants.reduce((sum, { key, unseen }) => sum + (keys.has(key) ? unseen : 0), 0)
}

/** A tenant's node is its key with a letter (data/keys.ts). */
function scopeOfAll(all: readonly Blind[]): string {
  const [only, ...more] = all
  return only !== undefined && more.length === 0 ? `t:${only.tenant}` : 'all'
}

function postpone(draft: Draft, blind: readonly Blind[], until: number): void {
  for (const one of blind) draft.blind.set(one.tenant, { ...one, waitUntil: until })
}

/**
 * Says what Muster sees again, with what it found there, when it has seen for the hold-off, has read everything again,
 * and what was found down is down for the hold-off. Takes the devices that belong to it; the others are handed back.
 */
export function tellSighted(draft: Draft, tenants: Tenants, missed: readonly Down[]): Down[] {
  const { now, rules } = draft
  const behind = new Set(tenants.filter((tenant) => tenant.behind > 0).map(({ key }) => key))
  const held = heldIn(draft, missed)
  const sighted = [...draft.blind.values()].filter(({ telling, sightedAt }) => telling !== null && sightedAt !== null)
  const seenFor = ({ sightedAt }: Blind) => now - (sightedAt ?? now) - rules.holdOffMs
  const done = sighted.filter((blind) => seenFor(blind) >= 0 && ((!behind.has(blind.tenant) && !held.has(blind.tenant)) || seenFor(blind) >= readAgainMs))
  // What comes back together is told together: the first wait for the last, for a while.
  const ready = done.length === sighted.length || done.some((blind) => seenFor(blind) >= togetherMs) ? done : []
  const early = sighted.filter((blind) => !ready.includes(blind))
  // Whatever it waits for brings the next look; this is for what never comes.
  postpone(draft, early, now + growMs)
  const waiting = new Set(early.map(({ tenant }) => tenant))
  wait(draft, missed.filter((one) => waiting.has(tenantOf(one))).map(({ key }) => key), now + growMs)
  const rest = missed.filter((one) => !waiting.has(tenantOf(one)))
  return joinSighted(draft, sayReady(draft, tenants, ready, rest))
}

/** Tenants of devices that were found down and are still held. */
function heldIn({ drops }: Draft, missed: readonly Down[]): Set<string> {
  const now = new Set(missed.map(({ key }) => key))
  const held = [...drops.values()].filter(({ key, telling, notBefore }) => telling === null && notBefore !== null && !now.has(key))
  return new Set(held.map(({ key }) => key.slice(0, key.lastIndexOf('/'))))
}

/** Tenants that come back a while after others are told under the same id, not more often than once a minute. */
function sayReady(draft: Draft, tenants: Tenants, ready: readonly Blind[], missed: readonly Down[]): Down[] {
  if (ready.length === 0) return [...missed]
  const keys = new Set(ready.map(({ tenant }) => tenant))
  const members = missed.filter((one) => keys.has(tenantOf(one)))
  const known = openTellings(draft).find(({ open }) => open.shape === 'sighted' && open.toldAt > draft.now - outageMs)
  const until = (known?.open.toldAt ?? -Infinity) + growMs
  if (draft.rules.blind && until > draft.now) {
    postpone(draft, ready, until)
    wait(draft, members.map(({ key }) => key), until)
    return missed.filter((one) => !keys.has(tenantOf(one)))
  }
  for (const key of keys) draft.blind.delete(key)
  if (!draft.rules.blind) return [...missed]
  const before = new Set(known?.telling.about.map((key) => key.replace(/\/$/u, '')))
  const seen = tenants.filter(({ key }) => keys.has(key) || (before.has(key) && !draft.blind.has(key)))
  saySighted(draft, seen, members, known)
  return missed.filter((one) => !keys.has(tenantOf(one)))
}

function saySighted(draft: Draft, tenants: Tenants, members: readonly Down[], known: OpenTelling | undefined): void {
  const id = known?.id ?? newId(draft)
  assign(draft, members.map(({ key }) => key), id)
  const { down, unseen } = standing(draft, id, members)
  const [only, ...more] = tenants
  const scope = only !== undefined && more.length === 0 ? only.id : 'all'
  const fresh = openOfSighted(draft, scope === 'all' ? [] : [scope])
  const { backs, backToldAt, peak } = known?.open ?? fresh
  const open = { ...asTheyAre(fresh, down), backs, backToldAt, peak: Math.max(down.length + unseen, peak) }
  const words = sightedWords(tenants.map(({ name }) => name), open, { down: down.length, unseen }, tenants.some(({ behind }) => behind > 0))
  const opens = opensThese(scope, down.map(({ key }) => key), down.length > 0 ? 'connected:no' : '')
  const told: Told = { id, at: draft.now, kind: 'sighted', ...words, devices: down.length, open: opens }
  const about = [...tenants.map(({ key }) => `${key}/`), ...open.named.map(({ key }) => key)]
  tell(draft, { told, open, about }, members.map(({ key }) => key))
}

/** What is found later of an absence that was told to be over joins it. */
function joinSighted(draft: Draft, missed: readonly Down[]): Down[] {
  const counts = countDown(draft)
  const recent = openTellings(draft).filter(({ open }) => open.shape === 'sighted' && open.toldAt > draft.now - outageMs)
  let left = [...missed]
  for (const one of recent) {
    const tenants = new Set(one.telling.about)
    const members = left.filter((down) => tenants.has(`${tenantOf(down)}/`))
    if (members.length === 0) continue
    left = left.filter((down) => !tenants.has(`${tenantOf(down)}/`))
    grow(draft, { ...one, open: { ...one.open, peak: Math.max(one.open.peak, counts.get(one.id) ?? 0) } }, members)
  }
  return left
}

function tenantOf({ path }: Down): string {
  return path.find(({ kind }) => kind === 'tenant')?.id.slice(2) ?? ''
}

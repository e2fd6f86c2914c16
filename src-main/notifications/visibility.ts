import type { Notification } from '../../src-shared/model/inventory.ts'
import { isOfMuted, newId, openAt, notify, type Draft } from '../incidents/engine/draft.ts'
import { noteDelivered, downScope, countsOf, headlinesOf } from './digest.ts'
import { subjectsOf, growing, mayNotify, rateLimitedUntil, type Unreported } from './unreported.ts'
import {
  renotifyMs,
  outageMs,
  type MonitoringLoss,
  type Observation,
  type NotificationRecord,
} from '../incidents/engine/state.ts'
import { backOf, lastDropOf } from '../incidents/engine/drop.ts'
import type { Message } from '../../src-shared/model/messages.ts'
import { maxNamed } from '../incidents/places.ts'

type Tenants = Observation['tenants']

/** As long as this is waited for all to be read again before it is told that Muster sees. */
const maxResyncMs = 10 * 60_000
/** As long as tenants that are seen again wait for others that are. */
const combineMs = 2 * 60_000

/** Says what Muster has not seen for the hold-off: one telling, which grows while more goes out of sight. */
export function notifyMonitoringLost(draft: Draft, tenants: Tenants): void {
  const { now, rules } = draft
  const ready = [...draft.monitoringLost.values()].filter(
    ({ notificationId, noticedAt, waitUntil }) =>
      notificationId === null && noticedAt + rules.defaults.holdOffMs <= now && waitUntil <= now,
  )
  if (!rules.notifyMonitoringLost || ready.length === 0) return
  const still = new Set(
    [...draft.monitoringLost.values()]
      .filter(({ restoredAt }) => restoredAt === null)
      .map(({ notificationId }) => notificationId),
  )
  const known = [...draft.notifications.values()].find(
    ({ content, digestKind }) =>
      digestKind === 'monitoring-lost' && still.has(content.id) && content.at > now - outageMs,
  )
  if (known !== undefined && known.content.at + renotifyMs > now)
    return postpone(draft, ready, known.content.at + renotifyMs)
  const id = known?.content.id ?? newId(draft)
  for (const losses of ready) draft.monitoringLost.set(losses.tenant, { ...losses, notificationId: id })
  const all = [...draft.monitoringLost.values()].filter(
    ({ notificationId, restoredAt }) => notificationId === id && restoredAt === null,
  )
  const watched = tenants.filter(({ devices }) => devices > 0)
  const everything =
    all.length > 1 && all.length === watched.length && watched.every(({ unseen, devices }) => unseen === devices)
  const message: Message = {
    kind: 'monitoring-lost',
    tenants: all.slice(0, maxNamed).map(({ name, partial }) => ({ name, partial })),
    count: all.length,
    all: everything,
    since: earliest(all),
  }
  const content: Notification = {
    id,
    at: now,
    kind: 'monitoring-lost',
    message,
    devices: devicesOf(watched, all),
    open: openAt(scopeOfAll(all), ''),
  }
  notify(
    draft,
    {
      content,
      about: all.map(({ tenant }) => `${tenant}/`),
      incidentIds: [],
      digestKind: 'monitoring-lost',
      firstAt: known?.firstAt ?? now,
      isGrowing: true,
    },
    [],
  )
}

const earliest = (all: readonly MonitoringLoss[]): number =>
  all.reduce((least, { since }) => Math.min(least, since), Infinity)

function devicesOf(tenants: Tenants, of: readonly MonitoringLoss[]): number {
  const keys = new Set(of.map(({ tenant }) => tenant))
  return tenants.reduce((sum, { key, unseen }) => sum + (keys.has(key) ? unseen : 0), 0)
}

/** A tenant's node is its key with a letter (inventory/keys.ts). */
function scopeOfAll(all: readonly MonitoringLoss[]): string {
  const [only, ...more] = all
  return only !== undefined && more.length === 0 ? `t:${only.tenant}` : 'all'
}

function postpone(draft: Draft, losses: readonly MonitoringLoss[], until: number): void {
  for (const one of losses) draft.monitoringLost.set(one.tenant, { ...one, waitUntil: until })
}

/** Whether none of these tenants has gone out of sight since a digest was first told. */
const isSameAbsence = ({ lastLostAt }: Draft, { firstAt }: NotificationRecord, tenants: readonly string[]): boolean =>
  tenants.every((tenant) => (lastLostAt.get(tenant) ?? firstAt) <= firstAt)

/** What was told of this absence, and may grow by what is found of it later. */
export function growingAbsence(draft: Draft, unreported: readonly Unreported[]): NotificationRecord | undefined {
  const last = growing(draft, ['absence'], outageMs)
  return last !== undefined && isSameAbsence(draft, last, unreported.flatMap(tenantsOf)) ? last : undefined
}

const tenantsOf = ({ incident }: Unreported): string[] => incident.about.map((key) => key.slice(0, -1))

/** What was found after an absence waits until all of its tenants has been read again, and what was found down has been down for the hold-off. */
export function awaitingResync(draft: Draft, tenants: Tenants): ReadonlySet<string> {
  const runs = [...draft.drops.values()].filter(
    (drop) => drop.kind === 'suspect' && drop.notBefore !== null && !drop.isBlocked,
  )
  return new Set([
    ...tenants.filter(({ outdated: behind }) => behind > 0).map(({ key }) => key),
    ...runs.map(({ key }) => key.slice(0, key.lastIndexOf('/'))),
  ])
}

export function mayNotifyFound(draft: Draft, awaiting: ReadonlySet<string>, unreported: Unreported): boolean {
  if (
    !unreported.missed ||
    !tenantsOf(unreported).some((tenant) => awaiting.has(tenant)) ||
    unreported.incident.grewAt + maxResyncMs <= draft.now
  )
    return true
  // Whatever it waits for brings the next look; this is for what never comes.
  rateLimitedUntil(draft, draft.now + renotifyMs)
  return false
}

/**
 * Says what Muster sees again, with what it found there, when it has seen for the hold-off and nothing is waited for any
 * more. Answers what is left to tell by itself.
 */
export function notifyMonitoringRestored(
  draft: Draft,
  tenants: Tenants,
  awaiting: ReadonlySet<string>,
  unreported: readonly Unreported[],
): Unreported[] {
  const { now, rules } = draft
  const restored = [...draft.monitoringLost.values()].filter(
    ({ notificationId, restoredAt }) => notificationId !== null && restoredAt !== null,
  )
  const seenFor = ({ restoredAt }: MonitoringLoss) => now - (restoredAt ?? now) - rules.defaults.holdOffMs
  const done = restored.filter(
    (losses) => seenFor(losses) >= 0 && (!awaiting.has(losses.tenant) || seenFor(losses) >= maxResyncMs),
  )
  // What comes back together is told together: the first wait for the last, for a while.
  const ready = done.length === restored.length || done.some((losses) => seenFor(losses) >= combineMs) ? done : []
  const early = restored.filter((losses) => !ready.includes(losses))
  // The last one's hold-off is known; whatever else is waited for brings the next look, or it never comes.
  postpone(
    draft,
    early,
    restored
      .map((losses) => now - seenFor(losses))
      .filter((at) => at > now)
      .reduce((least, at) => Math.min(least, at), now + renotifyMs),
  )
  const later = new Set(early.map(({ tenant }) => tenant))
  const rest = unreported.filter((one) => !one.missed || !tenantsOf(one).some((tenant) => later.has(tenant)))
  if (!rules.notifyMonitoringLost) for (const { tenant } of ready) draft.monitoringLost.delete(tenant)
  return rules.notifyMonitoringLost ? notifyRestored(draft, tenants, ready, rest) : rest
}

/**
 * Tenants that come back a while after others are told under the same id, and so is what is found later; not more often than
 * once a minute. What was in sight when that was told, and went out of it since, is another absence and a digest of its own.
 */
function notifyRestored(
  draft: Draft,
  tenants: Tenants,
  ready: readonly MonitoringLoss[],
  unreported: readonly Unreported[],
): Unreported[] {
  const last = growing(draft, ['monitoring-restored'], outageMs)
  const known =
    last !== undefined &&
    isSameAbsence(
      draft,
      last,
      ready.map(({ tenant }) => tenant),
    )
      ? last
      : undefined
  const before = new Set(known?.about.map((key) => key.replace(/\/$/u, '')))
  const keys = new Set([
    ...ready.map(({ tenant }) => tenant),
    ...[...before].filter((tenant) => !draft.monitoringLost.has(tenant)),
  ])
  const of = unreported.filter((one) => one.missed && tenantsOf(one).some((tenant) => keys.has(tenant)))
  if (ready.length + of.length === 0) return [...unreported]
  const rest = unreported.filter((one) => !of.includes(one))
  if (!mayNotify(draft, known?.content.at ?? null)) {
    postpone(draft, ready, (known?.content.at ?? draft.now) + renotifyMs)
    return rest
  }
  for (const { tenant } of ready) draft.monitoringLost.delete(tenant)
  sendRestored(
    draft,
    tenants.filter(({ key }) => keys.has(key)),
    of,
    { known, since: earliest(ready) },
  )
  return rest
}

/** Devices of these that are down, or flap, and dropped unseen since then: a clock that was set back meanwhile may have put one before it. */
function countUnseenDrops(draft: Draft, tenants: Tenants, since: number): number {
  const keys = new Set(tenants.map(({ key }) => key))
  return [...draft.drops.values()].filter((drop) => {
    const { at, notBefore } = lastDropOf(drop) ?? drop
    return (
      backOf(drop) === null &&
      notBefore !== null &&
      at >= since - renotifyMs &&
      !isOfMuted(draft, drop) &&
      keys.has(drop.key.slice(0, drop.key.lastIndexOf('/')))
    )
  }).length
}

/** `since`: when the first of those that are seen again went out of sight. */
function sendRestored(
  draft: Draft,
  tenants: Tenants,
  unreported: readonly Unreported[],
  { known, since }: { known: NotificationRecord | undefined; since: number },
): void {
  const { incidents, headlines, count, keys } = noteDelivered(draft, known, unreported, 'monitoring-restored')
  const message: Message = {
    kind: 'monitoring-restored',
    tenants: tenants.slice(0, maxNamed).map(({ name }) => name),
    count: tenants.length,
    ...count,
    beside: countUnseenDrops(draft, tenants, since),
    behind: tenants.some(({ outdated }) => outdated > 0),
    ...headlinesOf(headlines),
  }
  const [only, ...more] = tenants
  const devices = incidents.reduce((sum, { down, closedAt }) => sum + (closedAt === null ? down : 0), 0)
  const open =
    incidents.length > 0
      ? downScope(incidents, countsOf(draft, incidents).down)
      : openAt(only !== undefined && more.length === 0 ? only.id : 'all', '')
  const content: Notification = {
    id: known?.content.id ?? newId(draft),
    at: draft.now,
    kind: 'monitoring-restored',
    message,
    devices,
    open,
  }
  const about = [...new Set([...tenants.map(({ key }) => `${key}/`), ...subjectsOf(incidents)])]
  const of = [...new Set([...(known?.incidentIds ?? []), ...incidents.map(({ id }) => id)])]
  notify(
    draft,
    {
      content,
      about,
      incidentIds: of,
      digestKind: 'monitoring-restored',
      firstAt: known?.firstAt ?? draft.now,
      isGrowing: true,
    },
    keys,
  )
}

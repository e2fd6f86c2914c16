import type { Notification } from '../../src-shared/model/inventory.ts'
import { isOfMuted, newId, openAt, notify, type Draft } from '../incidents/engine/draft.ts'
import { noteDelivered, downScope, countsOf, headlinesOf } from './digest.ts'
import { subjectsOf, growing, mayNotify, rateLimitedUntil, type Unreported } from './unreported.ts'
import { renotifyMs, outageMs, type MonitoringLoss, type Observation } from '../incidents/engine/state.ts'
import type { NotificationRecord } from '../incidents/engine/notification-record.ts'
import { isAwaited } from '../incidents/engine/drops/reboots.ts'
import { backOf, lastDropOf } from '../incidents/engine/drops/drop.ts'
import type { Message } from '../../src-shared/model/messages.ts'
import { maxNamed } from '../incidents/scope/places.ts'

type Tenants = Observation['tenants']

/** The longest wait (ms) for a full resync before Muster notifies that monitoring is restored. */
const maxResyncMs = 10 * 60_000
/** The longest time (ms) that restored tenants wait for others that are being restored. */
const combineMs = 2 * 60_000

/**
 * Notifies of tenants that Muster has not seen for the hold-off, in one notification that grows with further losses.
 */
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

/** Returns the scope of these losses. A tenant's node id is its key with a prefix (inventory/keys.ts). */
function scopeOfAll(all: readonly MonitoringLoss[]): string {
  const [only, ...more] = all
  return only !== undefined && more.length === 0 ? `t:${only.tenant}` : 'all'
}

function postpone(draft: Draft, losses: readonly MonitoringLoss[], until: number): void {
  for (const one of losses) draft.monitoringLost.set(one.tenant, { ...one, waitUntil: until })
}

/** Returns whether none of these tenants was lost since a digest was first sent. */
const isSameAbsence = ({ lastLostAt }: Draft, { firstAt }: NotificationRecord, tenants: readonly string[]): boolean =>
  tenants.every((tenant) => (lastLostAt.get(tenant) ?? firstAt) <= firstAt)

/** Returns the digest of this absence when it may still grow. */
export function growingAbsence(draft: Draft, unreported: readonly Unreported[]): NotificationRecord | undefined {
  const last = growing(draft, ['absence'], outageMs)
  return last !== undefined && isSameAbsence(draft, last, unreported.flatMap(tenantsOf)) ? last : undefined
}

const tenantsOf = ({ incident }: Unreported): string[] => incident.about.map((key) => key.slice(0, -1))

/**
 * Returns the keys of the tenants that are not fully read again after an absence, or have devices within the hold-off.
 */
export function awaitingResync(draft: Draft, tenants: Tenants): ReadonlySet<string> {
  const runs = [...draft.drops.values()].filter(
    (drop) => drop.kind === 'suspect' && drop.notBefore !== null && !drop.isBlocked && !isAwaited(drop, draft.now),
  )
  return new Set([
    ...tenants.filter(({ outdated }) => outdated > 0).map(({ key }) => key),
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
  // The awaited change triggers the next evaluation; this covers one that never comes.
  rateLimitedUntil(draft, draft.now + renotifyMs)
  return false
}

/**
 * Notifies of restored tenants and what was found there, after the hold-off and when nothing is awaited any more.
 * Returns the changes that remain to be notified by themselves.
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
  // Tenants that are restored together are notified together: the first wait a while for the last.
  const ready = done.length === restored.length || done.some((losses) => seenFor(losses) >= combineMs) ? done : []
  const early = restored.filter((losses) => !ready.includes(losses))
  // The last tenant's hold-off is known; any other awaited change triggers the next evaluation, or never comes.
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
 * Notifies of restored tenants, under the id of the last such digest when it may still grow, at most once a minute. A
 * tenant that was lost again since then starts a digest of its own.
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

/**
 * Returns the number of devices of these tenants that are down or flap and dropped unseen since then. `renotifyMs`
 * allows for a clock that was set back meanwhile.
 */
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

/** `since`: when the first of the restored tenants was lost (ms). */
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
  const devices = incidents.reduce((sum, { extent, closedAt }) => sum + (closedAt === null ? extent.down : 0), 0)
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

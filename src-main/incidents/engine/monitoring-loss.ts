import { largest, smallest } from '../../../src-shared/lib/extremes.ts'
import type { Draft } from './draft.ts'
import type { MonitoringLoss, Observation } from './state.ts'

type Tenants = Observation['tenants']

/** Notes which tenants are visible, and which lost their visibility. A tenant without devices has none to lose. */
export function noteVisibility(draft: Draft, tenants: Tenants): void {
  const watched = new Map(tenants.filter(({ devices }) => devices > 0).map((tenant) => [tenant.key, tenant]))
  for (const key of draft.monitoringLost.keys()) if (!watched.has(key)) draft.monitoringLost.delete(key)
  for (const tenant of watched.values()) {
    const { key, name, devices, unseen, seenSince, lastSeen } = tenant
    const known = draft.monitoringLost.get(key)
    const what = { name, partial: unseen < devices }
    if (unseen > 0)
      draft.monitoringLost.set(key, known ? continuedLoss(draft, known, what, lastSeen) : lossOf(draft, tenant, what))
    else if (known?.notificationId === null) draft.monitoringLost.delete(key)
    else if (known)
      draft.monitoringLost.set(key, {
        ...known,
        name,
        partial: false,
        restoredAt: known.restoredAt ?? restoredAt(draft, known, seenSince),
      })
  }
}

/**
 * Returns when a tenant was visible again (ms). If its session is older than the loss, part of it was visible all the
 * time, and it is complete again now.
 */
function restoredAt({ now }: Draft, { since }: MonitoringLoss, seenSince: number | null): number {
  return seenSince === null || seenSince < since ? now : Math.min(seenSince, now)
}

/**
 * Returns a loss that begins at the last message of the service, which the window shows too, or at the last proof of
 * life before that.
 */
function lossOf(
  { now, lastLostAt }: Draft,
  { key, lastSeen, lastMessages, unseen, devices }: Tenants[number],
  what: Pick<MonitoringLoss, 'name' | 'partial'>,
): MonitoringLoss {
  const lostAt = Math.min(lastSeen ?? now, now)
  // A partial loss begins at the oldest of the connections' last messages.
  const last =
    lastMessages.length === 0
      ? lostAt
      : Math.min(now, unseen < devices ? smallest(lastMessages) : largest(lastMessages))
  lastLostAt.set(key, now)
  return {
    tenant: key,
    ...what,
    since: Math.max(last, lostAt),
    lostAt,
    noticedAt: now,
    notificationId: null,
    restoredAt: null,
    waitUntil: 0,
  }
}

function continuedLoss(
  { now, lastLostAt }: Draft,
  known: MonitoringLoss,
  what: Pick<MonitoringLoss, 'name' | 'partial'>,
  lastSeen: number | null,
): MonitoringLoss {
  if (known.restoredAt === null) return { ...known, ...what }
  lastLostAt.set(known.tenant, now)
  return { ...known, ...what, restoredAt: null, lostAt: Math.min(Math.max(lastSeen ?? now, known.restoredAt), now) }
}

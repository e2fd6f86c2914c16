import type { StoredDrop } from '../../storage/journal/alerts.ts'
import { backOf, incidentIdOf, suspectDrop, type Drop } from '../engine/drops/drop.ts'

/** Returns a stored drop. Fields that are not stored have their initial values. */
export function dropOf(stored: StoredDrop): Drop {
  const { key, at, notBefore, incident, notified, recoveredAt, recoveredNotBefore, recoveryConfirmed, flapping } =
    stored
  if (incident === null) return suspectDrop(stored)
  const member = { key, at, notBefore, thresholds: null, incident, lastDrop: null }
  const back = recoveredAt === null ? null : { at: recoveredAt, notBefore: recoveredNotBefore }
  const notification = notified ? { notified } : { notified, pendingRecovery: null }
  if (flapping) return { kind: 'flapping', ...member, ...notification, back, isBlocked: false }
  if (recoveryConfirmed) return { kind: 'recovered', ...member, back: back ?? { at, notBefore: null } }
  if (back !== null)
    return { kind: 'recovering', ...member, ...notification, back, isBlocked: false, droppedAgain: false }
  return { kind: 'down', ...member, ...notification, droppedAgain: false }
}

export function storedDrop(drop: Drop): StoredDrop {
  const { kind, key, at, notBefore } = drop
  const back = backOf(drop)
  return {
    key,
    at,
    notBefore,
    incident: incidentIdOf(drop),
    notified: kind === 'recovered' || (kind !== 'suspect' && drop.notified),
    recoveredAt: back?.at ?? null,
    recoveredNotBefore: back?.notBefore ?? null,
    recoveryConfirmed: kind === 'recovered',
    flapping: kind === 'flapping',
  }
}

import type { StoredDrop } from '../../storage/journal/alerts.ts'
import { expectedOf } from '../engine/drops/reboots.ts'
import { backOf, incidentIdOf, suspectDrop, type Drop } from '../engine/drops/drop.ts'
import { readExpected } from './values.ts'

/** Returns a stored drop. Fields that are not stored have their initial values. */
export function dropOf(stored: StoredDrop): Drop {
  const { key, at, notBefore, incident, notified, recoveredAt, recoveredNotBefore, recoveryConfirmed, flapping } =
    stored
  const { pendingRecovery } = stored
  const expected = readExpected(stored.expected)
  if (incident === null) return suspectDrop(stored, pendingRecovery, expected)
  const member = { key, at, notBefore, thresholds: null, incident, lastDrop: null }
  const back = recoveredAt === null ? null : { at: recoveredAt, notBefore: recoveredNotBefore }
  const notification = notified ? { notified } : { notified, pendingRecovery }
  if (flapping) return { kind: 'flapping', ...member, ...notification, back, expected, isBlocked: false }
  if (recoveryConfirmed) return { kind: 'recovered', ...member, back: back ?? { at, notBefore: null } }
  if (back !== null)
    return { kind: 'recovering', ...member, ...notification, back, expected, isBlocked: false, droppedAgain: false }
  return { kind: 'down', ...member, ...notification, expected, droppedAgain: false }
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
    expected: expectedOf(drop),
    pendingRecovery: 'pendingRecovery' in drop ? drop.pendingRecovery : null,
  }
}

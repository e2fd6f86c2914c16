import type { StoredDelivery } from '../incidents/stored/delivery.ts'
import type { Outcome } from './outcome.ts'

/** Waits before the second and later attempts (ms): the first, the factor of each next one, and the longest. */
const [firstWaitMs, waitFactor, longestWaitMs] = [5_000, 3, 15 * 60_000]
/** The longest wait that a server may ask for, ms. */
export const longestAskedMs = 60 * 60_000
/** A message is given up after this time, ms: mail servers do so after some days, too. */
export const givenUpMs = 3 * 24 * 3_600_000

/**
 * Returns the message that is sent next: the earliest that is not held and whose alert has no older one that is due before. One that is held
 * holds up later ones that tell of something open, and no end or acknowledgement. Null: none waits for a time.
 */
export function nextOf(
  rows: readonly StoredDelivery[],
  isHeld: (row: StoredDelivery) => boolean = () => false,
): StoredDelivery | null {
  const [earliest, heldFrom] = [new Map<string, number>(), new Map<string, number>()]
  const isAfter = ({ alert, dueAt }: StoredDelivery, times: typeof earliest) => (times.get(alert) ?? Infinity) <= dueAt
  let next: StoredDelivery | null = null
  for (const row of rows) {
    const waits = isHeld(row) || (row.begins && isAfter(row, heldFrom))
    if (!waits && !isAfter(row, earliest) && row.nextAt !== null && row.nextAt < (next?.nextAt ?? Infinity)) next = row
    const times = waits ? heldFrom : earliest
    times.set(row.alert, Math.min(times.get(row.alert) ?? Infinity, row.dueAt))
  }
  return next
}

/** Returns a message that waits no longer than it was to when it was planned: the clock may have been set back since. */
export function withoutJump(row: StoredDelivery, now: number): StoredDelivery {
  const { nextAt, attempts, dueAt, at } = row
  const longest = attempts > 0 ? longestAskedMs : Math.max(0, dueAt - at)
  return nextAt === null || nextAt - now <= longest ? row : { ...row, nextAt: now + (attempts > 0 ? 0 : longest) }
}

/** Returns whether a message that waits is not needed beside a newer version of the same notification. */
export const isReplaced = (row: StoredDelivery, by: StoredDelivery): boolean =>
  row.alert === by.alert &&
  row.action === by.action &&
  row.notification.kind === by.notification.kind &&
  row.notification.id === by.notification.id &&
  row.id !== by.id

/** Returns whether a message that is not due yet is not needed, because its alert is over. */
export const isEnded = (row: StoredDelivery, by: StoredDelivery): boolean =>
  by.action === 'resolve' && row.alert === by.alert && row.begins && row.attempts === 0 && row.dueAt > by.dueAt

/** Returns a message after an attempt. `random`: from 0 to 1, so that several that wait do not all try at the same time. */
export function afterAttempt(row: StoredDelivery, outcome: Outcome, now: number, random: number): StoredDelivery {
  const attempts = row.attempts + 1
  // It may have been held, or Muster was off.
  const givenUpAt = attempts === 1 ? Math.max(row.givenUpAt, now + givenUpMs) : row.givenUpAt
  const tried = { ...row, attempts, givenUpAt, to: outcome.to.length > 0 ? outcome.to : row.to, reason: outcome.reason }
  if (outcome.is === 'sent') return { ...tried, state: 'sent', nextAt: null, settledAt: now }
  const failed = { ...tried, state: 'failed' as const, nextAt: null, settledAt: now }
  if (outcome.is === 'never') return failed
  const usual = Math.min(longestWaitMs, firstWaitMs * waitFactor ** (attempts - 1)) * (0.75 + random / 2)
  const nextAt = now + Math.max(usual, Math.min(outcome.waitMs ?? 0, longestAskedMs))
  return nextAt > givenUpAt ? failed : { ...tried, nextAt }
}

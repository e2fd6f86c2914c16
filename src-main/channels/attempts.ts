import type { StoredDelivery } from '../incidents/stored/delivery.ts'
import type { Outcome } from './outcome.ts'

/** Waits before the second and later attempts (ms): the first, the factor of each next one, and the longest. */
const [firstWaitMs, waitFactor, longestWaitMs] = [5_000, 3, 15 * 60_000]
/** The longest wait that a server may ask for, ms. */
const longestAskedMs = 60 * 60_000
/** A message is given up after this time, ms: mail servers do so after some days, too. */
const givenUpMs = 3 * 24 * 3_600_000

/** Returns the message that is sent next: the earliest whose alert has no older one that waits. Null: none waits. */
export function nextOf(rows: readonly StoredDelivery[]): StoredDelivery | null {
  const seen = new Set<string>()
  let next: StoredDelivery | null = null
  for (const row of rows) {
    if (!seen.has(row.alert) && row.nextAt !== null && row.nextAt < (next?.nextAt ?? Infinity)) next = row
    seen.add(row.alert)
  }
  return next
}

/** Returns whether a message that waits is not needed beside a newer version of the same notification. */
export const isReplaced = (row: StoredDelivery, by: StoredDelivery): boolean =>
  row.alert === by.alert &&
  row.action === by.action &&
  row.notification.kind === by.notification.kind &&
  row.notification.id === by.notification.id &&
  row.id !== by.id

/** Returns a message after an attempt. `random`: from 0 to 1, so that several that wait do not all try at the same time. */
export function afterAttempt(row: StoredDelivery, outcome: Outcome, now: number, random: number): StoredDelivery {
  const attempts = row.attempts + 1
  const tried = { ...row, attempts, to: outcome.to.length > 0 ? outcome.to : row.to, reason: outcome.reason }
  if (outcome.is === 'sent') return { ...tried, state: 'sent', nextAt: null, settledAt: now }
  const failed = { ...tried, state: 'failed' as const, nextAt: null, settledAt: now }
  if (outcome.is === 'never') return failed
  const usual = Math.min(longestWaitMs, firstWaitMs * waitFactor ** (attempts - 1)) * (0.75 + random / 2)
  const nextAt = now + Math.max(usual, Math.min(outcome.waitMs ?? 0, longestAskedMs))
  return nextAt > row.dueAt + givenUpMs ? failed : { ...tried, nextAt }
}

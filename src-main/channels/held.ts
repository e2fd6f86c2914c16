import type { AlertRules } from '../incidents/engine/rules.ts'
import type { State } from '../incidents/engine/state.ts'
import { isPaused } from '../incidents/engine/drops/due.ts'
import type { StoredDelivery } from '../incidents/stored/delivery.ts'
import { isOver, isTaken, openOf } from './alerts.ts'

/** Why a message that is due waits on, as sentences. */
export const heldReasons = {
  taken: 'Somebody has acknowledged, snoozed or taken it.',
  paused: 'Notifications are paused.',
  off: 'Notifications of this kind are switched off.',
  unread: 'Muster has started, and has yet to see whether it is still open.',
} as const

/** After a start or a sleep, what is open is looked at for so long at least, and at most while none of its devices is seen to be down (ms). */
const [lookMs, longestLookMs] = [60_000, 10 * 60_000]
/** This long without a look (ms), and the computer has slept. */
const sleepMs = 3 * 60_000

/** What is known of when this Muster began to look. */
export interface Looking {
  /** When it started, or woke (ms). */
  since: number
  /** When it last looked (ms). */
  at: number
}

/** Notes that this Muster is awake at `now` (ms). */
export function look(looking: Looking, now: number): void {
  if (now - looking.at > sleepMs) looking.since = now
  // The clock was set back.
  if (now < looking.at) looking.since = Math.min(looking.since, now)
  looking.at = now
}

export interface Present {
  state: State
  rules: Pick<AlertRules, 'notifyOffline' | 'notifyRecovered' | 'notifyMonitoringLost'>
  looking: Looking
  now: number
}

/** Returns why a message that was made to wait, and is due, waits on; null where it is sent. It is looked at again with each change. */
export function heldReason(row: StoredDelivery, { state, rules, looking, now }: Present): string | null {
  // What is over is dropped, and holds up nothing.
  if (row.attempts > 0 || !hasWaited(row) || (row.unlessTaken && isOver(row, state))) return null
  if (isPaused(state, now)) return heldReasons.paused
  if (row.begins && isOff(row, rules)) return heldReasons.off
  if (!row.unlessTaken) return null
  if (isTaken(row, state)) return heldReasons.taken
  return isUnread(row, state, now - looking.since) ? heldReasons.unread : null
}

/** Returns whether a message was made to wait, for minutes or hours. */
export const hasWaited = ({ unlessTaken, dueAt, at }: StoredDelivery): boolean => unlessTaken || dueAt > at

/** Returns whether notifications of its kind are switched off, by the switches of the bell. */
export function isOff({ notification: { kind } }: StoredDelivery, rules: Present['rules']): boolean {
  if (kind === 'recovered' || kind === 'unlisted') return !rules.notifyRecovered
  if (kind === 'monitoring-lost' || kind === 'monitoring-restored') return !rules.notifyMonitoringLost
  return !rules.notifyOffline
}

/** Returns whether what is open of a message is as it was before a start or a sleep, for all that is known (`lookedMs`: time since). */
function isUnread(row: StoredDelivery, state: State, lookedMs: number): boolean {
  const open = openOf(row, state)
  // Not seen, or back and not yet for long enough.
  const isNoneDown = open.length > 0 && open.every(({ extent }) => extent.down === 0)
  return lookedMs < (isNoneDown ? longestLookMs : lookMs)
}

import type { Since, Transition } from '../../../src-shared/model/inventory.ts'

/** The last boolean report of a device, from the row or, where the row has none, from the journal. */
export interface LastReport {
  connected: boolean
  since: Since | null
  /** Up to when it is known to have held, ms: a missed transition came after this. */
  confirmedUntil: number
  /** True when the device was visible without an interruption since then. */
  continuous: boolean
}

/** A new report of a device. `live`: an event. Otherwise a page or reconciliation. */
export interface StatusReport {
  connected: boolean | null
  at: number
  lastDetected: number | null
  live: boolean
}

export interface Classified {
  since: Since | null
  /** The entry for the journal; null when nothing is new. */
  entry: { connected: boolean; transition: Transition | null } | null
}

/**
 * Classifies a report (design, section 5). The first boolean report and an equal one are no transitions. A different
 * one is: at the event's time when it is live, else at some time between the last confirmation of the former state and
 * now.
 */
export function classifyReport(last: LastReport | null, report: StatusReport): Classified {
  const { connected, at } = report
  if (connected === null) return { since: null, entry: null }
  if (!last) return { since: firstSince(report), entry: { connected, transition: null } }
  if (last.connected === connected) return { since: connected ? stillSince(last, at) : last.since, entry: null }
  const notBefore = report.live ? null : Math.min(lastConfirmed(last, at), at)
  const since = report.live ? { at, kind: 'seen' as const } : missedSince(report, notBefore ?? at)
  return { since, entry: { connected, transition: { at, notBefore, connected } } }
}

/**
 * Up to when the former state is known to have held, ms. A confirmation in the future is of a wrong clock: then its
 * start counts.
 */
const lastConfirmed = ({ confirmedUntil, since }: LastReport, at: number): number =>
  confirmedUntil <= at ? confirmedUntil : (since?.at ?? confirmedUntil)

/**
 * Since when a device is online that was online before and after a loss of visibility. When the loss is the larger part
 * of the time, only now is certain.
 */
function stillSince({ since, confirmedUntil, continuous }: LastReport, at: number): Since | null {
  if (since === null || continuous || at - confirmedUntil <= confirmedUntil - since.at) return since
  return { at, kind: 'at-least' }
}

/**
 * The start of the first reported state. Offline: at least since `lastDetected`, where that is not in the future, else
 * since now. Online: unknown.
 */
function firstSince({ connected, at, lastDetected }: StatusReport): Since | null {
  if (connected !== false) return null
  return { at: lastDetected !== null && lastDetected <= at ? lastDetected : at, kind: 'at-least' }
}

/**
 * The start of a state after a missed transition. Offline: `lastDetected` when it is within the span, else now, because
 * the span's start would claim a longer outage than was seen. Online: unknown.
 */
function missedSince({ connected, at, lastDetected }: StatusReport, notBefore: number): Since | null {
  if (connected !== false) return null
  const isInSpan = lastDetected !== null && lastDetected > notBefore && lastDetected <= at
  return { at: isInSpan ? lastDetected : at, kind: 'at-least' }
}

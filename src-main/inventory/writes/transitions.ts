import type { Since, Transition } from '../../../src-shared/model/inventory.ts'

/** The last boolean word on a device, from the row or, where the row has none, from the journal. */
export interface LastReport {
  connected: boolean
  since: Since | null
  /** Up to when it is known to have held: the beginning of the honest span of a transition that was missed. */
  confirmedUntil: number
  /** Whether somebody has heard of the device without a break since then. */
  continuous: boolean
}

/** A new word on a device. `live`: an event, seen as it happened. Otherwise a page or reading that tells how things are. */
export interface StatusReport {
  connected: boolean | null
  at: number
  lastDetected: number | null
  live: boolean
}

export interface Classified {
  since: Since | null
  /** What to enter into the journal; null when it knows already. */
  entry: { connected: boolean; transition: Transition | null } | null
}

/**
 * What a new word means (design, section 5). The first boolean word is no transition; the same word again is none. A
 * different one is a transition: at the event's time when it was seen live, else somewhere in the span from the last
 * moment at which the old word was proven until now.
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

/** Up to when the former word is known to have held. A clock that was ahead has proven nothing: then it is known that it began. */
const lastConfirmed = ({ confirmedUntil, since }: LastReport, at: number): number =>
  confirmedUntil <= at ? confirmedUntil : (since?.at ?? confirmedUntil)

/**
 * Online before it went out of sight and online when it came back: nobody knows what was between. Where that was the larger
 * part of the time, it has been online at least since now, and no longer as far as anyone saw.
 */
function stillSince({ since, confirmedUntil, continuous }: LastReport, at: number): Since | null {
  if (since === null || continuous || at - confirmedUntil <= confirmedUntil - since.at) return since
  return { at, kind: 'at-least' }
}

/**
 * Already down at first sight: down at least since the service last detected it, where it says so and the time is not
 * in the future, else since now. Up at first sight: nobody knows since when.
 */
function firstSince({ connected, at, lastDetected }: StatusReport): Since | null {
  if (connected !== false) return null
  return { at: lastDetected !== null && lastDetected <= at ? lastDetected : at, kind: 'at-least' }
}

/**
 * A missed drop: `lastDetected` tells the time when it lies within the span. Otherwise only now is certain; the span's
 * beginning would claim a longer outage than anyone saw. A missed return: nobody knows since when.
 */
function missedSince({ connected, at, lastDetected }: StatusReport, notBefore: number): Since | null {
  if (connected !== false) return null
  const report = lastDetected !== null && lastDetected > notBefore && lastDetected <= at
  return { at: report ? lastDetected : at, kind: 'at-least' }
}

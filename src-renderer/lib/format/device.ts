import type { Counts, DeviceRow, DeviceStatus, Since, Transition } from '../../../src-shared/model/inventory.ts'
import { numberText, total } from './numbers.ts'
import { age, clockSpan, clockTime, span, type Times } from './time.ts'

export const statusLabels: Record<DeviceStatus, string> = {
  connected: 'online',
  disconnected: 'offline',
  unknown: 'unknown',
}

/** Returns the service's last value for a device with no data: "online", "offline", or null when it never said. */
export function lastStatusText(connected: boolean | null): string | null {
  if (connected === null) return null
  return connected ? 'online' : 'offline'
}

/**
 * Returns how long the status holds: "2 h 14 min"; "≥ 2 h 14 min" when the beginning was not observed; '' when unknown.
 */
export function sinceText(since: Since | null, now: number): string {
  if (since === null) return ''
  const length = span(now - since.at)
  return since.kind === 'seen' ? length : `≥ ${length}`
}

/** Returns a sentence about the status of a device. `coreLost`: the window cannot reach the core. */
export function statusSentence(row: DeviceRow, coreLost: boolean, now: number, times: Times): string {
  if (coreLost || row.status === 'unknown') return unknownSentence(row, now)
  const word = row.status === 'connected' ? 'Online' : 'Offline'
  if (row.since === null) return `${word}.`
  const length = span(now - row.since.at)
  if (row.since.kind === 'at-least') return `${word} for at least ${length}.`
  return `${word} for ${length}, seen live at ${clockTime(row.since.at, now, times)}.`
}

function unknownSentence(row: DeviceRow, now: number): string {
  const word = lastStatusText(row.connected)
  if (word === null) return 'Unknown: the service does not report whether it is connected.'
  return `Unknown: monitoring lost. Last known: ${word}, ${age(row.seenAt, now)}.`
}

/** Returns when a transition happened: a moment when it was observed, or else a span. */
export function transitionTime(transition: Transition, now: number, times: Times): string {
  if (transition.notBefore === null) return `at ${clockTime(transition.at, now, times)}`
  return clockSpan(transition.notBefore, transition.at, now, times)
}

/** Returns the window's title with the number of offline devices. */
export function titleText(counts: Counts | null, coreLost: boolean): string {
  if (counts === null || total(counts) === 0) return 'Muster'
  if (coreLost || counts.unknown === total(counts)) return 'All unknown · Muster'
  return `${numberText(counts.disconnected)} offline · Muster`
}

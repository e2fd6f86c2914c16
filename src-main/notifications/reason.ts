import { assertNever } from '../../src-shared/model/fault.ts'
import { momentMark } from '../../src-shared/text/moments.ts'
import { idsOf, type Draft } from '../incidents/engine/draft.ts'
import { nameText } from '../../src-shared/text/names.ts'
import { thresholdsAt, type PlaceThresholds } from '../incidents/engine/rules.ts'
import type { Incident, Reason } from '../incidents/engine/state.ts'

/**
 * The shell in which Muster runs. `electron` notifies by desktop notifications and the tray, `web` by the browser's
 * notifications and the page title.
 */
export type ShellKind = 'electron' | 'web'

/** The thresholds that decide whether an incident of each kind is notified. */
const deciding = {
  outage: ['holdOffMs', 'minDevices', 'minShare'],
  flapping: ['flapTransitions', 'flapPeriodMs'],
} as const satisfies Record<Incident['kind'], readonly (keyof PlaceThresholds)[]>

/** Returns the reason of a notification, with the present thresholds and windows, which may change later. */
export function reasonOf({ rules, now }: Draft, { path, kind, shape, watched }: Incident, as: Reason['as']): Reason {
  const ids = idsOf(path)
  const { holdOffMs, minDevices, minShare, flapTransitions: flaps, flapPeriodMs } = thresholdsAt(rules, ids)
  const policies = path.find(({ id }) => deciding[kind].some((figure) => rules.nodes.get(id)?.[figure] !== undefined))
  const overrode = watched > 0 ? (rules.maintenanceAt(ids, now)?.name ?? '') : ''
  return {
    at: now,
    as,
    thresholds: { holdOffMs, minDevices, minShare, flapTransitions: flaps, flapPeriodMs },
    shape,
    thresholdsPlace: policies?.name ?? '',
    watched,
    overrode,
    delivered: null,
  }
}

/** Returns a duration as text, in minutes when it is a whole number of them from 2 min on: "90 s", "30 min". */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/**
 * Returns sentences that say when, how and by which thresholds an incident was notified. Without a stored reason they
 * give the time alone.
 */
export function deliverySentences(
  { notifiedAt, reason: notification, kind, shape }: Incident,
  shell: ShellKind,
): string[] {
  if (notifiedAt === null) return ['Not notified.']
  if (notification === null) return [`Notified at ${momentMark(notifiedAt)}.`]
  const { at, as, thresholdsPlace } = notification
  const from =
    thresholdsPlace === ''
      ? 'by the settings of that time'
      : `by the thresholds of ${nameText(thresholdsPlace)} at that time`
  return [
    `Notified at ${momentMark(at)}${deliveryText[as]} ${channelText(notification, shell)}.`,
    `${thresholdText(notification, kind, notification.shape ?? shape)}, ${from}.${watchListText(notification)}`,
  ]
}

const deliveryText: Record<Reason['as'], string> = {
  alone: '',
  reminder: ' again after its snooze,',
  storm: ' together with others that began then,',
  absence: ' in the summary after an absence,',
  'monitoring-restored': ' when monitoring was restored,',
  maintenance: ' in the report of a maintenance window,',
  pause: ' in the summary after the pause,',
}

function channelText({ delivered }: Reason, shell: ShellKind): string {
  const inApp = shell === 'electron' ? 'in app (bell and tray)' : 'in app (bell and window title)'
  if (delivered === true) return `${inApp} and on the desktop`
  return delivered === false
    ? `${inApp}; the system did not show the desktop notification`
    : `${inApp}; desktop notification not confirmed`
}

function thresholdText(
  { thresholds: { holdOffMs, minDevices, minShare, flapTransitions: flaps, flapPeriodMs } }: Reason,
  kind: Incident['kind'],
  shape: Incident['shape'],
): string {
  if (kind === 'flapping') return `Alerted after ${flaps} changes in ${duration(flapPeriodMs)}`
  const delay = holdOffMs === 0 ? 'Alerted without delay' : `Alerted after ${duration(holdOffMs)} delay`
  switch (shape) {
    case 'node':
      return `${delay} at the threshold of ${minDevices} devices and ${Math.round(minShare * 100)} %`
    case 'device':
    case 'several':
      return delay
    default:
      return assertNever(shape)
  }
}

function watchListText({ watched, overrode }: Reason): string {
  if (watched === 0) return ''
  return overrode === ''
    ? ' It was on the watch list.'
    : ` It was on the watch list, which overrides the maintenance window ${nameText(overrode)}.`
}

import type { Suppression } from '../../src-shared/model/incidents.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { assertNever } from '../../src-shared/model/fault.ts'
import { whereSuffix } from '../../src-shared/text/messages.ts'
import { nameList, nameText } from '../../src-shared/text/names.ts'
import { duration, deliverySentences, type ShellKind } from './reason.ts'
import { thresholdsAt, type AlertRules } from '../incidents/engine/rules.ts'
import type { Incident, Reason } from '../incidents/engine/state.ts'

const plural = (count: number, one: string, more = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${new Intl.NumberFormat('en').format(count)} ${more}`

/**
 * Returns sentences that explain an incident and its notification, with the thresholds of its last notification, or
 * else the present ones. Instants are marked (src-shared/text/moments.ts).
 */
export function explainIncident(
  incident: Incident,
  suppression: Suppression | null,
  rules: AlertRules,
  shell: ShellKind,
): string[] {
  const thresholds =
    incident.reason?.thresholds ??
    thresholdsAt(
      rules,
      incident.path.map(({ id }) => id),
    )
  const larger = peakSentence(incident)
  return [
    ...larger,
    thresholdSentence(incident, thresholds, larger.length > 0),
    ...splitSentence(incident),
    ...severityOf(incident),
    ...notifiedSentences(incident, suppression, shell),
  ]
}

function thresholdSentence(incident: Incident, thresholds: Reason['thresholds'], wasLarger: boolean): string {
  const { shape, kind, total, path } = incident
  const { peak, peakInPlace } = incident
  if (kind === 'flapping')
    return `A device flaps when it changes ${thresholds.flapTransitions} times in ${duration(thresholds.flapPeriodMs)}, and is steady again when it changes once at most in that time.`
  const delay =
    thresholds.holdOffMs === 0
      ? 'There is no alert delay here.'
      : `The alert delay is ${duration(thresholds.holdOffMs)}.`
  if (shape === 'device') return delay
  if (shape === 'several')
    return `Peak${wasLarger ? ' since' : ''}: ${plural(peak, 'device')} down at a time, without a common site. ${delay}`
  const of =
    total === null || total === 0
      ? plural(peak, 'device')
      : `${peak} of ${plural(total, 'device')} known in ${path[0] === undefined ? 'this place' : nameText(path[0].name)}`
  const percent = total === null || total === 0 ? '' : `, ${Math.round((peak / total) * 100)} %`
  const others = peakInPlace > peak ? `, and ${plural(peakInPlace - peak, 'other')} with them` : ''
  return `Peak: ${of} down${percent}${others}. The threshold of a place is ${thresholds.minDevices} devices and ${Math.round(thresholds.minShare * 100)} %. ${delay}`
}

function splitSentence({ splitFrom, notifiedAt, openedAt }: Incident): string[] {
  if (splitFrom === null || notifiedAt === null || notifiedAt >= openedAt) return []
  return [`It was a part of what was down${whereSuffix(splitFrom.where)}, and was notified with it.`]
}

/** Returns a sentence about its largest extent before it was split. */
function peakSentence({ largest, peak, path, shape }: Incident): string[] {
  if (largest === null || largest.peak <= peak || (largest.path[0]?.id === path[0]?.id && largest.shape === shape))
    return []
  return [`It was larger: peak ${plural(largest.peak, 'device')} down${whereSuffix(largest.where)}.`]
}

function severityOf(incident: Incident): string[] {
  const { watched, severity, shape, path, kind } = incident
  if (watched > 0)
    return [
      `It is critical because ${watched === 1 ? 'something' : plural(watched, 'device')} on the watch list is in it.`,
    ]
  const place = path[0]?.kind ?? 'place'
  const [is, are] = incident.closedAt === null ? ['is', 'are'] : ['was', 'were']
  if (severity === 'critical') return [`It ${is} critical because half of a ${place} or more ${is} down.`]
  if (severity === 'minor') return []
  if (shape !== 'node') return [`It ${is} major because ten devices or more ${are} down in it.`]
  if (kind === 'flapping') return [`It ${is} major because a whole ${place} ${is} flapping.`]
  return [`It ${is} major because ${place === 'room' ? 'a room' : `less than half of a ${place}`} ${is} down.`]
}

function notifiedSentences(incident: Incident, suppression: Suppression | null, shell: ShellKind): string[] {
  if (suppression === null || incident.closedAt !== null)
    return [...deliverySentences(incident, shell), ...suppressedBySentence(incident)]
  return [...(incident.notifiedAt === null ? [] : deliverySentences(incident, shell)), suppressionSentence(suppression)]
}

/** Returns a sentence that says why its beginning was not notified. */
const suppressedBySentence = ({ suppressedBy }: Incident): string[] =>
  suppressedBy === ''
    ? []
    : [`It was kept in the maintenance window ${nameText(suppressedBy)}, whose report at the end counts it.`]

function suppressionSentence(suppression: Suppression): string {
  switch (suppression.why) {
    case 'acknowledged':
      return 'Acknowledged. While it stays in its place, it notifies only on recovery.'
    case 'snoozed':
      return suppression.until === null
        ? 'Snoozed until it recovers. It notifies on recovery.'
        : 'Snoozed. It alerts again if still down.'
    case 'maintenance':
      return `It began in the maintenance window ${nameText(suppression.name)}. The report at its end counts it.`
    case 'paused':
      return 'Notifications are paused. The summary after the pause counts it.'
    case 'setting':
      return 'Notifications about devices were switched off when it began.'
    case 'absence':
      return 'Found after an absence. Muster notifies when the sync is complete.'
    default:
      return assertNever(suppression.why)
  }
}

/**
 * Returns a sentence about Muster's own checks of these connections, which it makes before it calls a device down
 * (design, invariant 4).
 */
export function monitoringHealth(connections: readonly ConnectionState[]): string {
  if (connections.length === 0) return 'No connection lists it any more.'
  const doubts = connections.flatMap(({ name, checks }) =>
    checks.filter(({ state }) => state === 'doubt').map((check) => ({ name, ...check })),
  )
  const [first, ...more] = doubts
  if (first === undefined) return 'Monitoring healthy: link, token, heartbeat, clock and balance are in order.'
  const others =
    more.length === 0
      ? ''
      : ` So is ${nameList(
          more.slice(0, 2).map(({ name, check }) => `the ${check} of ${nameText(name)}`),
          more.length,
        )}.`
  return `Monitoring in doubt: the ${first.check} of ${nameText(first.name)}. ${first.detail}${others}`
}

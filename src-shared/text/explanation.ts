import type { Explanation, ExplanationOf } from '../model/explanation.ts'
import { assertNever } from '../model/fault.ts'
import type { Suppression } from '../model/incidents.ts'
import { checkLabels } from './checks.ts'
import { devices, duration, numberFormat, percentText } from './counts.ts'
import { rebootsText, whereSuffix, type TimeText } from './messages.ts'
import { nameList, nameText } from './names.ts'

const checks = Object.values(checkLabels)

type Delivery = NonNullable<ExplanationOf<'notified'>['delivery']>

/** Returns one fact of an incident's explanation as a sentence or two. */
export function explanationText(one: Explanation, time: TimeText): string {
  switch (one.kind) {
    case 'larger':
      return `It was larger: peak ${devices(one.peak)} down${whereSuffix(one.where)}.`
    case 'split':
      return `It was a part of what was down${whereSuffix(one.where)}, and was notified with it.`
    case 'flapping':
      return `A device flaps when it changes ${one.transitions} times in ${duration(one.periodMs)}, and is steady again when it changes once at most in that time.`
    case 'device':
      return delayText(one)
    case 'several':
      return `Peak${one.wasLarger ? ' since' : ''}: ${devices(one.peak)} down at a time, without a common site. ${delayText(one)}`
    case 'place':
      return placeText(one)
    case 'rebooted':
      return `${rebootsText(one.reboots, null, time)}.`
    case 'watched':
      return `It is critical because ${one.count === 1 ? 'something on the watch list is' : `${devices(one.count)} on the watch list are`} in it.`
    case 'severity':
      return severityText(one)
    case 'spares':
      return one.all
        ? 'It is minor because all devices that are down in it are spares, by their tags.'
        : `${devices(one.count)} of it ${one.count === 1 ? 'is a spare by its tag and does' : 'are spares by their tags and do'} not count for its severity.`
    case 'not-notified':
      return 'Not notified.'
    case 'notified':
      return `Notified at ${time(one.at)}${one.delivery === null ? '' : deliveryText(one.delivery)}.`
    case 'alerted':
      return alertedText(one)
    case 'in-maintenance':
      return `It was suppressed by the maintenance window ${nameText(one.window)}. The report at its end counts it.`
    case 'suppressed':
      return suppressionText(one.suppression)
    case 'no-connection':
      return 'No connection lists it any more.'
    case 'monitoring-healthy':
      return `Monitoring healthy: ${nameList(checks, checks.length)}.`
    case 'monitoring-doubt':
      return doubtText(one)
    default:
      return assertNever(one)
  }
}

const shareText = (share: number): string => percentText(Math.round(share * 100))

const delayText = ({ holdOffMs }: { holdOffMs: number }): string =>
  holdOffMs === 0 ? 'There is no alert delay here.' : `The alert delay is ${duration(holdOffMs)}.`

function placeText({ place, peak, total, others, minDevices, minShare, holdOffMs }: ExplanationOf<'place'>): string {
  const isKnown = total !== null && total > 0
  const extent = isKnown
    ? `${numberFormat.format(peak)} of ${devices(total)} known in ${place === null ? 'this place' : nameText(place)} down, ${shareText(peak / total)}`
    : `${devices(peak)} down`
  const more =
    others === 0 ? '' : `, and ${others === 1 ? '1 other' : `${numberFormat.format(others)} others`} with them`
  return `Peak: ${extent}${more}. The threshold of a place is ${minDevices} devices and ${shareText(minShare)}. ${delayText({ holdOffMs })}`
}

function severityText({ because, place, closed }: ExplanationOf<'severity'>): string {
  const [is, are] = closed ? ['was', 'were'] : ['is', 'are']
  const name = place ?? 'place'
  switch (because) {
    case 'half':
      return `It ${is} critical because half of a ${name} or more ${is} down.`
    case 'many':
      return `It ${is} major because ten devices or more ${are} down in it.`
    case 'flapping':
      return `It ${is} major because a whole ${name} ${is} flapping.`
    case 'less':
      return `It ${is} major because ${place === 'room' ? 'a room' : `less than half of a ${name}`} ${is} down.`
    default:
      return assertNever(because)
  }
}

const deliveryTexts: Record<Delivery['as'], string> = {
  alone: '',
  reminder: ' again after its snooze,',
  storm: ' together with others that began then,',
  absence: ' in the summary after an absence,',
  'monitoring-restored': ' when monitoring was restored,',
  maintenance: ' in the report of a maintenance window,',
  pause: ' in the summary after the pause,',
}

function deliveryText({ as, shell, isDelivered }: Delivery): string {
  const inApp = `${deliveryTexts[as]} in app (bell and ${shell === 'electron' ? 'tray' : 'window title'})`
  if (isDelivered === true) return `${inApp} and on the desktop`
  return isDelivered === false
    ? `${inApp}; the system did not show the desktop notification`
    : `${inApp}; desktop notification not confirmed`
}

function alertedText({
  thresholds,
  thresholdsPlace,
  watched,
  overrode,
  afterReboot,
}: ExplanationOf<'alerted'>): string {
  if (afterReboot === true) return 'Alerted when the time of the reboot was over.'
  const source =
    thresholdsPlace === ''
      ? 'by the settings of that time'
      : `by the thresholds of ${nameText(thresholdsPlace)} at that time`
  const override = overrode === '' ? '' : `, which overrides the maintenance window ${nameText(overrode)}`
  return `${thresholdsText(thresholds)}, ${source}.${watched ? ` It was on the watch list${override}.` : ''}`
}

function thresholdsText(thresholds: ExplanationOf<'alerted'>['thresholds']): string {
  if ('transitions' in thresholds)
    return `Alerted after ${thresholds.transitions} changes in ${duration(thresholds.periodMs)}`
  const { holdOffMs, place } = thresholds
  const delay = holdOffMs === 0 ? 'Alerted without delay' : `Alerted after ${duration(holdOffMs)} delay`
  return place === null
    ? delay
    : `${delay} at the threshold of ${place.minDevices} devices and ${shareText(place.minShare)}`
}

function suppressionText({ why, until, name }: Suppression): string {
  switch (why) {
    case 'acknowledged':
      return 'Acknowledged. While it stays in its place, it notifies only on recovery.'
    case 'snoozed':
      return until === null
        ? 'Snoozed until it recovers. It notifies on recovery.'
        : 'Snoozed. It alerts again if still down.'
    case 'maintenance':
      return `It began in the maintenance window ${nameText(name)}. The report at its end counts it.`
    case 'paused':
      return 'Notifications are paused. The summary after the pause counts it.'
    case 'setting':
      return 'Notifications about devices were switched off when it began.'
    case 'absence':
      return 'Found after an absence. Muster notifies when the sync is complete.'
    default:
      return assertNever(why)
  }
}

function doubtText({ first, more, count }: ExplanationOf<'monitoring-doubt'>): string {
  const label = ({ check, connection }: typeof first | (typeof more)[number]) =>
    `${checkLabels[check]} of ${nameText(connection)}`
  const others = count === 0 ? '' : ` Also in doubt: ${nameList(more.map(label), count)}.`
  return `Monitoring in doubt: ${label(first)}. ${first.detail}${others}`
}

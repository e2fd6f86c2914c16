import type { Delivery } from '../../../src-shared/model/channels.ts'
import type { StoredDelivery } from '../../incidents/stored/delivery.ts'
import { printLink } from '../../../src-shared/navigation/link.ts'
import { nameText } from '../../../src-shared/text/names.ts'
import { messageBody, messageTitle } from '../../../src-shared/text/messages.ts'

/** What a delivery says, in plain text. The formats put it into the form of each system. */
export interface Content {
  /** The id of the delivery, and of the alert that it belongs to. */
  id: string
  alert: string
  action: Delivery['action']
  /** True for the message of the test button. */
  isTest: boolean
  title: string
  /** Sentences; '' for none. */
  body: string
  /** A link into Muster; null where there is none. */
  link: string | null
  severity: Delivery['severity']
  kind: Delivery['notification']['kind']
  places: readonly string[]
  incidents: readonly string[]
  /** Number of devices. */
  devices: number
  /** When the notification was made, ms. */
  at: number
  /** That time in the zone of the channel, for example "27 Nov, 14:02 CET". */
  time: string
}

/** A message that is sent later than this (ms) after its time says so. */
const lateMs = 5 * 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a time (ms) in a zone, as people elsewhere read it: "27 Nov, 14:02 CET". */
export function zonedTime(at: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone,
      timeZoneName: 'short',
    })
  formats.set(zone, format)
  return format.format(at)
}

/** Returns what a delivery says when it is sent at `now` (ms). */
export function contentOf(delivery: StoredDelivery, zone: string, now: number): Content {
  const { notification, dueAt, at, begins } = delivery
  const { message, open, devices, kind } = notification
  const time = (moment: number) => zonedTime(moment, zone)
  const late = now - dueAt > lateMs ? `This message is late: it is from ${time(dueAt)}` : ''
  const waited = begins && dueAt > at ? 'It is still open' : ''
  const link = typeof open.incident === 'string' ? printLink({ to: 'incident', id: open.incident }) : null
  return {
    id: delivery.id,
    alert: delivery.alert,
    action: delivery.action,
    isTest: false,
    title: messageTitle(message, time),
    body: sentences([messageBody(message, time), waited, late]),
    link: link ?? printLink({ to: 'devices', scope: open.scope, filter: open.filter }) ?? null,
    severity: delivery.severity,
    kind,
    places: delivery.places,
    incidents: delivery.incidents,
    devices,
    at,
    time: time(at),
  }
}

/** Returns the message of the test button. */
export function testContent(id: string, channelName: string, zone: string, now: number): Content {
  return {
    id,
    alert: `test-${id}`,
    action: 'notify',
    isTest: true,
    title: `Test of the channel ${nameText(channelName)}`,
    body: 'Muster reaches you here. Nothing has happened.',
    link: printLink({ to: 'screen', screen: 'settings' }),
    severity: null,
    kind: 'digest',
    places: [],
    incidents: [],
    devices: 0,
    at: now,
    time: zonedTime(now, zone),
  }
}

const sentences = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/u.test(part) ? part : `${part}.`))
    .join(' ')

/** Returns a message whose texts are well-formed and on one line each, so that no name begins a line of its own. */
export function readable(content: Content): Content {
  const line = (text: string) => text.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return {
    ...content,
    title: line(content.title),
    body: line(content.body),
    places: content.places.map(nameText),
  }
}

/** Returns at most so many UTF-16 units of a text, cut between characters. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${/[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut}…`
}

export const severityNames = { critical: 'Critical', major: 'Major', minor: 'Minor' } as const

/** Returns the line under a message: severity, places and time. */
export const footer = ({ severity, places, time }: Content): string =>
  [severity === null ? '' : severityNames[severity], places.join(', '), time].filter((part) => part !== '').join(' · ')

import type { Note } from '../../src-shared/contract/note-calls.ts'
import type { Incident, IncidentMember } from '../../src-shared/model/incidents.ts'
import { messageTitle } from '../../src-shared/text/messages.ts'
import { count, inline } from './markdown.ts'
import { roughDuration } from './page-stamps.ts'
import type { Stamps } from './stamps.ts'

/** The texts of one incident in a handover, as Markdown. `at` writes times. */

const maxNamed = 3

type At = Stamps['at']

export const titleOf = ({ message }: Incident, at: At): string => inline(messageTitle(message, at))

/** Returns whether an incident is acknowledged or snoozed. */
export const isHandled = ({ acknowledged, snoozed }: Pick<Incident, 'acknowledged' | 'snoozed'>): boolean =>
  acknowledged !== null || snoozed !== null

/** Returns for example "critical, since 05:30 (1 h 30 min)". */
export function statusText({ severity, kind, since, foundAt }: Incident, now: number, at: At): string {
  const begun =
    since === null
      ? `before ${at(foundAt)}, its beginning was not seen`
      : `since ${at(since)} (${roughDuration(now - since)})`
  return `${severity}${kind === 'flapping' ? ', flapping' : ''}, ${begun}`
}

/** Returns the location of an incident and the names of some of its devices. */
export function whereText(incident: Incident, members: readonly IncidentMember[]): string {
  const { shape, places, devices } = incident
  const title = messageTitle(incident.message, String)
  // The title already names a place that is down, or a single device, so neither is repeated.
  const isNamed = shape === 'node' || (places[0] !== undefined && title.endsWith(` in ${places[0].name}`))
  const where = places
    .slice(isNamed ? 1 : 0)
    .map(({ name }) => inline(name, 80))
    .join(', ')
  const down = members.filter(({ recoveredAt }) => recoveredAt === null)
  const named = (down.length > 0 ? down : members).slice(0, maxNamed)
  const more = (down.length > 0 ? devices.down + devices.unseen : devices.peak) - named.length
  const names =
    shape === 'device' || named.every(({ name }) => title.includes(name))
      ? ''
      : `${named.map(({ name }) => inline(name, 80)).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
  return [where, names].filter((part) => part !== '').join(': ')
}

/** Returns the facts of an incident that its title lacks. */
export function reasonText({ shape, kind, devices, watched, recurrence, notifiedAt }: Incident, at: At): string {
  const { down, others, unseen, peak, total } = devices
  const facts = [
    shape === 'node' && kind === 'outage' && total !== null
      ? down >= total
        ? `all ${count(total)} known there are down`
        : `${count(down)} of ${count(total)} known there are down`
      : '',
    others === 0 ? '' : `${count(others)} more down there that it does not count`,
    peak > down + unseen ? `peak ${count(peak)}` : '',
    unseen === 0 ? '' : `${count(unseen)} no data`,
    watched === 0 ? '' : `${count(watched)} on the watch list`,
    recurrence === null || recurrence < 2 ? '' : `${count(recurrence)} times in 30 days`,
    notifiedAt === null ? 'not notified' : `notified ${at(notifiedAt)}`,
  ].filter((fact) => fact !== '')
  return facts.join('; ')
}

/** Returns who takes care of an incident, whether it is acknowledged or snoozed, and the next step. */
export function ownerText(incident: Incident, at: At): string {
  const { assigned } = incident
  const handled = handledText(incident, at)
  return assigned === null
    ? handled
    : `${inline(assigned.to, 80)} takes care of it since ${at(assigned.at)}; ${handled}`
}

function handledText(incident: Incident, at: At): string {
  const {
    acknowledged,
    snoozed,
    suppressed,
    devices: { down, unseen },
  } = incident
  const parts = [
    ...(acknowledged === null ? [] : [`acknowledged ${at(acknowledged.at)}: ${inline(acknowledged.reason, 500)}`]),
    ...(snoozed === null
      ? []
      : [
          snoozed.until === null
            ? 'snoozed until it recovers'
            : `snoozed: alerts again at ${at(snoozed.until)} if it is still down`,
        ]),
  ]
  if (parts.length > 0) return parts.join('; ')
  const suppression = suppressed === null ? '' : suppressionText(suppressed, at)
  if (suppression !== '') return suppression
  if (down === 0 && unseen > 0) return 'not acknowledged; no data now, so check its connection first'
  return `not acknowledged; ${hintOf(incident)}`
}

/** Returns a few notes of the operator: what each is about, its contact, tags and text. */
export const notesText = (notes: readonly Note[]): string =>
  notes
    .map(({ name, contact, tags, text }) =>
      [
        inline(name, 80),
        [contact, tags.join(', '), text]
          .filter((part) => part !== '')
          .map((part) => inline(part, 300))
          .join('; '),
      ].join(': '),
    )
    .join(' · ')

function suppressionText({ why, name, until }: NonNullable<Incident['suppressed']>, at: At): string {
  const ends = until === null ? '' : ` until ${at(until)}`
  switch (why) {
    case 'acknowledged':
    case 'snoozed':
      return ''
    case 'maintenance':
      return `wait: in the maintenance window ${inline(name)}${ends}; a report follows its end`
    case 'paused':
      return `not acknowledged; notifications are paused${ends}`
    case 'setting':
      return 'not acknowledged; such notifications are switched off'
    case 'absence':
      return 'not acknowledged; it was found after an absence and is notified soon'
  }
}

function hintOf({ kind, shape }: Incident): string {
  if (kind === 'flapping') return 'look at power and network there'
  switch (shape) {
    case 'node':
      return 'ask there about power and network'
    case 'several':
      return 'no common site, so look for what they share'
    case 'device':
      return 'look at the device'
  }
}

import type { Incident } from '../../src-shared/model/incidents.ts'
import { count, inline } from './markdown.ts'
import { duration, type Stamps } from './stamps.ts'

/** Returns the facts of an incident as a whole, as list items. */
export function incidentItems(incident: Incident, now: number, stamps: Stamps): string[] {
  const {
    id,
    kind,
    severity,
    places,
    since,
    openedAt,
    devices,
    unlisted = 0,
    watched,
    recurrence,
    notifiedAt,
  } = incident
  return [
    `Incident ${inline(id)}: ${kind}, ${severity}`,
    durationText(incident, now, stamps),
    since === null
      ? `Nobody saw when it began; found down ${stamps.at(incident.foundAt)}`
      : `First of it down since ${stamps.at(since)}`,
    `Muster was sure ${stamps.at(openedAt)}`,
    `Place: ${places.length === 0 ? 'no single one' : places.map(({ kind, name }) => `${kind} ${inline(name)}`).join(', ')}`,
    ...(unlisted === 0
      ? []
      : [`No longer listed by the service: ${count(unlisted)}; whether they are back is not known`]),
    `Devices: ${deviceCountsText(devices)}${watched === 0 ? '' : `; ${count(watched)} on the watch list`}`,
    ...(recurrence === null
      ? []
      : [`Began ${recurrence === 1 ? 'once' : `${count(recurrence)} times`} in the last 30 days`]),
    notifiedAt === null ? 'The operator was not notified' : `The operator was last notified ${stamps.at(notifiedAt)}`,
    ...ownerText(incident, stamps),
  ]
}

/** Returns how long an incident lasted. An unobserved end lies between two moments, and the duration is a maximum. */
function durationText({ since, openedAt, closedAt, closedNotBefore }: Incident, now: number, stamps: Stamps): string {
  if (closedAt === null) return `Open for ${duration(now - openedAt)}`
  if (closedNotBefore === null) return `Closed ${stamps.at(closedAt)}, after ${duration(closedAt - openedAt)}`
  return `Nobody saw when it ended: ${stamps.span(closedAt, closedNotBefore)}${since === null ? '' : `, ${duration(closedAt - since)} at most after the first of it was down`}`
}

/** Returns for example "3 offline, 1 offline when last seen, peak 12, 40 known there". */
export function deviceCountsText({ down, others, unseen, peak, total }: Incident['devices']): string {
  return [
    `${count(down)} offline`,
    ...(unseen === 0 ? [] : [`${count(unseen)} offline when last seen`]),
    ...(others === 0 ? [] : [`${count(others)} others offline there`]),
    `peak ${count(peak)}`,
    ...(total === null ? [] : [`${count(total)} known there`]),
  ].join(', ')
}

/** Returns the operators' acknowledgement, snooze and assignment, and why the incident does not notify. */
export function ownerText(
  {
    acknowledged,
    snoozed,
    assigned,
    suppressed,
  }: Pick<Incident, 'acknowledged' | 'snoozed' | 'assigned' | 'suppressed'>,
  stamps: Stamps,
): string[] {
  return [
    ...(assigned === null ? [] : [assignedText(assigned, stamps)]),
    ...(acknowledged === null
      ? []
      : [`Acknowledged ${stamps.at(acknowledged.at)}: ${inline(acknowledged.reason, 500)}`]),
    ...(snoozed === null
      ? []
      : [
          `Snoozed ${stamps.at(snoozed.at)} ${snoozed.until === null ? 'until it recovers' : `until ${stamps.at(snoozed.until)}`}`,
        ]),
    ...(suppressed === null ? [] : suppressionText(suppressed, stamps)),
  ]
}

function assignedText({ at, to, by }: NonNullable<Incident['assigned']>, stamps: Stamps): string {
  return to === by
    ? `Taken by ${inline(to)} ${stamps.at(at)}`
    : `Assigned to ${inline(to)} by ${inline(by)} ${stamps.at(at)}`
}

function suppressionText({ why, name, until }: NonNullable<Incident['suppressed']>, stamps: Stamps): string[] {
  const ends = until === null ? '' : ` until ${stamps.at(until)}`
  switch (why) {
    case 'acknowledged':
    case 'snoozed':
      return []
    case 'maintenance':
      return [`Not notified: it began in the maintenance window ${inline(name)}${ends}`]
    case 'paused':
      return [`Not notified: notifications are paused${ends}`]
    case 'setting':
      return ['Not notified: such notifications are off']
    case 'absence':
      return ['Not notified yet: it was found after an absence']
  }
}

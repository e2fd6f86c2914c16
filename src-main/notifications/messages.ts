import { maxNamed } from '../incidents/places.ts'
import { devices, numberFormat } from '../../src-shared/text/counts.ts'
import type { Message } from '../incidents/message.ts'
import { moment, formatMessage } from './moments.ts'
import { nameList, nameText } from '../../src-shared/text/names.ts'
import type { AlertRules } from '../incidents/engine/rules.ts'
import type { Incident } from '../incidents/engine/state.ts'

export const sentences = (...parts: (string | null | readonly (string | null)[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== null && part !== '')
    .map((part) => `${part}.`)
    .join(' ')

/** How many devices of a telling are down, and how many were when they were last seen. */
export interface DownCounts {
  down: number
  unseen: number
}

/** The maintenance window that something on the watch list broke through, and how many are down in the place in which that is; '' for none. */
export interface Overrode {
  window: string
  place: string
  down: number
}

/** An incident as it stands, in the words in which it is told. */
export function incidentMessage(
  incident: Incident,
  watched: Overrode | null,
  now: number,
  rules: Pick<AlertRules, 'utc'>,
): Message {
  const { down, unseen, kind } = incident
  if (down === 0 && unseen > 0 && incident.closedAt === null) return unseenMessage(incident, unseen, now, rules)
  // When all of it is back it is over, or soon will be: then its words are about what it was.
  const count = down > 0 ? down : incident.peak
  return kind === 'flapping'
    ? flappingMessage(incident, count, now, rules)
    : offlineMessage(incident, { down: count, unseen }, watched, now, rules)
}

/** Nothing is called offline that Muster does not see (invariant 4). */
function unseenMessage(incident: Incident, count: number, now: number, rules: Pick<AlertRules, 'utc'>): Message {
  const { where, context, shape, kind } = incident
  const since = incident.since === null ? null : `Since ${moment(incident.since)} as far as known`
  const was = kind === 'flapping' ? 'flapping' : 'offline'
  const [first] = incident.named
  if (count === 1 && first !== undefined) {
    return formatMessage(
      {
        title: `${nameText(first.name)} was ${was} when last seen`,
        body: sentences(shape === 'node' ? placeIn(where, context) : context, since),
      },
      now,
      rules,
    )
  }
  return formatMessage(
    {
      title: `${devices(count)}${where === '' ? '' : ` ${where}`} were ${was} when last seen`,
      body: sentences(context, namesText(incident, count), since),
    },
    now,
    rules,
  )
}

function offlineMessage(
  incident: Incident,
  { down: count, unseen }: DownCounts,
  watched: Overrode | null,
  now: number,
  rules: Pick<AlertRules, 'utc'>,
): Message {
  const { origin: why, where, context, shape } = incident
  const more = [othersText(incident), ...overrodeText(watched), unseenText(unseen)]
  const since = incident.since === null ? null : `Since ${moment(incident.since)}`
  const [first] = incident.named
  if (count === 1 && first !== undefined) {
    const missed = why === 'absence' ? 'It went offline while monitoring was lost' : null
    return formatMessage(
      {
        title: `${nameText(first.name)} is offline`,
        body: sentences(shape === 'node' ? placeIn(where, context) : context, missed, since, more),
      },
      now,
      rules,
    )
  }
  const title =
    shape === 'several' && why === 'absence'
      ? `${devices(count)} went offline while monitoring was lost`
      : `${devices(count)} offline${where === '' ? '' : ` ${where}`}`
  return formatMessage({ title, body: sentences(context, namesText(incident, count), since, more) }, now, rules)
}

function overrodeText(watched: Overrode | null): string[] {
  if (watched === null) return []
  const { window, place, down } = watched
  const quiet = `the maintenance window ${nameText(window)}`
  return place === '' || down === 0
    ? [`On the watch list, in ${quiet}`]
    : ['On the watch list', `${devices(down)} of ${nameText(place)} ${down === 1 ? 'is' : 'are'} down in ${quiet}`]
}

/** What is down there and not of the incident: its own count is the one that the title has. */
function othersText({ down, othersDown }: Pick<Incident, 'down' | 'othersDown'>): string | null {
  return othersDown === 0 || down === 0
    ? null
    : othersDown === 1
      ? '1 other is offline there'
      : `${numberFormat.format(othersDown)} others are offline there`
}

const placeIn = (where: string, context: string): string =>
  [where.replace(/^in /u, ''), context].filter((part) => part !== '').join(', ')

function flappingMessage(incident: Incident, count: number, now: number, rules: Pick<AlertRules, 'utc'>): Message {
  const { where, context, shape } = incident
  const since = incident.since === null ? null : `Since ${moment(incident.since)}`
  const [first] = incident.named
  if (count === 1 && first !== undefined) {
    return formatMessage(
      {
        title: `${nameText(first.name)} is flapping`,
        body: sentences(shape === 'node' ? placeIn(where, context) : context, since),
      },
      now,
      rules,
    )
  }
  return formatMessage(
    {
      title: `${devices(count)} flapping${where === '' ? '' : ` ${where}`}`,
      body: sentences(context, namesText(incident, count), since),
    },
    now,
    rules,
  )
}

const namesText = ({ named }: Pick<Incident, 'named'>, count: number): string =>
  nameList(named.map(({ name }) => nameText(name)).slice(0, count), count)

/** What was down when Muster last saw it is not offline for that (invariant 4). */
const unseenText = (count: number): string | null =>
  count === 0 ? null : `${numberFormat.format(count)} more with no data since`

/** How many of those that came back nobody saw come back, and between which moments that was. */
export interface MissedRecovery {
  count: number
  from: number
  until: number
}

/** `left`: the others of the telling. Others than these may be down in the same place. Instants are marked (moments.ts). */
export function recoveryMessage(
  open: Pick<Incident, 'where' | 'context' | 'kind'>,
  names: readonly string[],
  count: number,
  left: DownCounts,
  missed: MissedRecovery | null,
): { title: string; body: string } {
  const rest = [missedText(missed, count), stillText(left)]
  const [first] = names
  if (count === 1 && first !== undefined)
    return {
      title: `${nameText(first)} is ${open.kind === 'flapping' ? 'steady again' : 'back'}`,
      body: sentences(open.context, rest),
    }
  const title = `${devices(count)} are ${open.kind === 'flapping' ? 'steady again' : 'back'}${open.where === '' ? '' : ` ${open.where}`}`
  return { title, body: sentences(open.context, nameList(names.map(nameText), count), rest) }
}

function missedText(missed: MissedRecovery | null, count: number): string | null {
  if (missed === null) return null
  const who = count === 1 ? 'It' : missed.count < count ? `${numberFormat.format(missed.count)} of them` : 'They'
  const isOneMinute = Math.floor(missed.from / 60_000) === Math.floor(missed.until / 60_000)
  return `${who} came back ${isOneMinute ? `at ${moment(missed.until)}` : `between ${moment(missed.from)} and ${moment(missed.until)}`}, while monitoring was lost`
}

function stillText({ down, unseen }: DownCounts): string | null {
  const parts = [
    down === 0 ? null : `${numberFormat.format(down)} still offline`,
    unseen === 0 ? null : `${numberFormat.format(unseen)} with no data since`,
  ]
  const still = parts.filter((part) => part !== null)
  return still.length === 0 ? null : `From the same notification: ${still.join(', ')}`
}

/** What was told to be down and is no longer listed. */
export function unlistedMessage(
  { where, context }: Pick<Incident, 'where' | 'context'>,
  names: readonly string[],
  count: number,
): { title: string; body: string } {
  const [first] = names
  const end = `Whether ${count === 1 ? 'it is' : 'they are'} back is not known`
  if (count === 1 && first !== undefined)
    return { title: `${first} is no longer listed`, body: sentences(context, end) }
  return {
    title: `${devices(count)} ${count === 1 ? 'is' : 'are'} no longer listed${where === '' ? '' : ` ${where}`}`,
    body: sentences(context, nameList(names, count), end),
  }
}

/** Returns of several outages at a time. */
export function recoveriesMessage(
  names: readonly string[],
  count: number,
  missed: MissedRecovery | null,
): { title: string; body: string } {
  return {
    title: `${devices(count)} are back`,
    body: sentences(nameList(names.map(nameText), count), missedText(missed, count)),
  }
}

/** `all`: it is every tenant that there is, of more than one. */
export function monitoringLostMessage(
  names: readonly string[],
  all: boolean,
  since: number,
  now: number,
  rules: AlertRules,
): Message {
  return formatMessage(
    {
      title: all
        ? `Monitoring lost since ${moment(since)}`
        : `Monitoring lost for ${tenantText(names)} since ${moment(since)}`,
      body: sentences(
        names.length > 1 && !all ? shortList(names) : null,
        all
          ? 'No device alerts until monitoring is restored'
          : 'No alerts for these devices until monitoring is restored',
      ),
    },
    now,
    rules,
  )
}

export function tenantText(names: readonly string[]): string {
  const [first] = names
  return names.length === 1 && first !== undefined ? nameText(first) : `${numberFormat.format(names.length)} tenants`
}

export const shortList = (names: readonly string[]): string =>
  nameList(names.slice(0, maxNamed).map(nameText), names.length)

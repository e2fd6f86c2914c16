import { assertNever } from '../model/fault.ts'
import type {
  EventDetail,
  Headline,
  Message,
  MessageOf,
  MissedRecovery,
  Reboots,
  TextPart,
  Where,
} from '../model/messages.ts'
import { devices, duration, numberFormat } from './counts.ts'
import { nameList, nameText } from './names.ts'

/** Writes an instant (ms since the epoch) for its reader. */
export type TimeText = (at: number) => string

type Of<Kind extends Headline['kind']> = Extract<Headline, { kind: Kind }>

/** Returns the title, for example "12 devices offline in Berlin". */
export function messageTitle(message: Headline, time: TimeText): string {
  switch (message.kind) {
    case 'offline':
      return offlineTitle(message)
    case 'flapping':
      return alone(message) ?? `${devices(message.count)} flapping${whereSuffix(message.where)}`
    case 'unseen':
      return (
        alone(message) ?? `${devices(message.count)}${whereSuffix(message.where)} were ${message.was} when last seen`
      )
    case 'recovered':
      return recoveredTitle(message)
    case 'unlisted':
      return unlistedTitle(message)
    case 'monitoring-lost':
      return `Monitoring lost${message.all ? '' : ` for ${tenantText(lostNames(message), message.count)}`} since ${time(message.since)}`
    case 'monitoring-restored':
      return `Monitoring restored for ${tenantText(message.tenants, message.count)}`
    case 'absence':
      return `While you were away: ${incidentsText(message)}`
    case 'storm':
      return `${counted([message.offline, 'offline'], [message.flapping, 'flapping'])}${whereSuffix(message.where)}`
    case 'pause':
      return pauseTitle(message)
    case 'maintenance':
      return `${nameText(message.window)} is over: ${maintenanceLeft(message)}`
    case 'text':
      return partsText(message.title, time)
    default:
      return assertNever(message)
  }
}

/** Returns the body: names, the tenant, the beginning; '' for none. */
export function messageBody(message: Message, time: TimeText): string {
  switch (message.kind) {
    case 'offline':
      return offlineBody(message, time)
    case 'flapping':
      return sentences(subject(message), sinceText(message, time))
    case 'unseen':
      return sentences(subject(message), message.since === null ? null : `Since ${time(message.since)} as far as known`)
    case 'recovered':
      return sentences(
        context(message),
        isAlone(message) ? null : namesText(message),
        missedText(message.missed, message.count, time),
        stillText(message.left),
      )
    case 'unlisted':
      return sentences(
        context(message),
        isAlone(message) ? null : namesText(message),
        `Whether ${message.count === 1 ? 'it is' : 'they are'} back is not known`,
      )
    case 'monitoring-lost':
      return monitoringLostBody(message)
    case 'monitoring-restored':
      return restoredBody(message, time)
    case 'absence':
    case 'pause':
      return sentences(headlinesText(message, time))
    case 'storm':
      return sentences(`${message.total} incidents`, headlinesText(message, time))
    case 'maintenance':
      return maintenanceBody(message, time)
    case 'text':
      return partsText(message.body, time)
    default:
      return assertNever(message)
  }
}

/** Returns the text in which a search for incidents looks: title and body. */
export const searchText = (message: Message, time: TimeText): string =>
  `${messageTitle(message, time)}\n${messageBody(message, time)}`

/** Returns the details of a history entry as text; '' for none. */
export function detailText(detail: EventDetail, time: TimeText): string {
  switch (detail.kind) {
    case 'none':
      return ''
    case 'devices':
      return devices(detail.count)
    case 'added':
      return `+${devices(detail.count)}`
    case 'unlisted':
      return `${devices(detail.count)} no longer listed`
    case 'elsewhere':
      return `${devices(detail.count)} moved to another place`
    case 'otherTenants':
      return `${devices(detail.count)} of other tenants split off`
    case 'message':
      return messageTitle(detail.message, time)
    case 'kept':
      return `suppressed by the maintenance window ${nameText(detail.window)}`
    case 'over':
      return `the maintenance window ${nameText(detail.window)} is over`
    case 'place':
      return whereText(detail.where).replace(/^in /u, 'to ')
    case 'partOf':
      return `became a part of ${detail.where.kind === 'none' ? 'several devices' : placeText(detail.where)}`
    case 'several':
      return 'to several devices without a common site'
    case 'reopened':
      return 'it recovered and went down again'
    case 'grown':
      return 'it has grown beyond what was known'
    case 'until':
      return `${byText(detail, ' ')}${detail.until === null ? 'until it recovers' : `until ${time(detail.until)}`}`
    case 'reason':
      return `${byText(detail, ': ')}${detail.reason}`
    case 'assignee':
      return detail.to === detail.by ? nameText(detail.to) : `${nameText(detail.to)}, by ${nameText(detail.by)}`
    case 'text':
      return partsText(detail.text, time)
    default:
      return assertNever(detail)
  }
}

/** Returns the operator with what separates the name from the rest; '' for a Muster on its own. */
const byText = ({ by }: { by?: string | undefined }, separator: string): string =>
  by === undefined ? '' : `${nameText(by)}${separator}`

/** Returns for example " in Berlin" or " in 3 sites"; '' for none. */
export const whereSuffix = (where: Where): string => (where.kind === 'none' ? '' : ` ${whereText(where)}`)

function whereText(where: Where): string {
  switch (where.kind) {
    case 'none':
      return ''
    case 'place':
      return `in ${where.of === undefined ? '' : `${where.of} `}${nameText(where.name)}`
    case 'placeless':
      return where.lacks === 'region'
        ? 'in tenants without a region'
        : `in ${where.name === null ? 'a tenant' : nameText(where.name)}, without ${where.lacks === 'account' ? 'an' : 'a'} ${where.lacks}`
    case 'sites':
      return `in ${where.count} sites`
    default:
      return assertNever(where)
  }
}

/** Returns for example "3 devices did not come back", for the end of a maintenance window. */
function maintenanceLeft({ stillCount, flapping, unseen }: Of<'maintenance'>): string {
  const left = counted([stillCount, 'did not come back'], [flapping, 'flapping'], [unseen, 'with no data since'])
  return left === '' ? 'all of it is back' : left
}

const placeText = (where: Where): string => whereText(where).replace(/^in /u, '')

const partsText = (parts: readonly TextPart[], time: TimeText): string =>
  parts.map((part) => (typeof part === 'number' ? time(part) : part)).join('')

const sentences = (...parts: (string | null | readonly string[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== null && part !== '')
    .map((part) => `${part}.`)
    .join(' ')

/** Returns for example "2 devices offline, 1 device flapping", without zeros. */
const counted = (...parts: [count: number, what: string][]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${devices(count)} ${what}`)
    .join(', ')

type Scope = Pick<Of<'unlisted'>, 'count' | 'where' | 'context' | 'names'>
type Alone = Extract<Headline, { shape: string }>

const isAlone = ({ count, names }: Pick<Scope, 'count' | 'names'>): boolean => count === 1 && names.length > 0
const context = ({ context: names }: Pick<Scope, 'context'>): string => names.map(nameText).join(', ')
const namesText = ({ names, count }: Pick<Scope, 'names' | 'count'>): string =>
  nameList(names.slice(0, count).map(nameText), count)

/** Returns the title for a single named device; null for others. */
function alone(message: Alone): string | null {
  const [first] = message.names
  if (message.count !== 1 || first === undefined) return null
  const is = message.kind === 'unseen' ? `was ${message.was} when last seen` : `is ${message.kind}`
  return `${nameText(first)} ${is}`
}

/** Returns the location of a single device; for several, the places above them and their names. */
function subject(message: Alone): string[] {
  if (!isAlone(message)) return [context(message), namesText(message)]
  const place = message.shape === 'node' ? placeText(message.where) : ''
  return [[place, context(message)].filter((part) => part !== '').join(', ')]
}

const sinceText = ({ since }: Pick<Alone, 'since'>, time: TimeText): string | null =>
  since === null ? null : `Since ${time(since)}`

function offlineTitle(message: Of<'offline'>): string {
  const single = alone(message)
  if (single !== null) return single
  return message.shape === 'several' && message.missed
    ? `${devices(message.count)} went offline while monitoring was lost`
    : `${devices(message.count)} offline${whereSuffix(message.where)}`
}

function offlineBody(message: Of<'offline'>, time: TimeText): string {
  const { missed, others, unseen } = message
  return sentences(
    subject(message),
    missed && isAlone(message) ? 'It went offline while monitoring was lost' : null,
    sinceText(message, time),
    message.reboots === undefined ? null : rebootsText(message.reboots, message.count, time),
    others === 0
      ? null
      : others === 1
        ? '1 other is offline there'
        : `${numberFormat.format(others)} others are offline there`,
    overrodeText(message),
    unseen === 0 ? null : `${numberFormat.format(unseen)} more with no data since`,
  )
}

/**
 * Returns for example "Rebooted 14:02 by Muster, not back for 10 min". `of`: number of the devices that it is said of,
 * which is named where they are a part; null to name their own number.
 */
export function rebootsText({ count, from, until, waitMs }: Reboots, of: number | null, time: TimeText): string {
  const [first, last] = [time(from), time(until)]
  const sent = first === last ? first : `between ${first} and ${last}`
  const rebooted =
    of === null && count > 1
      ? `${devices(count)} rebooted`
      : of !== null && count < of
        ? `${numberFormat.format(count)} of them rebooted`
        : 'Rebooted'
  return `${rebooted} ${sent} by Muster, not back for ${duration(waitMs)}`
}

function overrodeText({ overrode }: Of<'offline'>): string[] {
  if (overrode === null) return []
  const { place, down } = overrode
  const maintenance = `the maintenance window ${nameText(overrode.window)}`
  return place === '' || down === 0
    ? [`On the watch list, in ${maintenance}`]
    : [
        'On the watch list',
        `${devices(down)} of ${nameText(place)} ${down === 1 ? 'is' : 'are'} down in ${maintenance}`,
      ]
}

function recoveredTitle({ count, names, where, steady }: Of<'recovered'>): string {
  const state = steady ? 'steady again' : 'back'
  const [first] = names
  return count === 1 && first !== undefined
    ? `${nameText(first)} is ${state}`
    : `${devices(count)} ${count === 1 ? 'is' : 'are'} ${state}${whereSuffix(where)}`
}

function missedText(missed: MissedRecovery | null, count: number, time: TimeText): string | null {
  if (missed === null) return null
  const who = count === 1 ? 'It' : missed.count < count ? `${numberFormat.format(missed.count)} of them` : 'They'
  const isOneMinute = Math.floor(missed.from / 60_000) === Math.floor(missed.until / 60_000)
  const span = isOneMinute ? `at ${time(missed.until)}` : `between ${time(missed.from)} and ${time(missed.until)}`
  return `${who} came back ${span}, while monitoring was lost`
}

function stillText({ down, unseen }: Of<'recovered'>['left']): string | null {
  const still = [
    ...(down === 0 ? [] : [`${numberFormat.format(down)} still offline`]),
    ...(unseen === 0 ? [] : [`${numberFormat.format(unseen)} with no data since`]),
  ]
  return still.length === 0 ? null : `From the same notification: ${still.join(', ')}`
}

function unlistedTitle({ count, names, where }: Of<'unlisted'>): string {
  const [first] = names
  return count === 1 && first !== undefined
    ? `${nameText(first)} is no longer listed`
    : `${devices(count)} ${count === 1 ? 'is' : 'are'} no longer listed${whereSuffix(where)}`
}

function tenantText(names: readonly string[], count: number): string {
  const [first] = names
  return count === 1 && first !== undefined ? nameText(first) : `${numberFormat.format(count)} tenants`
}

const lostNames = ({ tenants }: Of<'monitoring-lost'>): string[] =>
  tenants.map(({ name, partial }) => (partial ? `a part of ${name}` : name))

function monitoringLostBody(message: Of<'monitoring-lost'>): string {
  const { count, all } = message
  return sentences(
    count > 1 && !all ? nameList(lostNames(message).map(nameText), count) : null,
    all ? 'No device alerts until monitoring is restored' : 'No alerts for these devices until monitoring is restored',
  )
}

/** Returns the number of incidents, and how many of them are still open. */
function incidentsText({ all, open }: Pick<Of<'absence'>, 'all' | 'open'>): string {
  const some = all === 1 ? '1 incident' : `${numberFormat.format(all)} incidents`
  if (open === 0) return all === 1 ? `${some}, which is over` : `${some}, all of them over`
  return open === all ? `${some}, still open` : `${some}, ${numberFormat.format(open)} still open`
}

function restoredBody(message: MessageOf<'monitoring-restored'>, time: TimeText): string {
  const { tenants, count, all, behind } = message
  return sentences(
    count > 1 ? nameList(tenants.map(nameText), count) : null,
    all === 0 ? noOfflineText(message) : `Meanwhile: ${incidentsText(message)}`,
    headlinesText(message, time),
    behind ? 'The sync is not complete yet' : null,
  )
}

function noOfflineText({ beside, behind }: Of<'monitoring-restored'>): string | null {
  if (beside > 0)
    return `${devices(beside)} went offline meanwhile, in what was known before or in a maintenance window`
  return behind ? null : 'No device went offline meanwhile'
}

function pauseTitle({ offline, back, stillOffline, stillFlapping }: Of<'pause'>): string {
  const what = counted(
    [offline, 'went offline'],
    [back, 'came back'],
    [stillOffline, 'still offline'],
    [stillFlapping, 'still flapping'],
  )
  return `${what === '' ? 'What happened' : what} while notifications were paused`
}

function headlinesText(
  { headlines, total }: Pick<MessageOf<'storm'>, 'headlines' | 'total'>,
  time: TimeText,
): string[] {
  const titles = headlines.map((one) => messageTitle(one, time))
  return total > titles.length ? [...titles, `${numberFormat.format(total - titles.length)} more`] : titles
}

function maintenanceBody(message: Of<'maintenance'>, time: TimeText): string {
  const { offline, back, still, stillCount, missed } = message
  return sentences(
    `${devices(offline)} went offline in this maintenance window${missed === null ? '' : ' or after it'}, ${numberFormat.format(back)} came back`,
    missed === null
      ? null
      : `It ended at ${time(missed.endedAt)}, while monitoring was lost: ${devices(missed.count)} went offline between ${time(missed.from)} and ${time(missed.until)}`,
    stillCount === 0 ? null : `Still offline: ${nameList(still.map(nameText), stillCount)}`,
  )
}

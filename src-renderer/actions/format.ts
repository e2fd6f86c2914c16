import { assertNever } from '../../src-shared/model/fault.ts'
import { isolated } from '../../src-shared/text/direction.ts'
import { nameText } from '../../src-shared/text/names.ts'
import { lineOfKey } from '../../src-shared/model/job-lines.ts'
import type {
  CallState,
  DeviceValues,
  ExpectedReboot,
  Job,
  JobDevice,
  RecordedKind,
  Obstacle,
  Outcome,
  Sheet,
} from '../../src-shared/model/jobs.ts'
import type { DeviceStatus, NamedRef } from '../../src-shared/model/inventory.ts'
import { kindLabels } from './labels.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { isBlank } from '../lib/ui/name-text.tsx'
import { shortTime, span, type Times } from '../lib/format/time.ts'

export const outcomeLabels: Record<Outcome, string> = {
  unknown: 'Unknown',
  'not-back': 'Not back',
  refused: 'Rejected',
  sent: 'Sent',
  pending: 'Waiting',
  'not-sent': 'Not sent',
  done: 'Done',
}

/** The outcomes in the order of their urgency. */
export const outcomeOrder = ['unknown', 'not-back', 'refused', 'sent', 'pending', 'not-sent', 'done'] as const

export const jobStateLabels: Record<Job['state'], string> = {
  scheduled: 'Scheduled',
  running: 'Running',
  paused: 'Paused',
  interrupted: 'Interrupted',
  stopped: 'Stopped',
  done: 'Finished',
}

const obstacleLabels: Record<Obstacle, string> = {
  offline: 'Offline',
  unknown: 'Status unknown',
  'in-call': 'In a call',
  unchanged: 'Has this name and place already',
  'changed-since': 'Changed by somebody else since',
  'not-offered': 'Not offered by the service',
  role: 'Not allowed for the role of the credentials',
  'not-armed': 'Its tenant is read-only',
  paused: 'Its connection is paused or not live',
  gone: 'No such device',
  duplicate: 'Named by an earlier line',
  ambiguous: 'Several devices or places match',
  'no-place': 'No such site or room',
  'other-tenant': 'The site or room belongs to another tenant',
  'too-long': 'The new name is too long',
  empty: 'The new name is empty',
  busy: 'Another action runs on it',
}

/** Returns why a device is left out. */
export const obstacleText = (obstacle: Obstacle): string => obstacleLabels[obstacle]

type Titled = Pick<Job, 'kind' | 'name' | 'devices' | 'device' | 'place' | 'undoes'>

/** Returns for example "Reboot 12 devices", "Mutation Rename — by query screen", "Reboot Boardroom 3", "Create the site “Berlin”". */
export function jobTitle({ kind, name, devices, device, place, undoes }: Titled): string {
  if (kind === 'mutation') return `Mutation ${isolated(name ?? device ?? many(devices, 'field'))} — by query screen`
  const title =
    place === null
      ? `${kindLabels[kind]} ${device === undefined || isBlank(device) ? many(devices, 'device') : nameText(device)}`
      : `${place.id === null || place.created === true ? 'Create' : 'Edit'} the ${place.kind} “${nameText(place.name)}”`
  return undoes === null ? title : `Undo: ${title.charAt(0).toLowerCase()}${title.slice(1)}`
}

/** Returns the number of devices that have their outcome. */
export const settled = ({ devices, counts: { pending, sent } }: Pick<Job, 'devices' | 'counts'>): number =>
  Math.max(0, devices - pending - sent)

/** Returns the state of a job as a sentence. */
export function jobStateText(job: Job, now: number, times: Times): string {
  const part = `${numberText(settled(job))} of ${many(job.devices, 'device')}`
  if (job.ownerAway === true)
    return `Waiting: ${part}. ${isolated(job.owner ?? '')}’s Muster was not seen for over ten minutes. Take the action over to continue or stop it.`
  if (job.kind === 'mutation' && job.state === 'running') return 'Sent, answer awaited.'
  switch (job.state) {
    case 'scheduled':
      return `Starts at ${shortTime(job.plan.at ?? job.createdAt, now, times)}.`
    case 'running':
      return `Running: ${part}.`
    case 'paused':
      return `Paused: ${part}.`
    case 'interrupted':
      return `Interrupted: ${part}. Muster ended, or the computer slept. It continues only when ${job.owner === undefined ? 'you say' : `${isolated(job.owner)} says`} so; what was sent is not sent again.`
    case 'stopped':
      return job.endedAt === null ? 'Stopped.' : `Stopped at ${shortTime(job.endedAt, now, times)}.`
    case 'done':
      return job.endedAt === null ? 'Finished.' : `Finished at ${shortTime(job.endedAt, now, times)}.`
    default:
      return assertNever(job.state)
  }
}

/**
 * Returns what a device does while its reboot is expected: "Rebooting, expected back by 14:12.", or while it did not
 * drop "Reboot sent at 14:02, expected back by 14:12."; '' when that time is over.
 */
export function rebootText(
  { sentAt, until }: Pick<ExpectedReboot, 'sentAt' | 'until'>,
  status: DeviceStatus,
  now: number,
  times: Times,
): string {
  if (until <= now) return ''
  const begun = status === 'disconnected' ? 'Rebooting' : `Reboot sent at ${shortTime(sentAt, now, times)}`
  return `${begun}, expected back by ${shortTime(until, now, times)}.`
}

/** Returns the outcomes that occurred as "1 unknown, 3 done". */
export function countsText({ counts }: Pick<Job, 'counts'>): string {
  return outcomeOrder
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${numberText(counts[outcome])} ${outcomeLabels[outcome].toLowerCase()}`)
    .join(', ')
}

/** Returns what came of an action on a device, as a sentence. */
export function outcomeText(device: JobDevice, kind: RecordedKind, now: number, times: Times): string {
  const sent = device.sentAt === null ? 'Sent' : `Sent at ${shortTime(device.sentAt, now, times)}`
  const words = device.words === null || device.words === '' ? '' : ` “${isolated(device.words)}”`
  switch (device.outcome) {
    case 'pending':
      return 'Not sent yet.'
    case 'sent':
      return device.answeredAt === null
        ? `${sent}, answer awaited.`
        : `${sent}. ${kind === 'reboot' ? 'Not back yet.' : 'Not confirmed yet.'}`
    case 'done':
      return doneText(device, kind)
    case 'refused':
      return `Rejected by the service${words === '' ? '.' : `:${words}`}`
    case 'not-sent':
      return kind === 'mutation' ? `Not sent.${words}` : notSentText(device)
    case 'unknown':
      return `${sent}, no answer. It is not known whether it was executed.${words}`
    case 'not-back':
      return `${sent}, not back.${words}`
    default:
      return assertNever(device.outcome)
  }
}

function notSentText({ key, obstacle }: JobDevice): string {
  const line = lineOfKey(key)
  const text = line === null ? 'Not sent' : `Line ${numberText(line)} not sent`
  return obstacle === null ? `${text}.` : `${text}: ${lowered(obstacleText(obstacle))}.`
}

/** Returns a text as it stands inside a sentence. */
export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function doneText({ provenBy, backAfter }: JobDevice, kind: RecordedKind): string {
  const done = kind === 'reboot' ? 'Rebooted' : 'Done'
  const back = backAfter === null ? '' : `, back after ${span(backAfter)}`
  switch (provenBy) {
    case 'disconnect':
      return `${done}${back === '' ? ', seen to disconnect' : back}.`
    case 'check-in':
      return `${done}${back === '' ? ', checked in since' : back}.`
    case 'answer':
      return `${done}, confirmed by the service.`
    case 'read':
      return `${done}, read back.`
    case null:
      return `${done}${back}.`
    default:
      return assertNever(provenBy)
  }
}

export const callLabels: Record<CallState, string> = {
  'in-call': 'In a call',
  free: 'No call',
  unsupported: '–',
  unknown: 'Call unknown',
}

const placeName = (place: NamedRef | null | undefined, none: string): string | null =>
  place === undefined ? null : place === null ? none : isolated(place.name)

/** Returns name and place of a device as "Aurora, Berlin, Lobby"; only what the values have. */
export function valuesText({ name, site, room }: DeviceValues): string {
  return [name === undefined ? null : isolated(name), placeName(site, 'no site'), placeName(room, 'no room')]
    .filter((part) => part !== null)
    .join(', ')
}

/** Returns site and room as "Berlin, Lobby"; a dash without both. */
export const placeText = ({ site, room }: { site: NamedRef | null; room: NamedRef | null }): string =>
  [site, room].flatMap((place) => (place === null ? [] : [isolated(place.name)])).join(', ') || '–'

/** Returns cost and time as "About 1,200 points, at most 2 min."; says what is not known. */
export function costText({ points, seconds, ready }: Pick<Sheet, 'points' | 'seconds' | 'ready'>): string {
  if (ready === 0) return 'Nothing would be sent.'
  const cost = points === null ? 'Cost not known yet' : `About ${many(points, 'point')}`
  return seconds === null ? `${cost}.` : `${cost}, sent within ${roundedUp(seconds)}.`
}

/** Returns a duration that is no shorter than these seconds. */
const roundedUp = (seconds: number): string =>
  seconds <= 60 ? `${numberText(Math.max(1, Math.ceil(seconds)))} s` : many(Math.ceil(seconds / 60), 'minute')

/** Returns how many devices are left out, and why. */
export function leftOutText({ obstacle, devices }: Sheet['obstacles'][number], includeInCall: boolean): string {
  const reason = lowered(obstacleText(obstacle))
  return `${numberText(devices)} ${obstacle === 'in-call' && includeInCall ? 'included' : 'left out'}: ${reason}`
}

/** Returns what happens to alerts: "Their disconnects are expected and not alerted. ..."; '' where nothing does. */
export function alertText({ suppressed }: Pick<Sheet, 'suppressed'>, waitMinutes: number): string {
  if (suppressed === 0) return ''
  const subject = suppressed === 1 ? 'Its disconnect is' : 'Their disconnects are'
  return `${subject} expected and not alerted. A device that is not back after ${many(waitMinutes, 'minute')} becomes an incident.`
}

/** Returns for example "10 of 12 devices ready"; "12 devices ready" when none is left out. */
export function readyText({ ready, total }: Pick<Sheet, 'ready' | 'total'>): string {
  return ready === total ? `${many(total, 'device')} ready` : `${numberText(ready)} of ${many(total, 'device')} ready`
}

import { createHash } from 'node:crypto'
import type { Channel, DeliveryAction } from '../../src-shared/model/channels.ts'
import type { Severity } from '../../src-shared/model/incidents.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import { createMaintenance } from '../../src-shared/maintenance/maintenance.ts'
import { nextWithin } from '../../src-shared/maintenance/service-hours.ts'
import type { Incident } from '../incidents/engine/incident.ts'
import type { State, Step } from '../incidents/engine/state.ts'
import type { StoredDelivery } from '../incidents/stored/delivery.ts'
import { type Alert, type Alerts, isOver, isSilenced, isTold, lineOf } from './alerts.ts'
import { givenUpMs } from './attempts.ts'
import { isWithin, narrowed } from './narrow.ts'
import { isIn, isWorse, wants, wantsTenants, worstOf } from './rules.ts'

/** A step of the incidents: the state before and after it, and what the bell says of it. */
export interface Told extends Pick<Step, 'state' | 'outgoing'> {
  before: State
  /** Incidents that closed and left the state. */
  closed: readonly Incident[]
  now: number
  /** True for the first step after a start or a change of channels: what ended meanwhile is found, too. */
  isFirst: boolean
  /** The severity of each incident when it last needed attention. */
  seen: ReadonlyMap<string, Severity>
}

/** Systems that keep alerts themselves hear of their end, and not of each recovery. Others get what the bell says. */
const keepsAlerts = (channel: Channel): boolean =>
  channel.kind === 'webhook' && (channel.format === 'pagerduty' || channel.format === 'servicenow')
export const hearsEnds = (channel: Channel): boolean =>
  keepsAlerts(channel) || (channel.kind === 'webhook' && channel.format === 'plain')

const takesAcknowledgements = (channel: Channel): boolean =>
  channel.kind === 'webhook' && channel.format !== 'servicenow'

/** What one notification is about. */
interface Subject {
  content: Notification
  incidents: readonly Incident[]
  about: readonly string[]
  /** Keys of the devices whose drop or recovery is notified. */
  keys: readonly string[]
}

const minuteMs = 60_000

/** Returns the deliveries that a step leads to, in the order in which they are to be sent. Changes nothing. */
export function planDeliveries(channels: readonly Channel[], alerts: Alerts, told: Told): StoredDelivery[] {
  const using = channels.filter(({ on }) => on)
  if (using.length === 0) return []
  const incidents = new Map([...told.state.incidents, ...told.closed.map((one) => [one.id, one] as const)])
  const subjects = told.outgoing.map((one) => subjectOf(one, told.state, incidents))
  const isChanged = told.before.incidents !== told.state.incidents || told.before.pause !== told.state.pause
  const open = isChanged ? present(told) : []
  return using.flatMap((channel) => {
    const its = alerts.get(channel.id) ?? new Map<string, Alert>()
    const made = [...subjects, ...worsened(its, told, open)].flatMap(
      (subject) => forSubject(channel, its, subject, incidents, told) ?? [],
    )
    const over = hearsEnds(channel) ? endsOf(channel, its, made, told) : []
    return [...made, ...over]
  })
}

function subjectOf(
  { content, keys }: Step['outgoing'][number],
  state: State,
  incidents: ReadonlyMap<string, Incident>,
): Subject {
  const record = state.notifications.get(content.id)
  const ids = new Set(record?.incidentIds)
  // A notification of one incident names it.
  if (typeof content.open.incident === 'string') ids.add(content.open.incident)
  return { content, incidents: [...ids].flatMap((id) => incidents.get(id) ?? []), about: record?.about ?? [], keys }
}

/** Returns what the bell shows of an incident, when it shows it again because it has become worse. */
function again({ id, kind, message, extent, open, about }: Incident, now: number, of: Incident): Subject {
  const content: Notification = {
    id,
    at: now,
    kind: kind === 'flapping' ? 'flapping' : 'offline',
    message,
    devices: extent.down === 0 ? extent.unseen : extent.down,
    open: { ...open, incident: id },
  }
  return { content, incidents: [of], about, keys: [] }
}

/** Returns the incidents that were notified, are open, and need attention. */
function needAttention({ incidents, pause }: State, now: number): Incident[] {
  if (pause !== null && (pause.until ?? Infinity) > now) return []
  return [...incidents.values()].filter(({ closedAt, delivery, operator }) => {
    const isNotified = delivery.notifiedAt !== null && delivery.maintenance === null && !delivery.muted
    return isNotified && closedAt === null && (operator.acknowledged ?? operator.snoozed) === null
  })
}

/** Returns the severities that channels have seen after a step. One that changes while nobody is to be told is not seen yet. */
export function seenAfter(seen: Told['seen'], state: State, now: number): Map<string, Severity> {
  const kept = [...seen].filter(([id]) => state.incidents.get(id)?.closedAt === null)
  return new Map([...kept, ...needAttention(state, now).map(({ id, severity }) => [id, severity] as const)])
}

/** Returns the incidents of a step that the bell does not tell of, and that need attention. */
function present({ state, outgoing, now }: Told): Incident[] {
  const fresh = new Set(outgoing.flatMap(({ content }) => state.notifications.get(content.id)?.incidentIds ?? []))
  return needAttention(state, now).filter(({ id }) => !fresh.has(id))
}

/** Returns the incidents that are worse than a channel was told, or than they were when it did not want to know of them. */
function worsened(alerts: ReadonlyMap<string, Alert>, { seen, state, now }: Told, all: readonly Incident[]): Subject[] {
  if (all.length === 0) return []
  const byIncident = new Map([...alerts.values()].flatMap((alert) => alert.incidents.map((id) => [id, alert] as const)))
  return all.flatMap((incident) => {
    const known = lineOf(incident, state.incidents).flatMap((id) => byIncident.get(id) ?? [])[0]
    const was = known === undefined ? seen.get(incident.id) : known.severity
    return was !== undefined && was !== null && isWorse(incident.severity, was) ? [again(incident, now, incident)] : []
  })
}

/** Returns whether a notification tells of an end: of what is open then, another one told. */
const isEnd = ({ kind }: Notification): boolean =>
  kind === 'recovered' || kind === 'unlisted' || kind === 'monitoring-restored'

function forSubject(
  channel: Channel,
  alerts: ReadonlyMap<string, Alert>,
  subject: Subject,
  incidents: ReadonlyMap<string, Incident>,
  told: Told,
): StoredDelivery | null {
  const { rule } = channel
  const matching = subject.incidents.filter((one) => wants(rule, one))
  const open = matching.filter(({ closedAt }) => closedAt === null)
  // What was found while monitoring was lost is told with its return, as an alert of its own.
  const isOnlyEnd = isEnd(subject.content) && (subject.content.kind !== 'monitoring-restored' || open.length === 0)
  const known = knownAlert(alerts, subject, incidents, isOnlyEnd)
  const { kind } = subject.content
  const lost = new Map([...told.before.monitoringLost, ...told.state.monitoringLost])
  const about = rule.places.length === 0 ? subject.about : subject.about.filter((one) => isWithin(one, rule))
  const wanted = { ...subject, lost, drops: told.state.drops }
  if (isOnlyEnd) {
    // What was told is over, whatever its severity is now.
    const ended = subject.incidents.filter((one) => isIn(rule, one))
    const content = narrowed(subject.content, rule, { ...wanted, matching: ended })
    if (subject.incidents.length > 0 && (ended.length === 0 || (content !== subject.content && content.devices === 0)))
      return null
    const isWanted = kind === 'monitoring-restored' ? rule.monitoringLost : rule.recoveries
    if (known === null || !isWanted || keepsAlerts(channel) || !isTold(known)) return null
    return deliveryOf(
      channel,
      { ...subject, content, about },
      { action: 'notify', key: known.key, dueAt: due(channel, told.now), now: told.now },
    )
  }
  const content = narrowed(subject.content, rule, { ...wanted, matching })
  if (kind === 'monitoring-lost') {
    if (!rule.monitoringLost || !wantsTenants(rule, subject.about)) return null
  } else if (matching.length === 0 || (open.length === 0 && keepsAlerts(channel))) return null
  const key = known?.key ?? (matching.length === 1 ? (matching[0]?.id ?? content.id) : content.id)
  // Also one that is held: it is told when it is not any more.
  const awaited = known?.ending === null && !isTold(known) && known.last.state === 'waiting' ? known.last.dueAt : null
  const wait = known?.ending === null ? 0 : rule.afterMinutes * minuteMs
  const dueAt = awaited ?? due(channel, told.now + wait)
  const action = hearsEnds(channel) && (open.length > 0 || kind === 'monitoring-lost') ? 'trigger' : 'notify'
  return deliveryOf(
    channel,
    { ...subject, content, incidents: matching, about },
    {
      action,
      key,
      dueAt,
      now: told.now,
      begins: open.length > 0 || kind === 'monitoring-lost',
      waits: awaited !== null && known?.last.unlessTaken === true,
    },
  )
}

/** Returns the alert that a notification belongs to. */
function knownAlert(
  alerts: ReadonlyMap<string, Alert>,
  { content, incidents: its, about }: Subject,
  incidents: ReadonlyMap<string, Incident>,
  isOnlyEnd: boolean,
): Alert | null {
  if (alerts.size === 0) return null
  const own = alerts.get(content.id)
  if (own !== undefined) return own
  const ids = new Set(its.flatMap((one) => lineOf(one, incidents)))
  const isMonitoring = content.kind === 'monitoring-restored' && isOnlyEnd
  return (
    [...alerts.values()].find((alert) => {
      if (alert.incidents.length === 0) return isMonitoring && alert.about.some((tenant) => about.includes(tenant))
      return alert.incidents.some((id) => ids.has(id))
    }) ?? null
  )
}

const maintenance = createMaintenance()
const due = ({ rule: { hours, zone } }: Channel, from: number): number =>
  hours === null ? from : nextWithin(maintenance, hours, zone, from)

/** Returns what ends or acknowledges the alerts of a channel. Those that it was never told of end without a word. */
function endsOf(
  channel: Channel,
  alerts: ReadonlyMap<string, Alert>,
  made: readonly StoredDelivery[],
  { before, state, now, isFirst }: Told,
): StoredDelivery[] {
  if (!isFirst && before.incidents === state.incidents && before.monitoringLost === state.monitoringLost) return []
  const begun = new Set(made.filter(({ action }) => action === 'trigger').map(({ alert }) => alert))
  return [...alerts.values()].flatMap((alert) => {
    if (begun.has(alert.key) || alert.ending !== null) return []
    const end = (action: DeliveryAction) => [
      deliveryOf(
        channel,
        { content: alert.last.notification, incidents: [], about: alert.last.about, keys: [] },
        { action, key: alert.key, dueAt: now, now, of: alert },
      ),
    ]
    // What was told of other places is nothing for whom the channel leads to now; PagerDuty hears of a key alone.
    const isElsewhere = !isForPlaces(channel, alert.last)
    if (!isTold(alert) || (isElsewhere && !(channel.kind === 'webhook' && channel.format === 'pagerduty'))) return []
    if (isOver(alert, state)) return end('resolve')
    return takesAcknowledgements(channel) && !alert.isAcknowledged && isSilenced(alert, state) ? end('acknowledge') : []
  })
}

interface Made {
  action: DeliveryAction
  key: string
  dueAt: number
  now: number
  /** It tells of something that is open. */
  begins?: boolean
  /** It takes the place of one that is sent only if nobody has taken it on. */
  waits?: boolean
  /** The alert that it ends or acknowledges. */
  of?: Alert
}

/** The nodes of a channel's places. */
const placesOf = ({ rule }: Channel): string[] => rule.places.map(({ node }) => node).toSorted()

/** Returns whether a message was made for the places that its channel has now: what was meant for others is not sent. */
export const isForPlaces = (channel: Channel, { rulePlaces }: Pick<StoredDelivery, 'rulePlaces'>): boolean =>
  placesOf(channel).join('\n') === rulePlaces.join('\n')

function deliveryOf(
  channel: Channel,
  subject: Subject,
  { action, key, dueAt, now, begins = false, waits = false, of }: Made,
): StoredDelivery {
  const { content, incidents, about } = subject
  const [first] = incidents
  const id = createHash('sha256')
    .update(JSON.stringify([channel.id, key, action, content.id, content.at, of === undefined ? 0 : now]))
    .digest('hex')
    .slice(0, 32)
  return {
    id,
    channel: channel.id,
    channelName: channel.name,
    alert: key,
    action,
    severity: of?.severity ?? worstOf(incidents.map(({ severity }) => severity)),
    places: of?.last.places ?? (incidents.length === 1 ? (first?.scope.path.map(({ name }) => name) ?? []) : []),
    notification: content,
    incidents: of === undefined ? incidents.map((one) => one.id) : [...of.incidents],
    about: [...about],
    at: now,
    dueAt,
    begins,
    unlessTaken: begins && (waits || dueAt > now),
    givenUpAt: dueAt + givenUpMs,
    rulePlaces: placesOf(channel),
    state: 'waiting',
    attempts: 0,
    nextAt: dueAt,
    settledAt: null,
    to: [],
    reason: '',
  }
}

import { createHash } from 'node:crypto'
import type { Channel, DeliveryAction } from '../../src-shared/model/channels.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import { createMaintenance } from '../../src-shared/maintenance/maintenance.ts'
import { nextWithin } from '../../src-shared/maintenance/service-hours.ts'
import type { Incident } from '../incidents/engine/incident.ts'
import type { State, Step } from '../incidents/engine/state.ts'
import type { StoredDelivery } from '../incidents/stored/delivery.ts'
import { type Alert, type Alerts, isOver, isTaken, lineOf } from './alerts.ts'
import { isWorse, wants, wantsTenants, worstOf } from './rules.ts'

/** A step of the incidents: the state before and after it, and what the bell says of it. */
export interface Told extends Pick<Step, 'state' | 'outgoing'> {
  before: State
  /** Incidents that closed and left the state. */
  closed: readonly Incident[]
  now: number
  /** True for the first step after a start: what ended meanwhile is found, too. */
  isFirst: boolean
}

/** Systems that keep alerts themselves hear of their end, and not of each recovery. Others get what the bell says. */
const keepsAlerts = (channel: Channel): boolean =>
  channel.kind === 'webhook' && (channel.format === 'pagerduty' || channel.format === 'servicenow')
export const hearsEnds = (channel: Channel): boolean =>
  keepsAlerts(channel) || (channel.kind === 'webhook' && channel.format === 'plain')

/** What one notification is about. */
interface Subject {
  content: Notification
  incidents: readonly Incident[]
  about: readonly string[]
}

const minuteMs = 60_000

/** Returns the deliveries that a step leads to, in the order in which they are to be sent. Changes nothing. */
export function planDeliveries(channels: readonly Channel[], alerts: Alerts, told: Told): StoredDelivery[] {
  const using = channels.filter(({ on }) => on)
  if (using.length === 0) return []
  const incidents = new Map([...told.state.incidents, ...told.closed.map((one) => [one.id, one] as const)])
  const subjects = [
    ...told.outgoing.map(({ content }) => subjectOf(content, told.state, incidents)),
    ...worsened(told),
  ].filter((one) => one !== null)
  return using.flatMap((channel) => {
    const its = alerts.get(channel.id) ?? new Map<string, Alert>()
    const made = subjects.flatMap((subject) => forSubject(channel, its, subject, incidents, told.now) ?? [])
    const over = hearsEnds(channel) ? endsOf(channel, its, made, told) : []
    return [...made, ...over]
  })
}

function subjectOf(content: Notification, state: State, incidents: ReadonlyMap<string, Incident>): Subject | null {
  const record = state.notifications.get(content.id)
  const ids = new Set(record?.incidentIds)
  // A notification of one incident names it.
  if (typeof content.open.incident === 'string') ids.add(content.open.incident)
  return { content, incidents: [...ids].flatMap((id) => incidents.get(id) ?? []), about: record?.about ?? [] }
}

/** Returns the incidents that became worse since the bell told of them, as the bell shows them again. */
function worsened({ before, state, outgoing, now }: Told): Subject[] {
  if (before.incidents === state.incidents || (state.pause !== null && (state.pause.until ?? Infinity) > now)) return []
  const fresh = new Set(outgoing.flatMap(({ content }) => state.notifications.get(content.id)?.incidentIds ?? []))
  return [...state.incidents.values()].flatMap((incident) => {
    const { id, kind, severity, closedAt, delivery, operator, message, extent, open, about } = incident
    const was = before.incidents.get(id)
    const isTold = delivery.notifiedAt !== null && delivery.maintenance === null && !delivery.muted
    const isQuiet = (operator.acknowledged ?? operator.snoozed) !== null || closedAt !== null || fresh.has(id)
    if (was === undefined || !isTold || isQuiet || !isWorse(severity, was.severity)) return []
    const content: Notification = {
      id,
      at: now,
      kind: kind === 'flapping' ? 'flapping' : 'offline',
      message,
      devices: extent.down === 0 ? extent.unseen : extent.down,
      open: { ...open, incident: id },
    }
    return [{ content, incidents: [incident], about }]
  })
}

const isEnd = ({ kind }: Notification): boolean =>
  kind === 'recovered' || kind === 'unlisted' || kind === 'monitoring-restored'

function forSubject(
  channel: Channel,
  alerts: ReadonlyMap<string, Alert>,
  subject: Subject,
  incidents: ReadonlyMap<string, Incident>,
  now: number,
): StoredDelivery | null {
  const { content } = subject
  const known = knownAlert(alerts, subject, incidents)
  if (isEnd(content)) {
    const isWanted = content.kind === 'monitoring-restored' ? channel.rule.monitoringLost : channel.rule.recoveries
    if (known === null || !isWanted || keepsAlerts(channel) || !known.isTold) return null
    return deliveryOf(channel, subject, { action: 'notify', key: known.key, dueAt: due(channel, now), now })
  }
  const matching = subject.incidents.filter((one) => wants(channel.rule, one))
  const isOpen = matching.some(({ closedAt }) => closedAt === null)
  if (content.kind === 'monitoring-lost') {
    if (!channel.rule.monitoringLost || !wantsTenants(channel.rule, subject.about)) return null
  } else if (matching.length === 0 || (!isOpen && keepsAlerts(channel))) return null
  const [only, ...more] = matching
  const key = known?.key ?? (only !== undefined && more.length === 0 ? only.id : content.id)
  const awaited = known?.isTold === false ? known.last.dueAt : null
  const isFirst = known === null
  const dueAt = awaited ?? due(channel, isFirst ? now + channel.rule.afterMinutes * minuteMs : now)
  const action = hearsEnds(channel) && (isOpen || content.kind === 'monitoring-lost') ? 'trigger' : 'notify'
  return deliveryOf(channel, { ...subject, incidents: matching }, { action, key, dueAt, now })
}

/** Returns the alert that a notification belongs to. */
function knownAlert(
  alerts: ReadonlyMap<string, Alert>,
  { content, incidents: its, about }: Subject,
  incidents: ReadonlyMap<string, Incident>,
): Alert | null {
  if (alerts.size === 0) return null
  const own = alerts.get(content.id)
  if (own !== undefined) return own
  const ids = new Set(its.flatMap((one) => lineOf(one, incidents)))
  const isMonitoring = content.kind === 'monitoring-restored'
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
    if (begun.has(alert.key)) return []
    const end = (action: DeliveryAction) => [
      deliveryOf(
        channel,
        { content: alert.last.notification, incidents: [], about: alert.last.about },
        { action, key: alert.key, dueAt: now, now, of: alert },
      ),
    ]
    if (!alert.isTold) return []
    if (isOver(alert, state)) return end('resolve')
    return !alert.isAcknowledged && isTaken(alert, state) ? end('acknowledge') : []
  })
}

interface Made {
  action: DeliveryAction
  key: string
  dueAt: number
  now: number
  /** The alert that it ends or acknowledges. */
  of?: Alert
}

function deliveryOf(channel: Channel, subject: Subject, { action, key, dueAt, now, of }: Made): StoredDelivery {
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
    unlessTaken: dueAt > now && !isEnd(content) && of === undefined,
    state: 'waiting',
    attempts: 0,
    nextAt: dueAt,
    settledAt: null,
    to: [],
    reason: '',
  }
}

import type { Delivery } from '../../src-shared/model/channels.ts'
import type { Incident } from '../incidents/engine/incident.ts'
import type { State } from '../incidents/engine/state.ts'
import type { StoredDelivery } from '../incidents/stored/delivery.ts'

/** What a channel was told, or is about to be told, and has not seen the end of. */
export interface Alert {
  /** An incident, or the notification of several. */
  key: string
  /** Ids of its incidents; none for lost monitoring. */
  incidents: readonly string[]
  /** Keys of tenants, each with a `/` at its end. */
  about: readonly string[]
  severity: Delivery['severity']
  isAcknowledged: boolean
  /** True when a message about it was accepted, for mail by one address at least. */
  isSent: boolean
  /** The newest delivery that told of it. */
  last: StoredDelivery
  /** The id of the message about its end, until that is accepted; null while it is open. */
  ending: string | null
}

/** The alerts of each channel, by their keys. */
export type Alerts = ReadonlyMap<string, ReadonlyMap<string, Alert>>

/** Returns whether a channel knows of an alert, or is told of it at any rate: not only later, if it is then still open. */
export const isTold = ({ isSent, last }: Alert): boolean =>
  isSent || (last.state === 'waiting' && (!last.unlessTaken || last.attempts > 0))

/** Adds deliveries in their order. Returns other alerts; those given stay as they are. */
export function withDeliveries(alerts: Alerts, deliveries: readonly StoredDelivery[]): Alerts {
  const all = new Map<string, Map<string, Alert>>()
  for (const one of deliveries) {
    const its = all.get(one.channel) ?? new Map(alerts.get(one.channel))
    all.set(one.channel, its)
    const known = its.get(one.alert)
    if (one.begins) its.set(one.alert, begun(known, one))
    else if (known === undefined) continue
    else if (one.action === 'acknowledge') its.set(one.alert, { ...known, isAcknowledged: true })
    else if (one.action === 'resolve' && one.state === 'waiting') its.set(one.alert, { ...known, ending: one.id })
    else if (one.action === 'resolve') its.delete(one.alert)
  }
  return new Map([...alerts, ...all])
}

const isAccepted = ({ state, to }: StoredDelivery): boolean => state === 'sent' || to.length > 0

/** Returns an alert with what is told of it; one that has ended begins anew. */
function begun(before: Alert | undefined, one: StoredDelivery): Alert {
  const known = before?.ending === null ? before : undefined
  return {
    key: one.alert,
    incidents: [...new Set([...(known?.incidents ?? []), ...one.incidents])],
    about: [...new Set([...(known?.about ?? []), ...one.about.filter((key) => key.endsWith('/'))])],
    severity: one.severity,
    isAcknowledged: false,
    isSent: known?.isSent === true || isAccepted(one),
    last: one,
    ending: null,
  }
}

/** Returns the alerts after a delivery's state has changed. One that nobody was told of, and need not be, is gone. */
export function afterChange(alerts: Alerts, changed: StoredDelivery): Alerts {
  const known = alerts.get(changed.channel)?.get(changed.alert)
  if (known === undefined || (!changed.begins && known.ending !== changed.id)) return alerts
  const its = new Map(alerts.get(changed.channel))
  if (known.ending === changed.id) {
    if (changed.state === 'sent') its.delete(known.key)
    // The end is still owed.
    else if (changed.state === 'dropped') its.set(known.key, { ...known, ending: null })
    return new Map(alerts).set(changed.channel, its)
  }
  const isLast = known.last.id === changed.id
  const isSent = known.isSent || isAccepted(changed)
  if (isLast && changed.state === 'dropped' && !isSent) its.delete(known.key)
  else its.set(known.key, { ...known, isSent, last: isLast ? changed : known.last })
  return new Map(alerts).set(changed.channel, its)
}

/** Returns the alerts without those of which the state has nothing left, and whose end is told to nobody (`hearsEnds`). */
export function withoutGone(
  alerts: Alerts,
  state: Pick<State, 'incidents' | 'monitoringLost'>,
  hearsEnds: (channel: string) => boolean,
): Alerts {
  const isGone = (alert: Alert) => alert.incidents.every((id) => !state.incidents.has(id)) && isOver(alert, state)
  const stays = (channel: string, alert: Alert) =>
    hearsEnds(channel) ? isTold(alert) || alert.last.state === 'waiting' || !isGone(alert) : !isGone(alert)
  return new Map(
    [...alerts].map(([channel, its]) => [channel, new Map([...its].filter(([, alert]) => stays(channel, alert)))]),
  )
}

/** Returns the ids of the incidents that one was split from, and its own. */
export function lineOf(incident: Incident, incidents: State['incidents']): string[] {
  const line = [incident.id]
  for (let from = incident.splitFrom; from !== null && !line.includes(from.id);) {
    line.push(from.id)
    from = incidents.get(from.id)?.splitFrom ?? null
  }
  return line
}

const openByIds = new WeakMap<State['incidents'], ReadonlyMap<string, readonly Incident[]>>()

/** Returns the open incidents by their ids and those that they were split from, computed once for a state. */
function openBy(incidents: State['incidents']): ReadonlyMap<string, readonly Incident[]> {
  const known = openByIds.get(incidents)
  if (known !== undefined) return known
  const by = new Map<string, Incident[]>()
  for (const one of incidents.values()) {
    if (one.closedAt !== null) continue
    for (const id of lineOf(one, incidents)) by.set(id, [...(by.get(id) ?? []), one])
  }
  openByIds.set(incidents, by)
  return by
}

/** Returns the open incidents of an alert, with those that were split from them. */
export function openOf({ incidents: ids }: Pick<Alert, 'incidents'>, { incidents }: Pick<State, 'incidents'>) {
  const by = openBy(incidents)
  return [...new Set(ids.flatMap((id) => by.get(id) ?? []))]
}

/** Returns whether nothing of it is open: no incident, and no lost tenant whose return was not notified yet. */
export function isOver(
  alert: Pick<Alert, 'incidents' | 'about'>,
  state: Pick<State, 'incidents' | 'monitoringLost'>,
): boolean {
  if (alert.incidents.length > 0) return openOf(alert, state).length === 0
  return !alert.about.some((tenant) => state.monitoringLost.has(tenant.slice(0, -1)))
}

/** Returns whether all of its tenants are seen again, notified or not; false for incidents. */
export const isSeenAgain = (
  { incidents, about }: Pick<Alert, 'incidents' | 'about'>,
  { monitoringLost }: Pick<State, 'monitoringLost'>,
): boolean =>
  incidents.length === 0 && about.every((tenant) => monitoringLost.get(tenant.slice(0, -1))?.restoredAt !== null)

/** Returns whether somebody has acknowledged or snoozed all that is open of it; false when nothing is. */
export function isSilenced(alert: Pick<Alert, 'incidents'>, state: Pick<State, 'incidents'>): boolean {
  const open = openOf(alert, state)
  return open.length > 0 && open.every(({ operator: { acknowledged, snoozed } }) => acknowledged ?? snoozed)
}

/** Returns whether somebody takes care of all that is open of it: has acknowledged or snoozed it, or is assigned to it. */
export function isTaken(alert: Pick<Alert, 'incidents'>, state: Pick<State, 'incidents'>): boolean {
  const open = openOf(alert, state)
  const isHandled = ({ operator: { acknowledged, snoozed, assigned } }: Incident) => acknowledged ?? snoozed ?? assigned
  return open.length > 0 && open.every(isHandled)
}

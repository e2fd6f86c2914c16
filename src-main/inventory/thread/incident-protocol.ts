import type { CallInput } from '../../../src-shared/contract/contract.ts'
import type { CallOrder } from './call-order.ts'
import { type DeliveryData, deliveryCallOrder } from './delivery-protocol.ts'
import type { AlertsDelta, StoredAlerts } from '../../storage/journal/alerts.ts'
import type { StoredEvent, StoredIncident, StoredMember, StoredPolicy } from '../../storage/journal/incidents.ts'
import type { WithdrawnTenant } from '../../storage/journal/withdrawn.ts'
import type { IncidentMember, LongStanding, PolicyPlace, StripPart } from '../../../src-shared/model/incidents.ts'

/** The data thread's calls about incidents, their messages to channels, and policies (protocol.ts). */
export interface IncidentData extends DeliveryData {
  /**
   * Returns the state of alerts that survives a restart, from the journal; `since` (ms): first moment of the wanted
   * transitions. `after`: number of the last row of the team's log in it; null without one.
   */
  alerts(input: { since: number }): Promise<StoredAlerts & { after: number | null }>
  /** Writes changes of that state, all or nothing. Returns the number of the delta's action, 0 when it has none. */
  saveAlerts(input: AlertsDelta): Promise<{ action: number }>
  /** Returns the withdrawn tenants of this connection, as written by `saveWithdrawn`. */
  withdrawn(input: { connection: string }): Promise<WithdrawnTenant[]>
  /** Replaces the withdrawn tenants of this connection. */
  saveWithdrawn(input: { connection: string; tenants: WithdrawnTenant[] }): Promise<void>
  /**
   * Returns closed incidents, the newest first, whose text contains `text` (any case), and their number; `all`: the
   * number without `text`.
   */
  closedIncidents(input: {
    text: string
    offset: number
    limit: number
  }): Promise<{ rows: StoredIncident[]; total: number; all: number }>
  /** Returns one incident, open or closed, with its history, the oldest entry first. */
  storedIncident(input: { id: string }): Promise<{ incident: StoredIncident; events: StoredEvent[] } | null>
  /** Returns the incidents that were open at some time in the span, the oldest first. */
  incidentsBetween(input: { from: number; until: number }): Promise<StoredIncident[]>
  /**
   * Returns the devices of an incident: those that are down first, then by the time of their drop, the latest first.
   */
  incidentMembers(input: {
    id: string
    offset: number
    limit: number
  }): Promise<{ total: number; rows: (StoredMember & Pick<IncidentMember, 'tenant' | 'account' | 'site'>)[] }>
  /** Returns which of these incidents have a device that matches the query, in their order. `now` in ms. */
  incidentsMatching(input: CallInput<'incidents.matching'> & { now: number }): Promise<{ ids: string[] }>
  /**
   * Returns the devices that are visibly offline, without those of `except` (keys): spares last (`spares`), otherwise
   * the latest first.
   */
  longStanding(input: {
    except: string[]
    now: number
    offset: number
    limit: number
  }): Promise<{ total: number; spares: number; rows: LongStanding[] }>
  /** Returns the number of incidents of each of these subjects since then, in their order. */
  recurrence(input: { subjects: string[]; since: number }): Promise<number[]>
  /** Returns the availability of devices over a time in equal parts; `now` ends open states. */
  availability(input: {
    subject: { device: string } | { node: string }
    from: number
    until: number
    parts: number
    now: number
  }): Promise<{ devices: number; parts: StripPart[]; drops: number; reportedSince: number | null }>
  policies(): Promise<StoredPolicy[]>
  /** Returns those of the nodes that the fleet lists now, the only account of a tenant too. */
  policyPlaces(input: { nodes: string[] }): Promise<PolicyPlace[]>
  /**
   * Writes these policies (`value: null`: removes) and their action, which gets a number. All or nothing; without a
   * policy only the action.
   */
  savePolicies(input: {
    policies: StoredPolicy[]
    action: { at: number; kind: string; before: unknown }
  }): Promise<{ action: number }>
  /** Returns an action of the operator; null when the number is unknown, or the action was undone. */
  action(input: { id: number }): Promise<{ at: number; kind: string; before: unknown } | null>
  /** Records that an action was undone. */
  markUndone(input: { id: number }): Promise<void>
  /**
   * Removes some entries older than 400 days: transitions, closed incidents with their devices and history, actions,
   * spans of lost monitoring, notifications. Returns the number of removed rows, and the number of all such rows; to be
   * called again, after other calls, until none is removed.
   */
  prune(input: { now: number }): Promise<{ deleted: number; rows: number }>
}

/** How the request queue orders each of these calls. */
export const incidentCallOrder: { readonly [N in keyof IncidentData]: CallOrder } = {
  ...deliveryCallOrder,
  alerts: 'ordered',
  saveAlerts: 'feed',
  withdrawn: 'ordered',
  saveWithdrawn: 'ordered',
  closedIncidents: 'read',
  storedIncident: 'read',
  incidentsBetween: 'ordered',
  incidentMembers: 'read',
  incidentsMatching: 'read',
  longStanding: 'read',
  recurrence: 'ordered',
  availability: 'read',
  policies: 'ordered',
  policyPlaces: 'ordered',
  savePolicies: 'ordered',
  action: 'ordered',
  markUndone: 'ordered',
  prune: 'ordered',
}

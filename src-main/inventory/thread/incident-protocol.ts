import type { CallOrder } from './call-order.ts'
import type { AlertsDelta, StoredAlerts } from '../../storage/journal/alerts.ts'
import type { StoredEvent, StoredIncident, StoredMember, StoredPolicy } from '../../storage/journal/incidents.ts'
import type { WithdrawnTenant } from '../../storage/journal/withdrawn.ts'
import type { LongStanding, StripPart } from '../../../src-shared/model/incidents.ts'

/** The data thread's calls about incidents and policies (protocol.ts). */
export interface IncidentData {
  /** What telling the operator has to know over a restart, from the journal; `since` (ms): how far back transitions are wanted. */
  alerts(input: { since: number }): Promise<StoredAlerts>
  /** Writes what changed of that, all or nothing. `action`: the number of the delta's action, 0 when it has none. */
  keepAlerts(input: AlertsDelta): Promise<{ action: number }>
  /** The withdrawn tenants of this connection, as `keepWithdrawn` has written them. */
  withdrawn(input: { connection: string }): Promise<WithdrawnTenant[]>
  /** Replaces them. */
  keepWithdrawn(input: { connection: string; tenants: WithdrawnTenant[] }): Promise<void>
  /** Closed incidents, the newest first, whose words hold `text` (any case), and how many there are; `all`: how many without `text`. */
  closedIncidents(input: {
    text: string
    offset: number
    limit: number
  }): Promise<{ rows: StoredIncident[]; total: number; all: number }>
  /** One incident, open or closed, with its history, the oldest first. */
  storedIncident(input: { id: string }): Promise<{ incident: StoredIncident; events: StoredEvent[] } | null>
  /** Those that were open at some time in the span, the oldest first. */
  incidentsBetween(input: { from: number; until: number }): Promise<StoredIncident[]>
  /** Its devices: those that are down first, then by when they dropped, the latest first. */
  incidentMembers(input: {
    id: string
    offset: number
    limit: number
  }): Promise<{ total: number; rows: (StoredMember & { tenant: string; site: string | null })[] }>
  /** Devices that are visibly offline, without those of `except` (keys): spares last (`spares`), else the latest first. */
  longStanding(input: {
    except: string[]
    now: number
    offset: number
    limit: number
  }): Promise<{ total: number; spares: number; rows: LongStanding[] }>
  /** The number of incidents of each of these subjects since then, in their order. */
  recurrence(input: { subjects: string[]; since: number }): Promise<number[]>
  /** The availability of devices over a time in equal parts; `now` ends what is open. */
  availability(input: {
    subject: { device: string } | { node: string }
    from: number
    until: number
    parts: number
    now: number
  }): Promise<{ devices: number; parts: StripPart[]; drops: number; reportedSince: number | null }>
  policies(): Promise<StoredPolicy[]>
  /** Writes these policies (`value: null`: removes) and the act that did it, which is numbered. All or nothing; without a policy only the act. */
  keepPolicies(input: {
    policies: StoredPolicy[]
    action: { at: number; kind: string; before: unknown }
  }): Promise<{ act: number }>
  /** An act of the operator; null when there is none of this number, or when it was taken back. */
  action(input: { id: number }): Promise<{ at: number; kind: string; before: unknown } | null>
  /** Notes that an act was taken back. */
  markUndone(input: { id: number }): Promise<void>
  /**
   * Forgets some of what is older than 400 days and over: transitions, incidents with their devices and history, acts, times out of
   * sight, notifications. Answers how many rows went, and how many there are of all these: to be asked again, after others, until none did.
   */
  prune(input: { now: number }): Promise<{ deleted: number; rows: number }>
}

/** How the request queue orders each of these calls. */
export const incidentCallOrder: { readonly [N in keyof IncidentData]: CallOrder } = {
  alerts: 'ordered',
  keepAlerts: 'feed',
  withdrawn: 'ordered',
  keepWithdrawn: 'ordered',
  closedIncidents: 'read',
  storedIncident: 'read',
  incidentsBetween: 'ordered',
  incidentMembers: 'read',
  longStanding: 'read',
  recurrence: 'ordered',
  availability: 'read',
  policies: 'ordered',
  keepPolicies: 'ordered',
  action: 'ordered',
  markUndone: 'ordered',
  prune: 'ordered',
}

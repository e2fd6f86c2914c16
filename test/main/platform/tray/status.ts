import { textMessage } from '../../../support/messages.ts'
import type { FleetStatus } from '../../../../src-main/platform/tray/status.ts'
import type { Gauge } from '../../../../src-shared/model/gauge.ts'
import type { Incident, IncidentSummary } from '../../../../src-shared/model/incidents.ts'
import type { Notification } from '../../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../../src-shared/model/connection.ts'

/** 21 November 2026, 03:00 UTC. */
export const now = Date.parse('2026-11-21T03:00:00Z')

const [room, site, tenant] = [
  { id: 'r:1', kind: 'room', name: 'Room 1' },
  { id: 's:berlin', kind: 'site', name: 'Berlin' },
  { id: 't:acme', kind: 'tenant', name: 'Acme' },
] as const
export const places = { room, site, tenant }

export function incident(id: string, more: Partial<Incident> = {}): Incident {
  return {
    id,
    kind: 'outage',
    shape: 'node',
    severity: 'critical',
    message: textMessage('12 devices offline in Berlin', 'Acme.'),
    places: [site, tenant],
    since: now - 50 * 60_000,
    foundAt: now - 50 * 60_000,
    openedAt: now - 48 * 60_000,
    changedAt: now,
    closedAt: null,
    closedNotBefore: null,
    devices: { down: 12, others: 0, unseen: 0, peak: 12, total: 15 },
    watched: 0,
    acknowledged: null,
    snoozed: null,
    assigned: null,
    suppressed: null,
    notifiedAt: now,
    recurrence: 1,
    open: { scope: 's:berlin', filter: 'connected:no', device: null, incident: id },
    ...more,
  }
}

export function summary(worst: readonly Incident[] = [], more: Partial<IncidentSummary> = {}): IncidentSummary {
  const count = (severity: Incident['severity']) => worst.filter((one) => one.severity === severity).length
  return {
    rev: 1,
    open: { critical: count('critical'), major: count('major'), minor: count('minor') },
    acknowledged: 0,
    snoozed: 0,
    suppressed: 0,
    monitoringLost: 0,
    worst: [...worst],
    ...more,
  }
}

export function connection(
  state: ConnectionState['link']['state'],
  more: Partial<ConnectionState> = {},
): ConnectionState {
  const link = { state, attempt: 1, since: now, retryAt: now } as ConnectionState['link']
  return {
    id: `${state}-${more.name ?? ''}`,
    name: 'Acme',
    demo: false,
    tokenUrl: '',
    graphqlUrl: '',
    subscriptionUrl: '',
    clientId: '',
    hasCa: false,
    hasSubscription: false,
    portal: '',
    paused: false,
    secret: 'keychain',
    link,
    sync: { state: 'idle' },
    lastEventAt: null,
    lastReadingAt: null,
    heardAt: null,
    faults: [],
    checks: [],
    ...more,
  }
}

export function gauge(more: Partial<Gauge> = {}): Gauge {
  return {
    name: 'Acme',
    connections: ['a'],
    limit: 100_000,
    remaining: 84_200,
    resetAt: now + 23_000,
    known: true,
    basis: 'headers',
    burned: { person: 0, reconcile: 0, visible: 0, background: 0 },
    activities: [],
    others: 0,
    reserve: 0,
    forOthers: 0,
    ceiling: null,
    paused: false,
    recent: [],
    waiting: 0,
    waits: [],
    forecast: null,
    rejections: { count: 0, at: null },
    ...more,
  }
}

export const fleetStatus = (more: Partial<FleetStatus> = {}): FleetStatus => ({
  totals: { connected: 2980, disconnected: 12, unknown: 8 },
  connections: [connection('live')],
  gauges: [],
  incidents: summary(),
  pausedUntil: null,
  utc: true,
  done: null,
  ...more,
})

export function notification(id: string, more: Partial<Notification> = {}): Notification {
  return {
    id,
    at: now,
    kind: 'offline',
    message: textMessage('12 devices offline in Berlin', 'Acme.'),
    devices: 12,
    open: { scope: 's:berlin', filter: 'connected:no', device: null, incident: id },
    ...more,
  }
}

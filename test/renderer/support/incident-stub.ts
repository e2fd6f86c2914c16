import { textMessage } from '../../support/messages.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'

export const minute = 60_000
/** 2026-11-21 03:00 UTC, a Saturday. */
export const night = Date.parse('2026-11-21T03:00:00Z')

/** Twelve of fifteen devices of Berlin, down for an hour and notified. */
export const incidentOf = (id: string, more: Partial<Incident> = {}): Incident => ({
  id,
  kind: 'outage',
  shape: 'node',
  severity: 'critical',
  message: textMessage(`${id}: 12 devices offline in Berlin`, 'Since 02:00.'),
  places: [
    { id: 's:berlin', kind: 'site', name: 'Berlin' },
    { id: 't:acme', kind: 'tenant', name: 'Acme' },
  ],
  since: night - 60 * minute,
  foundAt: night - 60 * minute,
  openedAt: night - 58 * minute,
  changedAt: night - 30 * minute,
  closedAt: null,
  closedNotBefore: null,
  devices: { down: 12, others: 0, unseen: 0, peak: 12, total: 15 },
  watched: 0,
  acknowledged: null,
  snoozed: null,
  assigned: null,
  suppressed: null,
  notifiedAt: night - 58 * minute,
  recurrence: 1,
  open: { scope: 's:berlin', filter: 'status:offline', device: null, incident: id },
  ...more,
})

import type { AlertsDelta } from '../../../../src-main/storage/journal/alerts.ts'
import type { StoredIncident, StoredMember } from '../../../../src-main/storage/journal/incidents.ts'

/** A delta in which nothing changes, to be changed. */
export const noDelta: AlertsDelta = {
  taken: [],
  drops: { put: [], gone: [] },
  notifications: { put: [], gone: [] },
  monitoringLosses: { put: [], gone: [] },
  incidents: [],
  members: [],
  events: [],
  unseen: [],
}

export const incident = (id: string, over: Partial<StoredIncident> = {}): StoredIncident => ({
  id,
  subject: 's:s/t/berlin',
  kind: 'outage',
  openedAt: 100,
  closedAt: null,
  unreported: false,
  about: ['s/t/'],
  searchText: `Incident ${id}`,
  value: { id },
  ...over,
})

export const member = (incident: string, key: string, over: Partial<StoredMember> = {}): StoredMember => ({
  incident,
  key,
  name: `Name of ${key}`,
  at: 90,
  notBefore: null,
  recoveredAt: null,
  recoveredNotBefore: null,
  unlisted: false,
  ...over,
})

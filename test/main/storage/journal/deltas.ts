import type { AlertsDelta } from '../../../../src-main/storage/journal/alerts.ts'
import type { StoredIncident, StoredMember } from '../../../../src-main/storage/journal/incidents.ts'

/** A delta in which nothing changes, to be changed. */
export const noDelta: AlertsDelta = {
  taken: [],
  drops: { put: [], gone: [] },
  tellings: { put: [], gone: [] },
  blind: { put: [], gone: [] },
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
  untold: false,
  about: ['s/t/'],
  words: `Incident ${id}`,
  value: { id },
  ...over,
})

export const member = (incident: string, key: string, over: Partial<StoredMember> = {}): StoredMember => ({
  incident,
  key,
  name: `Name of ${key}`,
  at: 90,
  notBefore: null,
  backAt: null,
  backNotBefore: null,
  unlisted: false,
  ...over,
})

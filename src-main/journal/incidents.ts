/** An incident as the journal keeps it for 400 days (design, section 8). */
export interface StoredIncident {
  id: string
  /** What it is about, for counting how often that happens: the id of its place, a device's key, or '' where no place explains it. */
  subject: string
  kind: 'outage' | 'flapping'
  openedAt: number
  closedAt: number | null
  /** Keys of the tenants that it is about, each with a `/` at its end: what has to be forgotten with them. */
  about: string[]
  /** Its words, for finding it. */
  words: string
  /** As it was stored: whoever takes it checks it. */
  value: unknown
}

/** A device in an incident. One that comes down again in the same incident is one member, down since the last time. */
export interface StoredMember {
  incident: string
  key: string
  name: string
  at: number
  notBefore: number | null
  /** When it came back or left this incident; null while it is down in it. */
  backAt: number | null
}

export interface StoredEvent {
  incident: string
  at: number
  what: string
  detail: string
}

/** A time in which Muster did not see a tenant; `until` null: it still does not. */
export interface StoredUnseen {
  tenant: string
  from: number
  until: number | null
}

/** What changed of the incidents, for one transaction. */
export interface IncidentsDelta {
  incidents: StoredIncident[]
  members: StoredMember[]
  events: StoredEvent[]
  unseen: StoredUnseen[]
}

/** What the operator has laid down: quiet windows, zones of nodes, figures of nodes. */
export interface StoredPolicy {
  kind: 'quiet' | 'zone' | 'rules'
  id: string
  /** As it was stored: whoever takes it checks it. */
  value: unknown
}

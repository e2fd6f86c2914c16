import type { DatabaseSync } from 'node:sqlite'
import { fromJson, textsOf, toJson } from './json.ts'

/** An incident as the journal keeps it for 400 days (design, section 8). */
export interface StoredIncident {
  id: string
  /** What it is about, for counting how often that happens: the id of its place, a device's key, or '' where no place explains it. */
  subject: string
  kind: 'outage' | 'flapping'
  openedAt: number
  closedAt: number | null
  /** It is over, and something of it is still to be told. */
  unreported: boolean
  /** Keys of the tenants that it is about, each with a `/` at its end: what has to be forgotten with them. */
  about: string[]
  /** Its words, for finding it. */
  searchText: string
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
  recoveredAt: number | null
  /** Begin of the span in which it came back; null when that was seen, or it left. */
  recoveredNotBefore: number | null
  /** It left because the service lists it no longer. */
  unlisted: boolean
}

export interface StoredEvent {
  incident: string
  at: number
  what: string
  /** As it was stored: whoever takes it checks it. */
  detail: unknown
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

/** What the operator has laid down: maintenance windows, zones of nodes, figures of nodes. */
export interface StoredPolicy {
  kind: 'maintenance' | 'zone' | 'thresholds'
  id: string
  /** As it was stored: whoever takes it checks it. */
  value: unknown
}

/** The incidents of a journal. Those that are closed stay for 400 days (pruning.ts). */
export interface Incidents {
  /** Those that are open, and those that a drop names, or that say so (`untold`): of these something is still to be told. The oldest first. */
  read(): StoredIncident[]
  /** To be called inside the transaction that keeps the rest. The same delta written twice changes nothing. */
  keep(delta: IncidentsDelta): void
  /** Closed ones whose words `holds` takes (null: all), the one that closed last before the others; and how many there are. */
  closed(
    holds: ((words: string) => boolean) | null,
    offset: number,
    limit: number,
  ): { rows: StoredIncident[]; total: number; all: number }
  one(id: string): { incident: StoredIncident; events: StoredEvent[] } | null
  /** Open at some time from `from` up to `until`, both counted in; the oldest first. */
  between(from: number, until: number): StoredIncident[]
  /** Those that are down first, then by when they dropped, the latest first. */
  members(id: string, offset: number, limit: number): { total: number; rows: StoredMember[] }
  /** How many of this subject began at `since` or later. */
  recurrence(subject: string, since: number): number
}

const columns = 'id, subject, kind, opened_at, closed_at, search_text, about, text, unreported'

export function incidentsIn(db: DatabaseSync): Incidents {
  const sql = prepare(db)
  return {
    read: () => sql.read.all().map(incidentOf),
    keep: (delta) => keep(sql, delta),
    closed: (holds, offset, limit) => closed(sql, holds, offset, limit),
    one(id) {
      const row = sql.one.get(id)
      return row ? { incident: incidentOf(row), events: sql.events.all(id).map(eventOf) } : null
    },
    between: (from, until) => sql.between.all(until, from).map(incidentOf),
    members: (id, offset, limit) => ({
      total: countOf(sql.countMembers.get(id)),
      rows: sql.members.all(id, limit, offset).map(memberOf),
    }),
    recurrence: (subject, since) => countOf(sql.recurrence.get(subject, since)),
  }
}

function prepare(db: DatabaseSync) {
  return {
    read: db.prepare(`SELECT ${columns} FROM incident
      WHERE closed_at IS NULL OR unreported = 1 OR id IN (SELECT incident FROM dropped WHERE incident IS NOT NULL) ORDER BY opened_at, id`),
    put: db.prepare(`INSERT OR REPLACE INTO incident (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    putMember:
      db.prepare(`INSERT OR REPLACE INTO member (incident, key, name, at, not_before, recovered_at, recovered_not_before, unlisted)
      VALUES (?1, ?2, coalesce(nullif(?3, ''), (SELECT name FROM member WHERE incident = ?1 AND key = ?2), ''), ?4, ?5, ?6, ?7, ?8)`),
    putEvent: db.prepare('INSERT OR IGNORE INTO event (incident, at, what, detail) VALUES (?, ?, ?, ?)'),
    closeUnseen: db.prepare('UPDATE unseen SET until = ?2 WHERE tenant = ?1 AND until IS NULL AND since < ?2'),
    putUnseen: db.prepare('INSERT OR REPLACE INTO unseen (tenant, since, until) VALUES (?, ?, ?)'),
    all: db.prepare('SELECT count(*) AS count FROM incident WHERE closed_at IS NOT NULL'),
    closed: db.prepare(
      `SELECT ${columns} FROM incident WHERE closed_at IS NOT NULL ORDER BY closed_at DESC, opened_at DESC, id LIMIT ? OFFSET ?`,
    ),
    closedTexts: db.prepare(
      'SELECT id, search_text FROM incident WHERE closed_at IS NOT NULL ORDER BY closed_at DESC, opened_at DESC, id',
    ),
    one: db.prepare(`SELECT ${columns} FROM incident WHERE id = ?`),
    events: db.prepare('SELECT incident, at, what, detail FROM event WHERE incident = ? ORDER BY at, id'),
    between: db.prepare(
      `SELECT ${columns} FROM incident WHERE opened_at <= ? AND (closed_at IS NULL OR closed_at >= ?) ORDER BY opened_at, id`,
    ),
    countMembers: db.prepare('SELECT count(*) AS count FROM member WHERE incident = ?'),
    members:
      db.prepare(`SELECT incident, key, name, at, not_before, recovered_at, recovered_not_before, unlisted FROM member WHERE incident = ?
      ORDER BY recovered_at IS NOT NULL, at DESC, key LIMIT ? OFFSET ?`),
    recurrence: db.prepare('SELECT count(*) AS count FROM incident WHERE subject = ? AND opened_at >= ?'),
  }
}

type Statements = ReturnType<typeof prepare>
type Row = Record<string, unknown>

function keep(sql: Statements, { incidents, members, events, unseen }: IncidentsDelta): void {
  for (const { id, subject, kind, openedAt, closedAt, unreported, searchText, about, value } of incidents) {
    sql.put.run(id, subject, kind, openedAt, closedAt, searchText, toJson(about), toJson(value), Number(unreported))
  }
  for (const { incident, key, name, at, notBefore, recoveredAt, recoveredNotBefore, unlisted } of members)
    sql.putMember.run(incident, key, name, at, notBefore, recoveredAt, recoveredNotBefore, Number(unlisted))
  for (const { incident, at, what, detail } of events) sql.putEvent.run(incident, at, what, toJson(detail))
  for (const one of unseen) putUnseen(sql, one)
}

/** A time out of sight whose end was never written, because Muster was killed before it, ends at the latest where the next one begins. */
function putUnseen(sql: Statements, { tenant, from, until }: StoredUnseen): void {
  sql.closeUnseen.run(tenant, from)
  sql.putUnseen.run(tenant, from, until)
}

/** Case and accents of any script are nothing that SQLite knows of: whoever asks for words compares them. */
function closed(
  sql: Statements,
  holds: ((words: string) => boolean) | null,
  offset: number,
  limit: number,
): ReturnType<Incidents['closed']> {
  const all = countOf(sql.all.get())
  if (!holds) return { rows: sql.closed.all(limit, offset).map(incidentOf), total: all, all }
  const found: string[] = []
  for (const { id, search_text: text } of sql.closedTexts.iterate()) if (holds(String(text))) found.push(String(id))
  return {
    rows: found.slice(offset, offset + limit).flatMap((id) => sql.one.all(id).map(incidentOf)),
    total: found.length,
    all,
  }
}

export function incidentOf(row: Row): StoredIncident {
  return {
    id: String(row['id']),
    subject: String(row['subject']),
    kind: row['kind'] === 'flapping' ? 'flapping' : 'outage',
    openedAt: Number(row['opened_at']),
    closedAt: time(row['closed_at']),
    unreported: row['unreported'] === 1,
    about: textsOf(row['about']),
    searchText: String(row['search_text']),
    value: fromJson(row['text']),
  }
}

function memberOf(row: Row): StoredMember {
  return {
    incident: String(row['incident']),
    key: String(row['key']),
    name: String(row['name']),
    at: Number(row['at']),
    notBefore: time(row['not_before']),
    recoveredAt: time(row['recovered_at']),
    recoveredNotBefore: time(row['recovered_not_before']),
    unlisted: row['unlisted'] === 1,
  }
}

const eventOf = (row: Row): StoredEvent => ({
  incident: String(row['incident']),
  at: Number(row['at']),
  what: String(row['what']),
  detail: fromJson(row['detail']),
})

const countOf = (row: Row | undefined) => Number(row?.['count'] ?? 0)
const time = (value: unknown) => (typeof value === 'number' ? value : null)

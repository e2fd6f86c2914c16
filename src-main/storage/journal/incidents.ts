import type { DatabaseSync } from 'node:sqlite'
import { fromJson, textsOf, toJson } from './json.ts'

/** An incident in the journal, stored for 400 days (design, section 8). */
export interface StoredIncident {
  id: string
  /** The subject by which recurrence is counted: the id of its place, a device's key, or '' without a common place. */
  subject: string
  kind: 'outage' | 'flapping'
  openedAt: number
  closedAt: number | null
  /** True when it is closed and its recovery is unreported. */
  unreported: boolean
  /** Keys of its tenants, each with a `/` at its end: they are erased together. */
  about: string[]
  /** The text that a search matches. */
  searchText: string
  /** As stored; readers check it. */
  value: unknown
}

/** A device in an incident. One that drops again in the same incident is one member, down since the last drop. */
export interface StoredMember {
  incident: string
  key: string
  name: string
  at: number
  notBefore: number | null
  /** When it recovered or left this incident; null while it is down in it. */
  recoveredAt: number | null
  /** Start of the span in which it recovered; null when that was observed, or it left. */
  recoveredNotBefore: number | null
  /** True when it left because the service no longer lists it. */
  unlisted: boolean
}

export interface StoredEvent {
  incident: string
  at: number
  what: string
  /** As stored; readers check it. */
  detail: unknown
}

/** A span in which monitoring of a tenant was lost; `until` null: it is still lost. */
export interface StoredUnseen {
  tenant: string
  from: number
  until: number | null
}

/** The changes of the incidents in one transaction. */
export interface IncidentsDelta {
  incidents: StoredIncident[]
  members: StoredMember[]
  events: StoredEvent[]
  unseen: StoredUnseen[]
}

/** A policy of the operator: maintenance windows, time zones of nodes, thresholds of nodes. */
export interface StoredPolicy {
  kind: 'maintenance' | 'zone' | 'thresholds'
  id: string
  /** As stored; readers check it. */
  value: unknown
}

/** The incidents of a journal. Closed ones stay for 400 days (pruning.ts). */
export interface Incidents {
  /** Returns open incidents, those that a drop names, and those that are `unreported`, the oldest first. */
  read(): StoredIncident[]
  /** Writes a delta; called inside the transaction that writes the rest. The same delta may be written twice. */
  save(delta: IncidentsDelta): void
  /** Returns closed incidents whose text `matches` accepts (null: all), the last closed first, and their number. */
  closed(
    matches: ((text: string) => boolean) | null,
    offset: number,
    limit: number,
  ): { rows: StoredIncident[]; total: number; all: number }
  one(id: string): { incident: StoredIncident; events: StoredEvent[] } | null
  /** Returns incidents that were open at some time from `from` to `until`, both included; the oldest first. */
  between(from: number, until: number): StoredIncident[]
  /** Returns the members that are down first, then by the time of their drop, the latest first. */
  members(id: string, offset: number, limit: number): { total: number; rows: StoredMember[] }
  /** Returns the number of incidents of this subject that opened at `since` or later. */
  recurrence(subject: string, since: number): number
}

const columns = 'id, subject, kind, opened_at, closed_at, search_text, about, text, unreported'

export function incidentsIn(db: DatabaseSync): Incidents {
  const sql = prepare(db)
  return {
    read: () => sql.read.all().map(incidentOf),
    save: (delta) => save(sql, delta),
    closed: (matches, offset, limit) => closed(sql, matches, offset, limit),
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

function save(sql: Statements, { incidents, members, events, unseen }: IncidentsDelta): void {
  for (const { id, subject, kind, openedAt, closedAt, unreported, searchText, about, value } of incidents) {
    sql.put.run(id, subject, kind, openedAt, closedAt, searchText, toJson(about), toJson(value), Number(unreported))
  }
  for (const { incident, key, name, at, notBefore, recoveredAt, recoveredNotBefore, unlisted } of members)
    sql.putMember.run(incident, key, name, at, notBefore, recoveredAt, recoveredNotBefore, Number(unlisted))
  for (const { incident, at, what, detail } of events) sql.putEvent.run(incident, at, what, toJson(detail))
  for (const one of unseen) putUnseen(sql, one)
}

/**
 * Writes a span of lost monitoring. A span whose end is missing, because Muster was killed, ends at the latest where
 * the next one begins.
 */
function putUnseen(sql: Statements, { tenant, from, until }: StoredUnseen): void {
  sql.closeUnseen.run(tenant, from)
  sql.putUnseen.run(tenant, from, until)
}

/**
 * Searches closed incidents. The caller compares texts, because SQLite does not know case and accents of all scripts.
 */
function closed(
  sql: Statements,
  matches: ((text: string) => boolean) | null,
  offset: number,
  limit: number,
): ReturnType<Incidents['closed']> {
  const all = countOf(sql.all.get())
  if (!matches) return { rows: sql.closed.all(limit, offset).map(incidentOf), total: all, all }
  const found: string[] = []
  for (const { id, search_text: text } of sql.closedTexts.iterate()) if (matches(String(text))) found.push(String(id))
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

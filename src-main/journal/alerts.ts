import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../cache/database.ts'
import type { IncidentsDelta, StoredIncident } from './incidents.ts'
import { parsed } from './views.ts'

/** What telling the operator has to know over a restart (design, section 8): each thing is told once. */
export interface StoredAlerts {
  /** Transitions that nobody has weighed yet: the last one of each device, written together with the transition itself. */
  fresh: StoredTransition[]
  drops: StoredDrop[]
  /** Those that are open, and those of which something is still to be told. */
  incidents: StoredIncident[]
  /** Transitions since `since` of whoever asks, oldest first: who flaps is reckoned from them. */
  recent: { key: string; at: number }[]
  /** Quiet windows in which something was held, as it was stored. */
  held: unknown
  tellings: StoredTelling[]
  blind: StoredBlind[]
  pause: { since: number; until: number } | null
}

export interface StoredTransition {
  key: string
  at: number
  notBefore: number | null
  connected: boolean
}

/** A device that is down: held until it is in an incident, and known for as long as its return is to be told. */
export interface StoredDrop {
  key: string
  at: number
  notBefore: number | null
  /** Null while it is held. */
  incident: string | null
  /** Whether its drop was told. */
  told: boolean
  /** When it came back, while that is not told; `returned`: it has stayed for the hold-off. */
  backAt: number | null
  returned: boolean
  flapping: boolean
}

export interface StoredTelling {
  id: string
  at: number
  /** Keys of the tenants, each with a `/` at its end, and of the devices that it names: what has to be forgotten with them. */
  about: string[]
  /** As it was stored: whoever takes it checks it. */
  value: unknown
}

/** A tenant of which was told that Muster cannot see it. */
export interface StoredBlind {
  tenant: string
  since: number
  telling: string
}

/** What changed, for one transaction. */
export interface AlertsDelta extends IncidentsDelta {
  /** Transitions that were weighed: whatever is fresh of these devices up to then. */
  taken: { key: string; at: number }[]
  drops: { put: StoredDrop[]; gone: string[] }
  tellings: { put: StoredTelling[]; gone: string[] }
  blind: { put: StoredBlind[]; gone: string[] }
  /** Left out: as it was, both. */
  held?: unknown
  pause?: StoredAlerts['pause']
}

export interface Alerts {
  read(): StoredAlerts
  /** One transaction, on disk when this returns. */
  keep(delta: AlertsDelta): void
  /** To be called inside the transaction that enters the transition. */
  enter(transition: StoredTransition): void
  /** To be called inside the transaction that forgets: the range of keys from `from` up to `before`, and what was told of them. */
  forget(from: string, before: string): void
}

export function alertsIn(db: DatabaseSync): Alerts {
  const sql = prepare(db)
  return {
    read: () => read(sql),
    keep: (delta) => inTransaction(db, () => keep(sql, delta)),
    enter: ({ key, at, notBefore, connected }) => void sql.enter.run(key, at, notBefore, Number(connected)),
    forget(from, before) {
      sql.forgetFresh.run(from, before)
      sql.forgetDropped.run(from, before)
      const within = (key: string) => key >= from && key < before
      for (const { id, about } of sql.tellings.all().map(tellingOf)) if (about.some(within)) sql.dropTelling.run(id)
      for (const row of sql.blind.all()) if (within(`${String(row['tenant'])}/`)) sql.dropBlind.run(String(row['tenant']))
    },
  }
}

function prepare(db: DatabaseSync) {
  return {
    fresh: db.prepare('SELECT key, at, not_before, connected FROM fresh ORDER BY at, key'),
    enter: db.prepare(`INSERT INTO fresh VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
      at = excluded.at, not_before = excluded.not_before, connected = excluded.connected`),
    take: db.prepare('DELETE FROM fresh WHERE key = ? AND at <= ?'),
    forgetFresh: db.prepare('DELETE FROM fresh WHERE key >= ? AND key < ?'),
    dropped: db.prepare('SELECT key, at, not_before, telling, back_at FROM dropped'),
    putDropped: db.prepare('INSERT OR REPLACE INTO dropped VALUES (?, ?, ?, ?, ?)'),
    dropDropped: db.prepare('DELETE FROM dropped WHERE key = ?'),
    forgetDropped: db.prepare('DELETE FROM dropped WHERE key >= ? AND key < ?'),
    tellings: db.prepare('SELECT id, at, about, text FROM telling ORDER BY at DESC, id'),
    putTelling: db.prepare('INSERT OR REPLACE INTO telling VALUES (?, ?, ?, ?)'),
    dropTelling: db.prepare('DELETE FROM telling WHERE id = ?'),
    blind: db.prepare('SELECT tenant, since, telling FROM blind'),
    putBlind: db.prepare('INSERT OR REPLACE INTO blind VALUES (?, ?, ?)'),
    dropBlind: db.prepare('DELETE FROM blind WHERE tenant = ?'),
    pause: db.prepare('SELECT since, until FROM pause'),
    putPause: db.prepare('INSERT OR REPLACE INTO pause VALUES (1, ?, ?)'),
    dropPause: db.prepare('DELETE FROM pause'),
  }
}

type Statements = ReturnType<typeof prepare>
type Row = Record<string, unknown>

function read(sql: Statements): StoredAlerts {
  const pause = sql.pause.get()
  return {
    fresh: sql.fresh.all().map((row) => ({ ...begunOf(row), connected: row['connected'] === 1 })),
    drops: sql.dropped.all().map((row) => ({ ...begunOf(row), telling: text(row['telling']), backAt: time(row['back_at']) })),
    tellings: sql.tellings.all().map(tellingOf),
    blind: sql.blind.all().map((row) => ({ tenant: String(row['tenant']), since: Number(row['since']), telling: String(row['telling']) })),
    pause: pause ? { since: Number(pause['since']), until: Number(pause['until']) } : null,
  }
}

function keep(sql: Statements, { taken, drops, tellings, blind, pause }: AlertsDelta): void {
  for (const { key, at } of taken) sql.take.run(key, at)
  for (const key of drops.gone) sql.dropDropped.run(key)
  for (const { key, at, notBefore, telling, backAt } of drops.put) sql.putDropped.run(key, at, notBefore, telling, backAt)
  for (const id of tellings.gone) sql.dropTelling.run(id)
  for (const { id, at, about, value } of tellings.put) sql.putTelling.run(id, at, JSON.stringify(about), JSON.stringify(value))
  for (const tenant of blind.gone) sql.dropBlind.run(tenant)
  for (const { tenant, since, telling } of blind.put) sql.putBlind.run(tenant, since, telling)
  if (pause === null) sql.dropPause.run()
  else if (pause !== undefined) sql.putPause.run(pause.since, pause.until)
}

const begunOf = (row: Row) => ({ key: String(row['key']), at: Number(row['at']), notBefore: time(row['not_before']) })

function tellingOf(row: Row): StoredTelling {
  const about = parsed(row['about'])
  return { id: String(row['id']), at: Number(row['at']), about: Array.isArray(about) ? about.map(String) : [], value: parsed(row['text']) }
}

const time = (value: unknown) => (typeof value === 'number' ? value : null)
const text = (value: unknown) => (typeof value === 'string' ? value : null)

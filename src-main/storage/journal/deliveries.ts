import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'
import { fromJson, textsOf, toJson } from './json.ts'

/** A message to a channel as it is stored (channels/stored.ts reads `value`). Times in ms. */
export interface StoredDeliveryRow {
  id: string
  channel: string
  alert: string
  at: number
  state: string
  settledAt: number | null
  /** Tenants (keys with a `/`) and devices that it names. */
  about: readonly string[]
  /** Ids of its incidents. */
  incidents: readonly string[]
  value: unknown
}

/** Which deliveries are read: of one state or incident, or all (null). */
export interface DeliveryQuery {
  state: string | null
  incident: string | null
  offset: number
  limit: number
}

/** The messages to channels: what waits, and what became of the others. */
export interface Deliveries {
  /** Returns what waits, and what was told since then (ms) or is not resolved, both the oldest first. */
  open(since: number): { waiting: unknown[]; told: unknown[] }
  /** Returns deliveries, the newest first, and their number. */
  read(query: DeliveryQuery): { total: number; rows: unknown[] }
  /** Returns how many there are of each channel and state, and when the last one was settled. */
  counts(): { channel: string; state: string; count: number; last: number }[]
  /** Writes what became of some, on disk when this returns. `adds`: also of one that could not be added before. */
  settle(rows: readonly StoredDeliveryRow[], adds: boolean): void
  /** Writes what an operator decided of failed ones. Returns the ids of those that were still there and failed. */
  revise(rows: readonly StoredDeliveryRow[]): string[]
  /** Ends what waits for a channel, for this reason. */
  drop(channel: string, given: { at: number; reason: string }): void
}

export type DeliveriesIn = Deliveries & {
  /** Adds some inside a transaction. One that is there already stays as it is. */
  add(rows: readonly StoredDeliveryRow[]): void
  /** Erases those about anything for which `within` is true, inside a transaction. */
  erase(within: (key: string) => boolean): void
}

function prepare(db: DatabaseSync) {
  return {
    add: db.prepare(`INSERT OR IGNORE INTO delivery (id, channel, alert, at, state, settled_at, about, text)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    tell: db.prepare('INSERT OR IGNORE INTO delivery_incident VALUES (?, ?)'),
    settle: db.prepare('UPDATE delivery SET state = ?, settled_at = ?, text = ? WHERE id = ?'),
    revise: db.prepare("UPDATE delivery SET state = ?, settled_at = ?, text = ? WHERE id = ? AND state = 'failed'"),
    drop: db.prepare(`UPDATE delivery SET state = 'dropped', settled_at = ?2,
      text = json_set(text, '$.state', 'dropped', '$.nextAt', NULL, '$.settledAt', ?2, '$.reason', ?3)
      WHERE channel = ?1 AND state = 'waiting'`),
    waiting: db.prepare("SELECT text FROM delivery WHERE state = 'waiting' ORDER BY number"),
    // An alert of a system that keeps alerts is open until it was resolved, however long that takes.
    told: db.prepare(`SELECT text FROM delivery AS one WHERE state <> 'dropped' AND (at >= ?1 OR (
      json_extract(text, '$.action') IN ('trigger', 'acknowledge') AND NOT EXISTS (
        SELECT 1 FROM delivery AS other WHERE other.channel = one.channel AND other.alert = one.alert
          AND other.number > one.number AND other.state <> 'dropped' AND json_extract(other.text, '$.action') = 'resolve'))) ORDER BY number`),
    counts: db.prepare(
      'SELECT channel, state, count(*) AS count, max(settled_at) AS last FROM delivery GROUP BY channel, state',
    ),
    about: db.prepare('SELECT id, about FROM delivery'),
    erase: db.prepare('DELETE FROM delivery WHERE id = ?'),
    pages: {
      all: db.prepare('SELECT text FROM delivery ORDER BY number DESC LIMIT ? OFFSET ?'),
      state: db.prepare('SELECT text FROM delivery WHERE state = ? ORDER BY number DESC LIMIT ? OFFSET ?'),
      incident: db.prepare(`SELECT text FROM delivery_incident JOIN delivery USING (number)
        WHERE incident = ? AND (?2 IS NULL OR state = ?2) ORDER BY number DESC LIMIT ?3 OFFSET ?4`),
    },
    pageCounts: {
      all: db.prepare('SELECT count(*) AS count FROM delivery'),
      state: db.prepare('SELECT count(*) AS count FROM delivery WHERE state = ?'),
      incident: db.prepare(`SELECT count(*) AS count FROM delivery_incident JOIN delivery USING (number)
        WHERE incident = ? AND (?2 IS NULL OR state = ?2)`),
    },
  }
}

export function deliveriesIn(db: DatabaseSync): DeliveriesIn {
  const sql = prepare(db)
  const values = (rows: Record<string, unknown>[]) => rows.map(({ text }) => fromJson(text))
  const add: DeliveriesIn['add'] = (rows) => {
    for (const { id, channel, alert, at, state, settledAt, about, incidents, value } of rows) {
      const { changes, lastInsertRowid } = sql.add.run(
        id,
        channel,
        alert,
        at,
        state,
        settledAt,
        toJson(about),
        toJson(value),
      )
      if (changes > 0) for (const incident of incidents) sql.tell.run(incident, lastInsertRowid)
    }
  }
  return {
    open: (since) => ({ waiting: values(sql.waiting.all()), told: values(sql.told.all(since)) }),
    read({ state, incident, offset, limit }) {
      const [kind, given]: [keyof typeof sql.pages, (string | null)[]] =
        incident !== null ? ['incident', [incident, state]] : state !== null ? ['state', [state]] : ['all', []]
      return {
        total: Number(sql.pageCounts[kind].get(...given)?.['count']),
        rows: values(sql.pages[kind].all(...given, limit, offset)),
      }
    },
    counts: () =>
      sql.counts.all().map(({ channel, state, count: number, last }) => ({
        channel: String(channel),
        state: String(state),
        count: Number(number),
        last: Number(last),
      })),
    settle: (rows, adds) =>
      inTransaction(db, () => {
        if (adds) add(rows)
        for (const { id, state, settledAt, value } of rows) sql.settle.run(state, settledAt, toJson(value), id)
      }),
    revise: (rows) =>
      inTransaction(db, () =>
        rows.flatMap(({ id, state, settledAt, value }) =>
          sql.revise.run(state, settledAt, toJson(value), id).changes > 0 ? [id] : [],
        ),
      ),
    drop: (channel, { at, reason }) => void sql.drop.run(channel, at, reason),
    add,
    erase(within) {
      for (const { id, about } of sql.about.all()) if (textsOf(about).some(within)) sql.erase.run(String(id))
    },
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** Retention of past events in the journal, ms (design, section 8). */
export const retentionMs = 400 * 24 * 3600_000

/**
 * Removes some of the rows older than that: transitions, closed incidents with their devices and history, actions,
 * spans of lost monitoring, notifications, former names and places, ended jobs with their devices, runs of queries, states and firmware of days, changes of firmware, messages to channels, shift handovers of a team. Open ones stay, and so does each device's last known
 * status. Returns the number of removed rows; 0 when none is left. One call is one short transaction, so that other requests run in
 * between.
 */
export type Prune = (now: number) => number

/** Rows removed at a time. Each is on its own page of some index: that number takes about 10 ms with the commit. */
const batchRows = 128

export function pruningIn(db: DatabaseSync): Prune {
  const kinds = prepare(db)
  return (now) =>
    inTransaction(db, () =>
      kinds.reduce((gone, kind) => gone + Number(kind.run(now - retentionMs, batchRows - gone).changes), 0),
    )
}

/** Former names and places, and devices of jobs, are each counted up to this number, which takes some ms. */
const maxCounted = 200_000

/** Returns an estimate from the row ids, which only grow: counting millions of rows would take a second. */
export function ageingIn(db: DatabaseSync): () => number {
  const spans = [
    ['transition', 'id'],
    ['event', 'id'],
    ['action', 'id'],
    ['job', 'number'],
    ['query_run', 'number'],
    ['firmware_change', 'id'],
    ['delivery', 'number'],
  ].map(([table, id]) => db.prepare(`SELECT coalesce(max(${id}) - min(${id}) + 1, 0) AS rows FROM ${table}`))
  const counted = ['device_place WHERE until IS NOT NULL', 'job_device'].map((rows) =>
    db.prepare(`SELECT count(*) AS rows FROM (SELECT 1 FROM ${rows} LIMIT ${maxCounted})`),
  )
  return () => [...spans, ...counted].reduce((rows, span) => rows + Number(span.get()?.['rows']), 0)
}

/**
 * Selects a few incidents at a time: an incident itself is removed after all its other rows. A closed one with an
 * unreported recovery is named in `dropped`.
 */
const expired = `SELECT id FROM incident WHERE closed_at < ?1
  AND id NOT IN (SELECT incident FROM dropped WHERE incident IS NOT NULL) ORDER BY closed_at, id LIMIT 16`

/** Selects a few jobs at a time: a job is removed after its devices. One that is not ended stays. */
const expiredJobs = 'SELECT number FROM job WHERE ended_at < ?1 ORDER BY ended_at, number LIMIT 16'

/** A tenant with lost monitoring names its notification, which stays. */
function prepare(db: DatabaseSync) {
  return [
    db.prepare('DELETE FROM transition WHERE id IN (SELECT id FROM transition WHERE at < ?1 ORDER BY at LIMIT ?2)'),
    db.prepare(
      `DELETE FROM member WHERE (incident, key) IN (SELECT incident, key FROM member WHERE incident IN (${expired}) LIMIT ?2)`,
    ),
    db.prepare(`DELETE FROM event WHERE id IN (SELECT id FROM event WHERE incident IN (${expired}) LIMIT ?2)`),
    db.prepare(`DELETE FROM incident WHERE id IN (SELECT id FROM (${expired}) LIMIT ?2)`),
    db.prepare('DELETE FROM action WHERE id IN (SELECT id FROM action WHERE at < ?1 ORDER BY at LIMIT ?2)'),
    db.prepare(
      'DELETE FROM unseen WHERE (tenant, since) IN (SELECT tenant, since FROM unseen WHERE until < ?1 LIMIT ?2)',
    ),
    db.prepare(
      'DELETE FROM notification WHERE id IN (SELECT id FROM notification WHERE at < ?1 AND id NOT IN (SELECT notification FROM monitoring_loss) LIMIT ?2)',
    ),
    db.prepare(
      'DELETE FROM device_place WHERE (key, position) IN (SELECT key, position FROM device_place WHERE until < ?1 LIMIT ?2)',
    ),
    db.prepare(
      `DELETE FROM job_device WHERE (job, position) IN (SELECT job, position FROM job_device WHERE job IN (${expiredJobs}) LIMIT ?2)`,
    ),
    db.prepare(`DELETE FROM job WHERE number IN (SELECT number FROM (${expiredJobs}) LIMIT ?2)`),
    db.prepare('DELETE FROM query_run WHERE number IN (SELECT number FROM query_run WHERE at < ?1 LIMIT ?2)'),
    db.prepare('DELETE FROM day_state WHERE day IN (SELECT day FROM day_state WHERE day * 86400000 < ?1 LIMIT ?2)'),
    db.prepare(
      'DELETE FROM firmware_change WHERE id IN (SELECT id FROM firmware_change WHERE at < ?1 ORDER BY at LIMIT ?2)',
    ),
    db.prepare(
      `DELETE FROM firmware_day WHERE (model, day, version) IN
        (SELECT model, day, version FROM firmware_day WHERE day < ?1 / 86400000 ORDER BY day LIMIT ?2)`,
    ),
    db.prepare(
      "DELETE FROM delivery WHERE number IN (SELECT number FROM delivery WHERE at < ?1 AND state <> 'waiting' ORDER BY at LIMIT ?2)",
    ),
    db.prepare(
      'DELETE FROM shift_handover WHERE id IN (SELECT id FROM shift_handover WHERE at < ?1 ORDER BY at LIMIT ?2)',
    ),
  ]
}

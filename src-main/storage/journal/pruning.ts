import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** How long the journal keeps what is over, ms (design, section 8). */
export const keptMs = 400 * 24 * 3600_000

/**
 * Forgets some of what is older than that: transitions, closed incidents with their devices and history, actions, unseen times,
 * notifications. What is open stays, and so does the last known word on each device. Returns how many rows went; 0 when
 * nothing is left to go. One call is one short transaction: others can be answered between two.
 */
export type Prune = (now: number) => number

/** Rows that go at a time. Each lies on a page of its own of some index: so many take some 10 ms with the commit. */
const atOnce = 128

export function pruningIn(db: DatabaseSync): Prune {
  const kinds = prepare(db)
  return (now) =>
    inTransaction(db, () =>
      kinds.reduce((gone, kind) => gone + Number(kind.run(now - keptMs, atOnce - gone).changes), 0),
    )
}

/** By their numbers, which only grow: counting millions of rows would take a second. */
export function ageingIn(db: DatabaseSync): () => number {
  const spans = ['transition', 'event', 'action'].map((table) =>
    db.prepare(`SELECT coalesce(max(id) - min(id) + 1, 0) AS rows FROM ${table}`),
  )
  return () => spans.reduce((rows, span) => rows + Number(span.get()?.['rows']), 0)
}

/** A few incidents at a time: when the rows of a call reach as far as the incidents themselves, nothing is in these any more. What is still to be told of a closed one names it in `dropped`. */
const expired = `SELECT id FROM incident WHERE closed_at < ?1
  AND id NOT IN (SELECT incident FROM dropped WHERE incident IS NOT NULL) ORDER BY closed_at, id LIMIT 16`

/** A tenant that Muster lost sight of names the notification of that. */
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
  ]
}

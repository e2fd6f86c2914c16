import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../cache/database.ts'

/** How long the journal keeps what is over, ms (design, section 8). */
export const keptMs = 400 * 24 * 3600_000

/**
 * Forgets some of what is older than that: transitions, closed incidents with their devices and history, acts, unseen times,
 * tellings. What is open stays, and so does the last known word on each device. Returns how many rows went; 0 when
 * nothing is left to go. One call is one short transaction: others can be answered between two.
 */
export type Prune = (now: number) => number

/** Rows of each kind that go at a time, and for how long a call goes on with the next ones, ms: with its commit it stays below 20. */
const atOnce = 64
const longest = 6

export function pruningIn(db: DatabaseSync): Prune {
  const kinds = prepare(db)
  return (now) => inTransaction(db, () => {
    const begun = performance.now()
    let gone = 0
    for (let went = 1; went > 0 && performance.now() - begun < longest;) {
      went = kinds.reduce((sum, kind) => sum + Number(kind.run(now - keptMs, atOnce).changes), 0)
      gone += went
    }
    return gone
  })
}

/** A few incidents at a time. What is still to be told of a closed one names it in `dropped`. */
const expired = `SELECT id FROM incident WHERE closed_at < ?1
  AND id NOT IN (SELECT incident FROM dropped WHERE incident IS NOT NULL) ORDER BY closed_at, id LIMIT 16`

/** A tenant that is not seen names the telling that told it. */
function prepare(db: DatabaseSync) {
  return [
    db.prepare('DELETE FROM transition WHERE id IN (SELECT id FROM transition WHERE at < ?1 ORDER BY at LIMIT ?2)'),
    db.prepare(`DELETE FROM member WHERE (incident, key) IN (SELECT incident, key FROM member WHERE incident IN (${expired}) LIMIT ?2)`),
    db.prepare(`DELETE FROM event WHERE id IN (SELECT id FROM event WHERE incident IN (${expired}) LIMIT ?2)`),
    db.prepare(`DELETE FROM incident WHERE id IN (SELECT id FROM (${expired}) AS old
      WHERE NOT EXISTS (SELECT 1 FROM member WHERE incident = old.id) AND NOT EXISTS (SELECT 1 FROM event WHERE incident = old.id) LIMIT ?2)`),
    db.prepare('DELETE FROM act WHERE id IN (SELECT id FROM act WHERE at < ?1 ORDER BY at LIMIT ?2)'),
    db.prepare('DELETE FROM unseen WHERE (tenant, since) IN (SELECT tenant, since FROM unseen WHERE until < ?1 LIMIT ?2)'),
    db.prepare('DELETE FROM telling WHERE id IN (SELECT id FROM telling WHERE at < ?1 AND id NOT IN (SELECT telling FROM blind) LIMIT ?2)'),
  ]
}

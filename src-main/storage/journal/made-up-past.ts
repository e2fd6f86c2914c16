import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** A transition that never happened; `at` in ms. */
export interface PastTransition {
  key: string
  at: number
  connected: boolean
}

/** The made-up past of a demo. Its transitions have ids below 0: before all that the demo itself has seen. */
export interface MadeUpPast {
  exists(): boolean
  /** Returns whether each device was online before its first transition; none of a device without one. */
  firstStates(): Map<string, boolean>
  /** Writes the past of the devices that the journal knows, which count as known since `from` (ms). */
  write(transitions: readonly PastTransition[], from: number): void
}

export function madeUpPastIn(db: DatabaseSync): MadeUpPast {
  const sql = {
    exists: db.prepare('SELECT 1 FROM transition WHERE id < 0 LIMIT 1'),
    first: db.prepare('SELECT key, connected, min(id) FROM transition GROUP BY key'),
    enter: db.prepare('INSERT INTO transition (id, key, at, not_before, connected) VALUES (?, ?, ?, NULL, ?)'),
    known: db.prepare('UPDATE state SET known_since = ?'),
    days: db.prepare('DELETE FROM day_state'),
  }
  return {
    exists: () => sql.exists.get() !== undefined,
    firstStates: () => new Map(sql.first.all().map(({ key, connected }) => [String(key), connected === 0])),
    write(transitions, from) {
      const ordered = transitions.toSorted((one, other) => one.at - other.at)
      inTransaction(db, () => {
        ordered.forEach(({ key, at, connected }, index) =>
          sql.enter.run(index - ordered.length, key, at, Number(connected)),
        )
        sql.known.run(from)
        sql.days.run()
      })
    },
  }
}

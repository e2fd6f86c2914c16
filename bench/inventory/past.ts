import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { now, seed } from './measure.ts'
import { seeded } from './world.ts'

/** The past of a large fleet: 400 days with 2,000,000 transitions. */
export const pastDays = 400
export const pastChanges = 2_000_000
export const dayMs = 24 * 3_600_000

/** Writes the past into the journal of a profile: each device goes offline for a minute at even times. */
export function writePast(profile: string): void {
  const db = new DatabaseSync(join(profile, 'journal.db'))
  const random = seeded(seed)
  const keys = db
    .prepare('SELECT key FROM state')
    .all()
    .map(({ key }) => String(key))
  const insert = db.prepare('INSERT INTO transition (key, at, not_before, connected) VALUES (?, ?, NULL, ?)')
  db.exec('BEGIN')
  for (let n = 0; n < pastChanges; n += 2) {
    const key = keys[Math.floor(random() * keys.length)] ?? ''
    const at = now - pastDays * dayMs + (n / pastChanges) * pastDays * dayMs
    insert.run(key, at, 0)
    insert.run(key, at + 60_000, 1)
  }
  db.prepare('UPDATE state SET known_since = ?').run(now - pastDays * dayMs)
  db.exec('COMMIT')
  db.close()
}

import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface Past {
  /** How far back the journal reaches, and its end, ms. */
  days: number
  now: number
  /** Outages of each device a week, on average. */
  outages: number
  seed: number
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Writes a simulated past into the journal of a profile that no console has open: each device was known and online since then,
 * except in outages of minutes to hours. The present state of each stays as it is.
 * Returns the number of transitions.
 */
export function writePast(profile: string, { days, now, outages, seed }: Past): number {
  const random = randomFrom(seed)
  // A core may write to it at the same time.
  const db = new DatabaseSync(path.join(profile, 'journal.db'), { timeout: 10_000 })
  const from = now - days * dayMs
  const devices = db.prepare('SELECT key, connected FROM state ORDER BY key').all()
  const entries: { key: string; at: number; connected: 0 | 1 }[] = []
  for (const { key, connected } of devices) {
    const count = Math.floor((outages * days) / 7 + random() * 2)
    let at = from + random() * dayMs
    for (let n = 0; n < count && at < now - dayMs / 24; n += 1) {
      const end = Math.min(now - minuteMs, at + (2 + random() ** 4 * 600) * minuteMs)
      entries.push({ key: String(key), at, connected: 0 }, { key: String(key), at: end, connected: 1 })
      at = end + random() * ((2 * days * dayMs) / Math.max(1, count))
    }
    if (connected === 0) entries.push({ key: String(key), at: now - random() * dayMs, connected: 0 })
  }
  entries.sort((one, other) => one.at - other.at)
  const insert = db.prepare('INSERT INTO transition (key, at, not_before, connected) VALUES (?, ?, NULL, ?)')
  db.exec('BEGIN')
  for (const { key, at, connected } of entries) insert.run(key, at, connected)
  db.prepare('UPDATE state SET known_since = ?').run(from)
  db.exec('COMMIT')
  db.close()
  return entries.length
}

/** Numbers from 0 to 1 that follow from the seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** Length of a day (UTC), ms. */
export const dayMs = 24 * 3_600_000

/** What Muster knew of a device at a time; two bits each. `uncertain`: between the earliest and the latest moment of a change that was not seen live. */
export const dayStates = { none: 0, offline: 1, online: 2, uncertain: 3 } as const

/**
 * What every device was at the beginning of each day (UTC, by the number of the day since 1970). It follows from the transitions, and makes
 * a past minute quick to read: only the transitions of its day are read then.
 */
export interface DayStates {
  /** Gives a position to every device that has none. Days up to this one are about to be written. */
  assign(day: number): void
  /** Visits some devices in the order of their positions, from `after` on. Returns the last position, or null after the last device. */
  devices(after: number, limit: number, visit: (position: number, key: string) => void): number | null
  has(day: number): boolean
  /** Returns the states by position, null where they are not known; devices beyond its length have none. */
  read(day: number): Uint8Array | null
  /** Writes days; null for one that cannot be told, and is read from all transitions since then. */
  write(days: readonly { day: number; states: Uint8Array | null }[]): void
  /** Changes when days were removed, because something of before them was entered. */
  removals(): number
}

/** `entered`: to be called in the transaction that enters something of this time (ms). */
export type DayStatesIn = DayStates & { entered(at: number): void; erase(from: string, before: string): void }

export function dayStatesIn(db: DatabaseSync): DayStatesIn {
  const sql = prepare(db)
  let removals = 0
  /** The last day that is written, or for which a reader began: what is of before its beginning changes it. */
  let last = Number(sql.last.get()?.['day'] ?? -1)
  return {
    assign(day) {
      sql.assign.run()
      last = Math.max(last, day)
    },
    devices(after, limit, visit) {
      let [last, count] = [after, 0]
      for (const row of sql.devices.iterate(after, limit) as Iterable<unknown>) {
        const [position, key] = row as [number, string]
        visit(position, key)
        last = position
        count += 1
      }
      return count < limit ? null : last
    },
    has: (day) => sql.has.get(day) !== undefined,
    read(day) {
      const states = sql.read.get(day)?.['states']
      return states instanceof Uint8Array && states.length > 0 ? unpacked(states) : null
    },
    write: (days) =>
      inTransaction(db, () => {
        for (const { day, states } of days) {
          sql.write.run(day, states === null ? new Uint8Array(0) : packed(states))
          last = Math.max(last, day)
        }
      }),
    removals: () => removals,
    entered(at) {
      const first = Math.floor(at / dayMs) + 1
      if (first > last) return
      sql.remove.run(first)
      removals += 1
    },
    erase: (from, before) => void sql.erase.run(from, before),
  }
}

function prepare(db: DatabaseSync) {
  const devices = db.prepare('SELECT position, key FROM day_device WHERE position > ? ORDER BY position LIMIT ?')
  devices.setReturnArrays(true)
  return {
    assign: db.prepare(
      'INSERT INTO day_device (key) SELECT key FROM state WHERE true ORDER BY key ON CONFLICT (key) DO NOTHING',
    ),
    devices,
    last: db.prepare('SELECT max(day) AS day FROM day_state'),
    has: db.prepare('SELECT 1 FROM day_state WHERE day = ?'),
    read: db.prepare('SELECT states FROM day_state WHERE day = ?'),
    write: db.prepare('INSERT OR REPLACE INTO day_state (day, states) VALUES (?, ?)'),
    remove: db.prepare('DELETE FROM day_state WHERE day >= ?'),
    erase: db.prepare('DELETE FROM day_device WHERE key >= ? AND key < ?'),
  }
}

/** Four devices in a byte. */
function packed(states: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(states.length / 4))
  for (let index = 0; index < states.length; index += 1) {
    const place = index >> 2
    bytes[place] = (bytes[place] as number) | ((states[index] as number) << ((index & 3) * 2))
  }
  return bytes
}

function unpacked(bytes: Uint8Array): Uint8Array {
  const states = new Uint8Array(bytes.length * 4)
  for (let index = 0; index < states.length; index += 1)
    states[index] = ((bytes[index >> 2] as number) >> ((index & 3) * 2)) & 3
  return states
}

import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** How many devices of a model had a version. */
export interface VersionCount {
  model: string
  version: string
  devices: number
}

/** How many devices had which firmware on each day (UTC, by the number of the day since 1970), as it was last seen that day. */
export interface FirmwareDays {
  /** Replaces what is recorded of a day. */
  write(day: number, counts: readonly VersionCount[]): void
  /** Returns the days of a model, the oldest first. */
  of(model: string): { day: number; version: string; devices: number }[]
}

export function firmwareDaysIn(db: DatabaseSync): FirmwareDays {
  const remove = db.prepare('DELETE FROM firmware_day WHERE day = ?')
  const put = db.prepare('INSERT INTO firmware_day (model, day, version, devices) VALUES (?, ?, ?, ?)')
  const of = db.prepare('SELECT day, version, devices FROM firmware_day WHERE model = ? ORDER BY day, version')
  return {
    write: (day, counts) =>
      inTransaction(db, () => {
        remove.run(day)
        for (const { model, version, devices } of counts) put.run(model, day, version, devices)
      }),
    of: (model) =>
      of.all(model).map(({ day, version, devices }) => ({
        day: Number(day),
        version: String(version),
        devices: Number(devices),
      })),
  }
}

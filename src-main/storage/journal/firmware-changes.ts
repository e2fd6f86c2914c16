import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../database.ts'

/** A device that was seen with another firmware than before, at `at` (ms). */
export interface FirmwareChange {
  key: string
  at: number
  before: string
  version: string
}

/** The firmware that each device was last seen with, and how it changed. */
export interface FirmwareChanges {
  /** Records what some devices have at `at` (ms): the first of a device is no change. */
  see(devices: readonly { key: string; version: string }[], at: number): void
  /** When the first firmware was recorded, ms; null: none was. */
  since(): number | null
  /** Returns the changes after `from`, up to and with `until`, in the order of time. */
  between(from: number, until: number): FirmwareChange[]
}

export type FirmwareChangesIn = FirmwareChanges & { erase(from: string, before: string): void }

export function firmwareChangesIn(db: DatabaseSync): FirmwareChangesIn {
  const sql = {
    seen: db.prepare('SELECT version FROM firmware_seen WHERE key = ?'),
    see: db.prepare(`INSERT INTO firmware_seen (key, version, since) VALUES (?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET version = excluded.version`),
    enter: db.prepare('INSERT INTO firmware_change (key, at, before, version) VALUES (?, ?, ?, ?)'),
    since: db.prepare('SELECT min(since) AS since FROM firmware_seen'),
    between: db.prepare(
      'SELECT key, at, before, version FROM firmware_change WHERE at > ? AND at <= ? ORDER BY at, id',
    ),
    eraseSeen: db.prepare('DELETE FROM firmware_seen WHERE key >= ? AND key < ?'),
    eraseChanges: db.prepare('DELETE FROM firmware_change WHERE key >= ? AND key < ?'),
  }
  return {
    see: (devices, at) =>
      inTransaction(db, () => {
        for (const { key, version } of devices) {
          const before = sql.seen.get(key)?.['version']
          if (before === version) continue
          sql.see.run(key, version, at)
          if (before !== undefined) sql.enter.run(key, at, String(before), version)
        }
      }),
    since() {
      const since = sql.since.get()?.['since']
      return typeof since === 'number' ? since : null
    },
    between: (from, until) =>
      sql.between.all(from, until).map(({ key, at, before, version }) => ({
        key: String(key),
        at: Number(at),
        before: String(before),
        version: String(version),
      })),
    erase(from, before) {
      for (const erase of [sql.eraseSeen, sql.eraseChanges]) erase.run(from, before)
    },
  }
}

import type { DatabaseSync } from 'node:sqlite'

/** A row of the team's log: its number, from 1, and its random id. */
export interface LogPosition {
  number: number
  id: string
}

/** The last row of the team's log that the journal contains. */
export interface StoredLogPosition {
  /** Returns null where none was ever written. */
  read(): LogPosition | null
  write(position: LogPosition | null): void
}

export function logPositionIn(db: DatabaseSync): StoredLogPosition {
  const read = db.prepare('SELECT number, id FROM log_position')
  const put = db.prepare('INSERT OR REPLACE INTO log_position VALUES (1, ?, ?)')
  const remove = db.prepare('DELETE FROM log_position')
  return {
    read() {
      const row = read.get()
      return row === undefined ? null : { number: Number(row['number']), id: String(row['id']) }
    },
    write: (position) => void (position === null ? remove.run() : put.run(position.number, position.id)),
  }
}

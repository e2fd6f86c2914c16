import type { DatabaseSync } from 'node:sqlite'

/** What a team has erased. Written with the rows of its log, which number alike at all members. */
export interface Erasures {
  /** Returns the number of the last row of the log that erased something; 0: none is known. */
  last(): number
  /** Writes that number. */
  happened(number: number): void
  /** Returns the connections (ids) that the team has removed. */
  removed(): string[]
  /** Writes that a connection was removed, or is there again. */
  setRemoved(connection: string, isRemoved: boolean): void
  /** Returns the keys of the tenants of which devices are stored, or that a connection's list has lost. */
  tenants(): Set<string>
  /** Returns whether a device (key) is stored. */
  isStored(device: string): boolean
}

export function erasuresIn(db: DatabaseSync): Erasures {
  const last = db.prepare('SELECT number FROM erasure')
  const write = db.prepare('INSERT OR REPLACE INTO erasure (only, number) VALUES (1, ?)')
  const removed = db.prepare('SELECT id FROM removed_connection')
  const add = db.prepare('INSERT OR IGNORE INTO removed_connection VALUES (?)')
  const drop = db.prepare('DELETE FROM removed_connection WHERE id = ?')
  // A key begins with those of its service and tenant (inventory/keys.ts).
  const tenants = db.prepare(`WITH device (key, slash) AS (
      SELECT key, instr(key, '/') FROM state UNION ALL SELECT key, instr(key, '/') FROM device_place
    )
    SELECT DISTINCT substr(key, 1, slash + instr(substr(key, slash + 1), '/') - 1) AS tenant FROM device
    UNION SELECT tenant FROM withdrawn`)
  const stored = db.prepare(
    'SELECT 1 FROM state WHERE key = ?1 UNION ALL SELECT 1 FROM device_place WHERE key = ?1 LIMIT 1',
  )
  return {
    isStored: (device) => stored.get(device) !== undefined,
    last: () => Number(last.get()?.['number'] ?? 0),
    happened: (number) => void write.run(number),
    removed: () => removed.all().map(({ id }) => String(id)),
    setRemoved: (connection, isRemoved) => void (isRemoved ? add : drop).run(connection),
    tenants: () => new Set(tenants.all().map(({ tenant }) => String(tenant))),
  }
}

import type { DatabaseSync } from 'node:sqlite'

/** How often the data of connections was erased: whoever writes what it read before would bring it back. */
export interface Erasures {
  count(): number
  /** Counts one more, inside the transaction that erases. */
  add(): void
  /** Returns the keys of the tenants of which a device, or that a list has lost them, is stored. */
  tenants(): Set<string>
}

export function erasuresIn(db: DatabaseSync): Erasures {
  const count = db.prepare('SELECT count FROM erasure')
  const add = db.prepare('INSERT INTO erasure VALUES (1, 1) ON CONFLICT (only) DO UPDATE SET count = count + 1')
  // A key begins with those of its service and tenant (inventory/keys.ts).
  const tenants = db.prepare(`WITH device (key, slash) AS (
      SELECT key, instr(key, '/') FROM state UNION ALL SELECT key, instr(key, '/') FROM device_place
    )
    SELECT DISTINCT substr(key, 1, slash + instr(substr(key, slash + 1), '/') - 1) AS tenant FROM device
    UNION SELECT tenant FROM withdrawn`)
  return {
    count: () => Number(count.get()?.['count'] ?? 0),
    add: () => void add.run(),
    tenants: () => new Set(tenants.all().map(({ tenant }) => String(tenant))),
  }
}

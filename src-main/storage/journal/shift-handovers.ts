import type { DatabaseSync } from 'node:sqlite'
import { maxHandovers, type WrittenHandover } from '../../../src-shared/model/handovers.ts'
import { fromJson, toJson } from './json.ts'
import { parsed } from './views.ts'

/** A handover as it is stored. `tenants`: keys of all tenants that its text may be about. */
export type StoredHandover = WrittenHandover & { tenants: readonly string[] }

/** The shift handovers of a team. What is read is as it was stored: readers check it (invariant 11). */
export interface ShiftHandovers {
  /** Returns the newest ones without their texts, the newest first. */
  list(): unknown[]
  one(id: string): unknown
  /** Adds a handover; one with a known id stays as it is. */
  save(handover: StoredHandover): void
  /** Accepts a handover, where that operator is whom it is for. The first acceptance stays. */
  accept(acceptance: { id: string; at: number; by: string }): void
}

export function shiftHandoversIn(db: DatabaseSync): ShiftHandovers {
  const list = db.prepare(
    `SELECT id, at, json_remove(text, '$.text', '$.tenants') AS text FROM shift_handover
     WHERE json_valid(text) ORDER BY at DESC, id LIMIT ?`,
  )
  const one = db.prepare('SELECT id, at, text FROM shift_handover WHERE id = ?')
  const save = db.prepare('INSERT OR IGNORE INTO shift_handover (id, at, text) VALUES (?, ?, ?)')
  const accept = db.prepare(
    `UPDATE shift_handover SET text = json_set(text, '$.accepted', json(:accepted)) WHERE id = :id AND json_valid(text)
     AND json_extract(text, '$.to') = :by AND json_extract(text, '$.accepted') IS NULL`,
  )
  const read = ({ id, at, text }: Record<string, unknown>) => ({ ...parsed(text), id, at })
  return {
    list: () => list.all(maxHandovers).map(read),
    one(id) {
      const row = one.get(id)
      return row === undefined ? null : read(row)
    },
    save: ({ id, at, ...rest }) => void save.run(id, at, toJson(rest)),
    accept: ({ id, at, by }) => void accept.run({ id, by, accepted: toJson({ at, by }) }),
  }
}

/** Returns the erasure of the handovers that may be about these tenants, by their keys. */
export function handoverErasureIn(db: DatabaseSync): (tenants: ReadonlySet<string>) => void {
  const all = db.prepare(
    "SELECT id, json_extract(text, '$.tenants') AS tenants FROM shift_handover WHERE json_valid(text)",
  )
  const unreadable = db.prepare('DELETE FROM shift_handover WHERE NOT json_valid(text)')
  const drop = db.prepare('DELETE FROM shift_handover WHERE id = ?')
  return (tenants) => {
    // Nobody knows what they are about.
    unreadable.run()
    for (const { id, tenants: about } of all.all()) {
      const keys = fromJson(about)
      if (!Array.isArray(keys) || keys.some((key) => tenants.has(String(key)))) drop.run(String(id))
    }
  }
}

import type { DatabaseSync } from 'node:sqlite'
import type { SavedView } from '../../../src-shared/model/inventory.ts'
import { inTransaction } from '../database.ts'

/** The operator's saved views, in the order of creation. At most one is the default, by a constraint of the file. */
export interface Views {
  /** Returns the views as stored; readers check them (design, invariant 11). */
  all(): unknown[]
  ids(): string[]
  /** Adds a view, or changes the one with its id; a default one replaces the former default. */
  save(view: SavedView): void
  remove(id: string): void
}

export function viewsIn(db: DatabaseSync): Views {
  const all = db.prepare('SELECT id, is_default, text FROM view ORDER BY position, id')
  const ids = db.prepare('SELECT id FROM view')
  const undefault = db.prepare('UPDATE view SET is_default = 0 WHERE is_default = 1 AND id <> ?')
  const save = db.prepare(`INSERT INTO view VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM view), ?, ?)
    ON CONFLICT (id) DO UPDATE SET is_default = excluded.is_default, text = excluded.text`)
  const remove = db.prepare('DELETE FROM view WHERE id = ?')
  return {
    all: () => all.all().map((row) => ({ ...parsed(row['text']), id: row['id'], isDefault: row['is_default'] === 1 })),
    ids: () => ids.all().map(({ id }) => String(id)),
    save: ({ id, isDefault, ...view }) =>
      inTransaction(db, () => {
        if (isDefault) undefault.run(id)
        save.run(id, Number(isDefault), JSON.stringify(view))
      }),
    remove: (id) => void remove.run(id),
  }
}

/** Returns an object from stored JSON; an empty one when it is invalid. */
export function parsed(text: unknown): object {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

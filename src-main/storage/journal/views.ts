import type { DatabaseSync } from 'node:sqlite'
import type { SavedView } from '../../../src-shared/model/inventory.ts'
import { inTransaction } from '../database.ts'

/** The operator's saved views, in the order in which they were first saved. At most one is the default: the file itself refuses a second. */
export interface Views {
  /** As they were stored: whoever takes them checks them (design, invariant 11). */
  all(): unknown[]
  /** Makes it, or changes the one of its id; a default one takes the default from any other. */
  save(view: SavedView): void
  remove(id: string): void
}

export function viewsIn(db: DatabaseSync): Views {
  const all = db.prepare('SELECT id, is_default, text FROM view ORDER BY position, id')
  const undefault = db.prepare('UPDATE view SET is_default = 0 WHERE is_default = 1 AND id <> ?')
  const save = db.prepare(`INSERT INTO view VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM view), ?, ?)
    ON CONFLICT (id) DO UPDATE SET is_default = excluded.is_default, text = excluded.text`)
  const remove = db.prepare('DELETE FROM view WHERE id = ?')
  return {
    all: () => all.all().map((row) => ({ ...parsed(row['text']), id: row['id'], isDefault: row['is_default'] === 1 })),
    save: ({ id, isDefault, ...view }) =>
      inTransaction(db, () => {
        if (isDefault) undefault.run(id)
        save.run(id, Number(isDefault), JSON.stringify(view))
      }),
    remove: (id) => void remove.run(id),
  }
}

/** An object that was written as JSON; an empty one when it is not that any more. */
export function parsed(text: unknown): object {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

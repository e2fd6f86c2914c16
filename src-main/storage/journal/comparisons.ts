import type { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { type KeptComparison, maxComparisons } from '../../../src-shared/model/comparison.ts'
import { inTransaction } from '../database.ts'
import { fromJson, toJson } from './json.ts'

/** The comparisons that the operator keeps, each with its asset list where it has one. */
export interface Comparisons {
  /** Returns them as stored, the oldest first; readers check them (design, invariant 11). */
  all(): unknown[]
  /** Adds a comparison, or changes the one with its id; `list` null: without a list. Fails with `input` where there are too many. */
  save(comparison: KeptComparison, list: Uint8Array | null): void
  remove(id: string): void
  /** Returns the list of a comparison; null: it has none. */
  list(id: string): Uint8Array | null
}

export function comparisonsIn(db: DatabaseSync): Comparisons {
  const all = db.prepare('SELECT text FROM comparison ORDER BY number')
  const count = db.prepare('SELECT count(*) AS count FROM comparison WHERE id <> ?')
  const put = db.prepare(`INSERT INTO comparison (id, text, list) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET text = excluded.text, list = excluded.list`)
  const remove = db.prepare('DELETE FROM comparison WHERE id = ?')
  const list = db.prepare('SELECT list FROM comparison WHERE id = ?')
  return {
    all: () => all.all().map(({ text }) => fromJson(text)),
    save: (comparison, text) =>
      inTransaction(db, () => {
        if (Number(count.get(comparison.id)?.['count']) >= maxComparisons)
          throw new FaultError('input', `At most ${maxComparisons} comparisons are kept. Remove one first.`)
        put.run(comparison.id, toJson(comparison), text)
      }),
    remove: (id) => void remove.run(id),
    list(id) {
      const stored = list.get(id)?.['list']
      return stored instanceof Uint8Array ? stored : null
    },
  }
}

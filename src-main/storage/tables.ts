import type { DatabaseSync } from 'node:sqlite'

/** The row count of a table; `more`: it has more than were counted. */
export interface TableRows {
  name: string
  rows: number
  more: boolean
}

/** Rows are counted one by one: that number takes some ms. */
const maxCounted = 200_000

/** The tables of a database with their row counts, in the order of their creation. */
export function tablesIn(db: DatabaseSync, limit = maxCounted): TableRows[] {
  const names = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    .all()
  return names.map(({ name }) => {
    const counted = Number(
      db.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM "${String(name)}" LIMIT ${limit + 1})`).get()?.['n'] ?? 0,
    )
    return { name: String(name), rows: Math.min(counted, limit), more: counted > limit }
  })
}

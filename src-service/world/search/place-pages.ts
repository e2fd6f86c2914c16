import type { Row, Store } from '../store/store.ts'

export type PlaceSearch = {
  pageSize: number
  /** Where the page before ended; null for the first page. */
  after: number | null
  /** Only places of these ids; null: all. */
  ids: readonly string[] | null
}

/** `last`: where the page ended; null for an empty one. `total` counts all pages, now. */
export type PlacePage<T> = { places: T[]; last: number | null; more: boolean; total: () => number }

type Of = { table: 'sites' | 'rooms'; column: 'accountId' | 'siteId'; value: string }

/** One page of what stands in a place, in the order in which it was made: what comes and goes shifts nothing. */
export function pageOf<T>(
  store: Store,
  { table, column, value }: Of,
  { pageSize, after, ids }: PlaceSearch,
  toPlace: (row: Row) => T,
): PlacePage<T> {
  const only = ids === null ? '' : 'AND id IN (SELECT value FROM json_each(?))'
  const values = [value, ...(ids === null ? [] : [JSON.stringify(ids)])]
  const rows = store.all(
    `SELECT rowid AS n, * FROM ${table} WHERE ${column} = ? ${only} AND rowid > ? ORDER BY rowid LIMIT ?`,
    ...values,
    after ?? -1,
    pageSize + 1,
  )
  const page = rows.slice(0, pageSize)
  return {
    places: page.map(toPlace),
    last: page.length === 0 ? null : Number(page.at(-1)?.['n']),
    more: rows.length > page.length,
    total: () =>
      Number(store.get(`SELECT count(*) AS total FROM ${table} WHERE ${column} = ? ${only}`, ...values)?.['total']),
  }
}

import type { Row, Store } from '../store/store.ts'

export type PlaceSearch = {
  pageSize: number
  /** The end of the previous page; null for the first page. */
  after: number | null
  /** Only places with these ids; null: all. */
  ids: readonly string[] | null
}

/** `last`: the end of the page; null for an empty one. `total` counts all pages now. */
export type PlacePage<T> = { places: T[]; last: number | null; more: boolean; total: () => number }

type Of = { table: 'sites' | 'rooms'; column: 'accountId' | 'siteId'; value: string }

/** Returns one page of the places in a parent, in order of creation, so that added and removed ones shift nothing. */
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

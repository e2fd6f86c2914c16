import { all, among, following } from './search.ts'
import type { Order, Reach, Sql } from './search.ts'
import type { Row, Store } from '../store/store.ts'

/** A search among all sites, or all rooms, of a tenant. */
export type TenantPlaces = {
  tenantId: string
  /** The part of the world that the caller sees; null: everything. */
  reach: Reach | null
  /** Only places of this name; null: all. */
  name: string | null
  /** The direction of the order by name; null: in order of creation. */
  byName: 'ASC' | 'DESC' | null
  limit: number
  /** The end of the previous page; null for the first page. */
  after: readonly string[] | null
}

export type TenantPlacesPage<T> = { places: T[]; last: string[]; more: boolean; total: () => number }

const froms = {
  sites: 'sites p JOIN sites s ON s.id = p.id',
  rooms: 'rooms p JOIN sites s ON s.id = p.siteId',
}

/** Returns one page of the places of a tenant; added and removed ones shift nothing. */
export function tenantPlaces<T>(
  store: Store,
  table: keyof typeof froms,
  search: TenantPlaces,
  toPlace: (row: Row) => T,
): TenantPlacesPage<T> {
  const from = froms[table]
  const order: Order[] = [
    ...(search.byName ? [{ column: 'p.name', direction: search.byName }] : []),
    { column: 'p.rowid', direction: 'ASC' },
  ]
  const wanted = wantedOf(search)
  const { text, values } = all([wanted, search.after ? following(order, search.after) : null])
  const sorted = order.map(({ column, direction }) => `${column} ${direction}`).join(', ')
  const rows = store.all(
    `SELECT p.*, ${order.map(({ column }, n) => `${column} AS key${n}`).join(', ')} FROM ${from} WHERE ${text} ORDER BY ${sorted} LIMIT ?`,
    ...values,
    search.limit + 1,
  )
  const page = rows.slice(0, search.limit)
  const last = page.at(-1)
  return {
    places: page.map(toPlace),
    last: last ? order.map((_, n) => String(last[`key${n}`])) : [],
    more: rows.length > page.length,
    total: () =>
      Number(store.get(`SELECT count(*) AS total FROM ${from} WHERE ${wanted.text}`, ...wanted.values)?.['total']),
  }
}

function wantedOf({ tenantId, reach, name }: TenantPlaces): Sql {
  return all([
    among('s.tenantId', [tenantId]),
    among('s.accountId', reach?.accounts),
    among('s.id', reach?.sites),
    name === null ? null : among('p.name', [name]),
  ])
}

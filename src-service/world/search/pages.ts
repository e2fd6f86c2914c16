import { deviceColumns, deviceFrom, toDevice } from '../device.ts'
import type { Device } from '../device.ts'
import { all, condition, following, orderOf, scope, sortsByDate } from './search.ts'
import type { Key, Order, Search, SearchScope, Sql } from './search.ts'
import type { Row, Store } from '../store/store.ts'
import type { Sliced } from './scheduler.ts'

export type Found = { devices: Device[]; last: Key[]; more: boolean }

/**
 * Returns one page, in the order of `sort` and then of the id. Keyset paging: a page starts after the last device of
 * the previous page, so that added and removed devices shift nothing. Dates are sorted as they were at the first page.
 * Throws a `SearchError` for an invalid search (`checkSearch`).
 */
export function* findPage(store: Store, search: Search, now: () => number): Sliced<Found> {
  const at = now()
  const moment = search.after && sortsByDate(search) ? Number(search.after.at(-1)) : at
  const pageQuery: PageQuery = { ...search, moment, order: orderOf(search.sort, moment) }
  return toFound(yield* rowsOf(store, pageQuery), pageQuery, at)
}

/** A search with its order; dates in filter and order are those of the moment, milliseconds since 1970. */
type PageQuery = Search & { moment: number; order: readonly Order[] }

function* rowsOf(store: Store, pageQuery: PageQuery): Sliced<Row[]> {
  const { order, pageSize, roomId, after } = pageQuery
  const scans = needsScan(pageQuery)
  if (!roomId && (order.length > 1 || (order[0]?.direction === 'DESC' && scans)))
    return yield* inAnyOrder(store, pageQuery)
  if (scans) return yield* inOrderOfId(store, pageQuery, after ? String(after[0]) : '')
  return pageRows(store, pageQuery, null, pageSize + 1)
}

/** Returns the present number of devices on all pages of a search. */
export function* countAll(store: Store, search: SearchScope, now: () => number): Sliced<number> {
  const wanted = all([scope(search), condition(search.filter, now())])
  if (search.roomId) return countWhere(store, deviceFrom, wanted)
  if (search.filter === null && !isLimitedToPlaces(search.reach)) return countWhere(store, 'FROM devices d', wanted)
  let total = 0
  yield* throughRows(store, (range) => {
    total += countWhere(store, search.filter ? scanFrom : 'FROM devices d NOT INDEXED', all([wanted, range]))
  })
  return total
}

/**
 * Returns whether devices must be scanned, because no index has them in the order of their ids; a room has few enough
 * without.
 */
function needsScan({ tenantId, roomId, filter, reach, regions }: SearchScope): boolean {
  if (roomId) return false
  return (
    filter !== null || isLimitedToPlaces(reach) || (tenantId === null && (Boolean(regions) || Boolean(reach?.tenants)))
  )
}

function isLimitedToPlaces(reach: SearchScope['reach']): boolean {
  return Boolean(reach?.sites ?? reach?.accounts)
}

function countWhere(store: Store, from: string, { text, values }: Sql): number {
  return Number(store.get(`SELECT count(*) AS total ${from} WHERE ${text}`, ...values)?.['total'])
}

/** Reads in the order of ids and ends as soon as the page is full. */
function* inOrderOfId(store: Store, search: PageQuery, after: string): Sliced<Row[]> {
  const rows: Row[] = []
  yield* throughIds(store, search, after, (range) => {
    for (const row of pageRows(store, search, range, search.pageSize + 1 - rows.length)) rows.push(row)
    return rows.length > search.pageSize
  })
  return rows
}

/** Merges each slice with the best of the previous ones; only the devices of the final page are read completely. */
function* inAnyOrder(store: Store, search: PageQuery): Sliced<Row[]> {
  let best: string[] = []
  const { order } = search
  const wanted = wantedOf(search)
  const select = `SELECT d.id AS id, ${keysOf(order)}`
  const sorted = order.map(({ direction }, index) => `key${index} ${direction}`).join(', ')
  yield* throughRows(store, (range) => {
    const here = all([wanted, range])
    const sql = `${select} ${scanFrom} WHERE ${here.text} UNION ALL ${select} ${deviceFrom} WHERE d.id IN (SELECT value FROM json_each(?)) ORDER BY ${sorted} LIMIT ?`
    best = store.all(sql, ...here.values, JSON.stringify(best), search.pageSize + 1).map(({ id }) => String(id))
  })
  const rows = store.all(`${selectOf(order)} WHERE d.id IN (SELECT value FROM json_each(?))`, JSON.stringify(best))
  const byId = new Map(rows.map((row) => [String(row['id']), row]))
  return best.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** Scans rows in storage order: much faster than by an index, where most rows are read anyway. */
const scanFrom = deviceFrom.replace('devices d', 'devices d NOT INDEXED')

/** Target time of one slice, ms, and the devices of the smallest, the first and the largest one. */
const SLICE = 10
const [LEAST, FIRST, MOST] = [20, 500, 20_000]

/** Visits all devices, in ranges that each take about the time of a slice. */
function* throughRows(store: Store, look: (range: Sql) => void): Sliced<void> {
  const end = Number(store.get('SELECT max(n) AS last FROM devices')?.['last'] ?? 0)
  for (let [size, from] = [FIRST, 0]; from < end;) {
    const began = performance.now()
    look({ text: '(d.n > ? AND d.n <= ?)', values: [from, from + size] })
    from += size
    size = nextSize(size, performance.now() - began)
    yield
  }
}

/** Visits ids after `after`, in their order, until `look` returns true. */
function* throughIds(
  store: Store,
  { tenantId }: SearchScope,
  after: string,
  look: (range: Sql) => boolean,
): Sliced<void> {
  const [scoped, values] = tenantId === null ? ['', []] : ['tenantId = ? AND', [tenantId]]
  for (let [size, from] = [FIRST, after]; ;) {
    const began = performance.now()
    const last = store.get(
      `SELECT id FROM devices WHERE ${scoped} id > ? ORDER BY id LIMIT 1 OFFSET ?`,
      ...values,
      from,
      size - 1,
    )
    const to = last === undefined ? null : String(last['id'])
    const enough = look(
      to === null ? { text: 'd.id > ?', values: [from] } : { text: '(d.id > ? AND d.id <= ?)', values: [from, to] },
    )
    if (enough || to === null) return
    from = to
    size = nextSize(size, performance.now() - began)
    yield
  }
}

function nextSize(size: number, took: number): number {
  const factor = Math.min(4, Math.max(0.1, SLICE / Math.max(took, 0.1)))
  return Math.round(Math.min(MOST, Math.max(LEAST, size * factor)))
}

function pageRows(store: Store, search: PageQuery, range: Sql | null, limit: number): Row[] {
  const { order } = search
  const where = all([wantedOf(search), range])
  const sorted = order.map(({ column, direction }) => `${column} ${direction}`).join(', ')
  return store.all(`${selectOf(order)} WHERE ${where.text} ORDER BY ${sorted} LIMIT ?`, ...where.values, limit)
}

function wantedOf(search: PageQuery): Sql {
  const { filter, moment, order, after } = search
  return all([scope(search), condition(filter, moment), after ? following(order, after) : null])
}

function toFound(rows: readonly Row[], { pageSize, order, sort, moment }: PageQuery, now: number): Found {
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    devices: page.map((row) => toDevice(row, now)),
    last: last
      ? [...order.map((_, index) => String(last[`key${index}`])), ...(sortsByDate({ sort }) ? [String(moment)] : [])]
      : [],
    more: rows.length > page.length,
  }
}

function selectOf(order: readonly Order[]): string {
  return `SELECT ${keysOf(order)}, ${deviceColumns} ${deviceFrom}`
}

function keysOf(order: readonly Order[]): string {
  return order.map(({ column }, index) => `${column} AS key${index}`).join(', ')
}

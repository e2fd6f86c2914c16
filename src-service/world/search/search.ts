import { createHash } from 'node:crypto'
import { columnAt, isDate } from './columns.ts'

/** One node of a filter (spec section 2, twin section 6): a leaf (`field` with one test) or a group. */
export type Filter = {
  field?: string | null | undefined
  contains?: string | null | undefined
  eq?: string | null | undefined
  exists?: boolean | null | undefined
  AND?: readonly Filter[] | null | undefined
  OR?: readonly Filter[] | null | undefined
  NOT?: readonly Filter[] | null | undefined
}
export type SortField = { name: string; direction?: 'ASC' | 'DESC' | null | undefined }
export type Key = string | number

/** The part of the world that a caller sees: of these tenants, these accounts and these sites. Null: all of them. */
export type Reach = {
  tenants: readonly string[] | null
  accounts: readonly string[] | null
  sites: readonly string[] | null
}

/** Returns whether a site of a tenant, or a device without a site, lies in that part. */
export function reaches(
  reach: Reach | null,
  { tenantId, site }: { tenantId: string; site: { id: string; accountId: string } | null },
): boolean {
  if (reach === null) return true
  const { tenants, accounts, sites } = reach
  if (tenants && !tenants.includes(tenantId)) return false
  if (site === null) return accounts === null && sites === null
  return (accounts?.includes(site.accountId) ?? true) && (sites?.includes(site.id) ?? true)
}

export type Search = {
  /** Null: all tenants. */
  tenantId: string | null
  /** Only the devices of this room of the tenant; left out or null: all. */
  roomId?: string | null
  /** The part that the caller sees; left out or null: everything. */
  reach?: Reach | null
  /** Only these regions; left out or null: all. */
  regions?: readonly string[] | null
  filter: Filter | null
  sort: readonly SortField[]
  pageSize: number
  /**
   * The sort values of the previous page's last device, and the moment of the first page where a date is among them;
   * null for the first page.
   */
  after: readonly Key[] | null
}

/** The filter part of a search, without order and page. */
export type SearchScope = Pick<Search, 'tenantId' | 'roomId' | 'reach' | 'regions' | 'filter'>

/** The error of an invalid search: an unknown field in a filter or sort, or a token of another search. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
}

/** Those that are fields of the specification's device (section 2). */
const specFields: ReadonlySet<string> = new Set([
  'id',
  'name',
  'hardwareModel',
  'connected',
  'lastDetected',
  'lastConfigRequestDate',
  'site',
  'room',
])

const MAX_FILTER_NODES = 100
/** Longest text of a filter, characters; more than any field has, and less than the database accepts. */
const MAX_TEXT = 1000

/** A part of a statement, and the values of its parameters. */
export type Sql = { text: string; values: (string | number)[] }

/** Throws a `SearchError` for an invalid search. */
export function checkSearch(search: Search): void {
  const keys = orderOf(search.sort, 0).length + (sortsByDate(search) ? 1 : 0)
  if (search.after && search.after.length !== keys) throw new SearchError('nextToken belongs to another search')
  condition(search.filter, 0)
}

/** Returns whether the order depends on the moment of the search. */
export function sortsByDate({ sort }: Pick<Search, 'sort'>): boolean {
  return sort.some(({ name }) => isDate(name))
}

/** Returns the identity of a search for paging: everything but the page's size and position. */
export function searchKey(search: Search): string {
  const parts = JSON.stringify([search.tenantId, search.filter, search.sort, ...(search.roomId ? [search.roomId] : [])])
  return createHash('sha256').update(parts).digest('base64url').slice(0, 16)
}

/** Returns whether a search filters and sorts only by fields of the specification. */
export function usesSpecFieldsOnly({ filter, sort }: Pick<Search, 'filter' | 'sort'>): boolean {
  return (
    sort.every(({ name }) => specFields.has(name)) &&
    (filter === null || fieldsIn(filter).every((field) => specFields.has(field)))
  )
}

function fieldsIn({ field, AND, OR, NOT }: Filter): string[] {
  return [...(field ? [field] : []), ...[AND, OR, NOT].flatMap((parts) => parts ?? []).flatMap(fieldsIn)]
}

/** Returns the condition before any filter: tenant, reach and regions; null: none. The devices are `d`. */
export function scope({ tenantId, roomId, reach, regions }: Omit<SearchScope, 'filter'>): Sql | null {
  const parts = [
    roomId ? among('d.roomId', [roomId]) : null,
    // The plus keeps the database from going through the tenant: a room has few devices.
    tenantId === null ? null : among(roomId ? '+d.tenantId' : 'd.tenantId', [tenantId]),
    among('d.tenantId', reach?.tenants),
    inAccounts(reach?.accounts),
    among('d.siteId', reach?.sites),
    kept(regions),
  ]
  return parts.every((part) => part === null) ? null : all(parts)
}

/** Returns a condition with the list as one value, so that its length does not change the statement. */
export function among(column: string, values: readonly string[] | null | undefined): Sql | null {
  if (!values) return null
  return values.length === 1
    ? { text: `${column} = ?`, values: [...values] }
    : { text: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }
}

/**
 * Returns a condition. The plus keeps the database from fetching all devices of these sites first: the page needs few
 * of them.
 */
function inAccounts(accounts: readonly string[] | null | undefined): Sql | null {
  const sites = among('accountId', accounts)
  return sites && { text: `+d.siteId IN (SELECT id FROM sites WHERE ${sites.text})`, values: sites.values }
}

function kept(regions: readonly string[] | null | undefined): Sql | null {
  return regions
    ? {
        text: 'd.tenantId IN (SELECT id FROM tenants WHERE region IN (SELECT value FROM json_each(?)))',
        values: [JSON.stringify(regions)],
      }
    : null
}

export type Order = { column: string; direction: 'ASC' | 'DESC' }

/** Returns the order at that moment: each column once, at its first mention; then the unique id. */
export function orderOf(sort: readonly SortField[], moment: number): Order[] {
  const orders = sort.filter(({ name }) => name !== 'id').map((field) => toOrder(field, moment))
  return [
    ...orders.filter(({ column }, index) => orders.findIndex((one) => one.column === column) === index),
    idOrder(sort),
  ]
}

function toOrder(field: SortField, moment: number): Order {
  return { column: columnOf(field.name, moment), direction: field.direction ?? 'ASC' }
}

function idOrder(sort: readonly SortField[]): Order {
  return { column: 'd.id', direction: sort.find(({ name }) => name === 'id')?.direction ?? 'ASC' }
}

/**
 * Returns the condition "after these keys": later in the first column, or equal there and later in the second, and so
 * on.
 */
export function following(order: readonly Order[], after: readonly Key[]): Sql {
  const steps = order.map(({ column, direction }, index): Sql => {
    const level = order.slice(0, index).map((earlier) => `${earlier.column} = ?`)
    return {
      text: `(${[...level, `${column} ${direction === 'ASC' ? '>' : '<'} ?`].join(' AND ')})`,
      values: after.slice(0, index + 1),
    }
  })
  return joined(steps, ' OR ')
}

/**
 * Returns a filter as a condition on devices `d`, sites `s` and rooms `r` at that moment; null for none. Throws a
 * `SearchError` for an invalid one.
 */
export function condition(filter: Filter | null, moment: number): Sql | null {
  return filter && node(filter, { left: MAX_FILTER_NODES, moment })
}

function node(filter: Filter, budget: { left: number; moment: number }): Sql {
  budget.left -= 1
  if (budget.left < 0) throw new SearchError(`A filter may have at most ${MAX_FILTER_NODES} nodes`)
  const parts: Sql[] = leaf(filter, budget.moment)
  if (filter.AND?.length)
    parts.push(
      joined(
        filter.AND.map((part) => node(part, budget)),
        ' AND ',
      ),
    )
  if (filter.OR?.length)
    parts.push(
      joined(
        filter.OR.map((part) => node(part, budget)),
        ' OR ',
      ),
    )
  if (filter.NOT?.length)
    parts.push(
      negated(
        joined(
          filter.NOT.map((part) => node(part, budget)),
          ' OR ',
        ),
      ),
    )
  return all(parts)
}

/**
 * Returns the conditions of a leaf. `contains` ignores case in A-Z only; an empty `contains` or `eq` is no condition
 * (twin section 6).
 */
function leaf({ field, contains, eq, exists }: Filter, moment: number): Sql[] {
  if (!field) {
    if (contains || eq || typeof exists === 'boolean') throw new SearchError('A filter with a test needs a field')
    return []
  }
  const column = columnOf(field, moment)
  const parts: Sql[] = []
  if (Math.max(contains?.length ?? 0, eq?.length ?? 0) > MAX_TEXT)
    throw new SearchError(`A filter looks for at most ${MAX_TEXT} characters`)
  if (hasControls(contains ?? '') || hasControls(eq ?? ''))
    throw new SearchError('A filter looks for no control characters')
  // The id has the same digits without separators.
  if (contains && field === 'macAddress') parts.push(like('d.id', contains.replaceAll(':', '')))
  if (contains) parts.push(like(column, contains))
  if (eq) parts.push({ text: `${column} = ?`, values: [eq] })
  if (typeof exists === 'boolean') parts.push({ text: `${column} ${exists ? '<>' : '='} ''`, values: [] })
  return parts
}

/** Returns whether a text has control characters: no name has them, and the database reads only up to a NUL. */
export function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

function like(column: string, text: string): Sql {
  return { text: `${column} LIKE ? ESCAPE '\\'`, values: [`%${text.replace(/[\\%_]/g, '\\$&')}%`] }
}

function columnOf(field: string, moment: number): string {
  const column = columnAt(field, moment)
  if (!column) throw new SearchError(`Cannot filter or sort by "${field}"`)
  return column
}

/** Joins parts by AND; true where there is none. */
export function all(parts: readonly (Sql | null)[]): Sql {
  const real = parts.filter((part) => part !== null)
  return real.length === 0 ? { text: 'true', values: [] } : joined(real, ' AND ')
}

function joined(parts: readonly Sql[], by: ' AND ' | ' OR '): Sql {
  return { text: `(${parts.map(({ text }) => text).join(by)})`, values: parts.flatMap(({ values }) => values) }
}

function negated({ text, values }: Sql): Sql {
  return { text: `NOT ${text}`, values }
}

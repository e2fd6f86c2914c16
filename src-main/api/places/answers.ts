import { cutName, isId } from '../../../src-shared/model/bounds.ts'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { own } from '../../../src-shared/lib/own.ts'
import { maxPageToken } from '../bounds.ts'
import type { ServiceError } from '../classify.ts'
import type { PlaceList } from './lists.ts'

/** A place as an answer told it. Null: the service did not say. */
export interface PlaceNode {
  id: string
  name: string
  capacity: number | null
  size: string | null
  floor: string | null
  /** The account of a site, the site of a room. */
  above: NamedRef | null
  /** The list below it; null where there is none, or where it failed. */
  below: ListPage | null
}

/** One page of a list of places. */
export interface ListPage {
  places: PlaceNode[]
  /** Number of places that could not be read, or of which a part failed. */
  unread: number
  /** The token of the next page; null at the end. */
  next: string | null
  /** True when the service says that there are more, and gives no token that can be sent. */
  isCut: boolean
  total: number | null
}

/** The places of an answer at which something failed, by `pathKey`. */
export type FailedPaths = ReadonlySet<string>

type Path = readonly (string | number)[]
type Wire = Readonly<Record<string, unknown>>

const pathKey = (path: Path): string => JSON.stringify(path)

export const failedPaths = (errors: readonly ServiceError[]): FailedPaths =>
  new Set(errors.flatMap(({ path }) => (path === null ? [] : pathKey(path))))

const isWire = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a list of places within an answer. Null where it is missing: the service failed to report it, and it is not
 * empty. `path`: where the list stands, as in the errors' paths.
 */
export function readList(list: PlaceList, value: unknown, path: Path, failed: FailedPaths): ListPage | null {
  const items = list.form === 'list' ? value : isWire(value) ? own(value, 'edges') : null
  if (!Array.isArray(items) || failed.has(pathKey(path))) return null
  const inEdges = list.form === 'list' ? path : [...path, 'edges']
  if (failed.has(pathKey(inEdges))) return null
  const places = items.flatMap((item: unknown, index) => {
    const at = list.form === 'list' ? [...inEdges, index] : [...inEdges, index, 'node']
    const place = readPlace(list, list.form === 'list' ? item : isWire(item) ? own(item, 'node') : null, at, failed)
    return place === null ? [] : [place]
  })
  return { places, unread: items.length - places.length, ...pagingOf(list, value, items.length === 0) }
}

function readPlace(list: PlaceList, value: unknown, path: Path, failed: FailedPaths): PlaceNode | null {
  if (!isWire(value) || failed.has(pathKey(path))) return null
  const id = idOf(own(value, 'id'))
  const asked = [...list.members, ...(list.above === null ? [] : [list.above.field])]
  const isFailed = asked.some((name) => own(value, name) === undefined || failed.has(pathKey([...path, name])))
  const above = list.above === null ? null : readAbove(own(value, list.above.field))
  // Cut short, an id could equal another one.
  if (id === null || isFailed || above === undefined) return null
  const { below } = list
  return {
    id,
    name: textOf(own(value, 'name')) ?? id,
    capacity: countOf(own(value, 'capacity')),
    size: textOf(own(value, 'size')),
    floor: textOf(own(value, 'floor')),
    above,
    below: below === null ? null : readList(below, own(value, below.field), [...path, below.field], failed),
  }
}

/** Returns the place above; null: there is none. Undefined: it cannot be read. */
function readAbove(value: unknown): NamedRef | null | undefined {
  if (value === null) return null
  const id = isWire(value) ? idOf(own(value, 'id')) : null
  return isWire(value) && id !== null ? { id, name: textOf(own(value, 'name')) ?? id } : undefined
}

function idOf(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : value
  return typeof id === 'string' && isId(id) ? id : null
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? cutName(value) : null
}

/** Returns a whole number from 0, also where it comes as text. */
function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** Reads the end of a page: "until hasNextPage is false and/or nextToken is null" (service-spec.md, section 4). */
function pagingOf(
  { form, params }: PlaceList,
  value: unknown,
  isEmpty: boolean,
): Pick<ListPage, 'next' | 'isCut' | 'total'> {
  if (form === 'list' || !isWire(value)) return { next: null, isCut: false, total: null }
  const pageInfo = own(value, 'pageInfo')
  const info: Wire = isWire(pageInfo) ? pageInfo : {}
  const total = countOf(own(info, 'totalCount')) ?? countOf(own(value, 'total'))
  const more = own(info, 'hasNextPage')
  const token = own(info, params?.token === 'cursor' ? 'endCursor' : 'nextToken')
  const text = typeof token === 'number' ? String(token) : token
  const isTold = typeof text === 'string' && text !== ''
  const isMore = more === true || more === 'true'
  const isLast = more === false || more === 'false' || ((!isTold || isEmpty) && !isMore)
  const isUsable = isTold && text.length <= maxPageToken && params?.token != null
  return {
    next: isLast || !isUsable ? null : text,
    // Asked for, and not there: it is unknown whether this was the last page.
    isCut: (!isLast && !isUsable) || pageInfo === null,
    total,
  }
}

import { GraphQLError } from 'graphql'
import type { Found } from '../../../world/search/pages.ts'
import type { Search } from '../../../world/search/search.ts'
import type { Contrary } from '../contrary.ts'

const PLAIN = 10

/** Returns the default page size. */
export function defaultPageSize({ is }: Contrary): number {
  return Math.min(PLAIN, is.maxPageSize)
}

/** Throws, with the profile's words or none, for a page that exceeds the limit. The first ones may exceed it. */
export function rejectLargePage(contrary: Contrary, pageSize: number): void {
  const { maxPageSize, pageRefusalStatus, pageRefusalCode, pageRefusalWords } = contrary.is
  if (pageSize <= maxPageSize || contrary.take('maxPageSizeFrom')) return
  const messages = {
    between: `pageSize must be between 1 and ${maxPageSize}`,
    'at-most': `${pageSize} results were asked for, a page has at most ${maxPageSize}`,
    none: 'Bad request',
  }
  throw refusal(messages[pageRefusalWords], pageRefusalCode, pageRefusalStatus)
}

/** Returns the rejection with its code, if any; under a status other than 200 the operation has no data. */
function refusal(message: string, code: string, status: number): GraphQLError {
  return new GraphQLError(message, {
    extensions: { ...(code === '' ? {} : { code }), ...(status === 200 ? {} : { http: { spec: false, status } }) },
  })
}

/** Returns the edges of a page in the reported order. */
export function inReportedOrder<T>({ is }: Contrary, items: readonly T[]): readonly T[] {
  return is.pageOrder === 'turned' ? items.toReversed() : items
}

/**
 * Returns a page in which, at random, the first device is replaced by one of an earlier page: as if the order had
 * changed between the two, so that one device occurs twice and the other never.
 */
export async function withChangedOrder(
  contrary: Contrary,
  found: Found,
  { after }: Search,
  first: () => Promise<Found>,
): Promise<Found> {
  if (after === null || !contrary.chance(contrary.is.orderChanges)) return found
  const [earlier] = (await first()).devices
  return earlier === undefined ? found : { ...found, devices: [earlier, ...found.devices.slice(1)] }
}

/** Returns an edge of the page; at random null, or without its node. */
export function edgeOf<T>(contrary: Contrary, node: T): { node: T | null } | null {
  if (!contrary.chance(contrary.is.nullEdges)) return { node }
  return contrary.chance(0.5) ? null : { node: null }
}

/**
 * Returns the keys after which the next page begins: before the end of this one where pages overlap, and at its end
 * where a token remains on the last page. Null for no token.
 */
export function nextAfter(
  { is }: Contrary,
  { devices, last, more }: Found,
  { sort, after }: Search,
): Found['last'] | null {
  if (is.tokenRepeats && after !== null) return [...after]
  // Without hasNextPage a remaining token would be followed forever.
  if (!more) return is.lastPage === 'token-remains' && is.pageInfo !== 'token-only' && devices.length > 0 ? last : null
  const from = devices.at(-1 - Math.min(is.pageOverlap, devices.length - 1))
  return is.pageOverlap > 0 && sort.length === 0 && from !== undefined ? [from.id] : last
}

import { GraphQLError } from 'graphql'
import type { Found } from '../../world/search/pages.ts'
import type { Search } from '../../world/search/search.ts'
import type { Contrary } from '../contrary.ts'

const PLAIN = 10

/** The size of a page for which none is asked. */
export function plainPageSize({ is }: Contrary): number {
  return Math.min(PLAIN, is.maxPageSize)
}

/** Throws, in the service's own words or none, for a page that is larger than it gives. Larger ones may be given at first. */
export function refuseLargePage(contrary: Contrary, pageSize: number): void {
  const { maxPageSize, pageRefusalStatus, pageRefusalCode, pageRefusalWords } = contrary.is
  if (pageSize <= maxPageSize || contrary.take('maxPageSizeFrom')) return
  const messages = {
    between: `pageSize must be between 1 and ${maxPageSize}`,
    'at-most': `${pageSize} results were asked for, a page has at most ${maxPageSize}`,
    none: 'Bad request',
  }
  throw refusal(messages[pageRefusalWords], pageRefusalCode, pageRefusalStatus)
}

/** With a code or without; under any other status than 200 nothing of the operation is answered. */
function refusal(message: string, code: string, status: number): GraphQLError {
  return new GraphQLError(message, {
    extensions: { ...(code === '' ? {} : { code }), ...(status === 200 ? {} : { http: { spec: false, status } }) },
  })
}

/** The edges of a page in the order in which they are told. */
export function turned<T>({ is }: Contrary, items: readonly T[]): readonly T[] {
  return is.pageOrder === 'turned' ? items.toReversed() : items
}

/** A page in which, by chance, the first device has given its place to one of an earlier page: the order has changed between the two, so that one comes twice and the other never. */
export async function inNewOrder(
  contrary: Contrary,
  found: Found,
  { after }: Search,
  first: () => Promise<Found>,
): Promise<Found> {
  if (after === null || !contrary.chance(contrary.is.orderChanges)) return found
  const [earlier] = (await first()).devices
  return earlier === undefined ? found : { ...found, devices: [earlier, ...found.devices.slice(1)] }
}

/** An edge of the page; now and then null, or without its node. */
export function edgeOf<T>(contrary: Contrary, node: T): { node: T | null } | null {
  if (!contrary.chance(contrary.is.nullEdges)) return { node }
  return contrary.chance(0.5) ? null : { node: null }
}

/** After which keys the next page begins: a little before the end of this one where pages overlap, and at its end where there is a token that leads nowhere. Null for no token. */
export function nextAfter(
  { is }: Contrary,
  { devices, last, more }: Found,
  { sort, after }: Search,
): Found['last'] | null {
  if (is.tokenRepeats && after !== null) return [...after]
  // Without hasNextPage a token that remains would be followed for ever.
  if (!more) return is.lastPage === 'token-remains' && is.pageInfo !== 'token-only' && devices.length > 0 ? last : null
  const from = devices.at(-1 - Math.min(is.pageOverlap, devices.length - 1))
  return is.pageOverlap > 0 && sort.length === 0 && from !== undefined ? [from.id] : last
}

import { GraphQLError, responsePathAsArray } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import { badInput, forbidden, may, reachOf, regionsOf } from '../../access/access.ts'
import type { GraphContext } from '../context.ts'
import { emptied } from '../../faults/contrary/fields/emptied.ts'
import {
  edgeOf,
  withChangedOrder,
  nextAfter,
  defaultPageSize,
  rejectLargePage,
  inReportedOrder,
} from '../../faults/contrary/paging/pages.ts'
import { pageSizeOf, asBadInput } from './page-input.ts'
import { regionUnavailable } from '../../faults/misfortune/regions.ts'
import type { AcrossData } from '../../faults/misfortune/regions.ts'
import type { Profile } from './type-definitions.ts'
import type { Found } from '../../world/search/pages.ts'
import { checkSearch, searchKey, usesSpecFieldsOnly } from '../../world/search/search.ts'
import type { Filter, Search, SortField } from '../../world/search/search.ts'
import { TooLongError } from '../../world/search/scheduler.ts'

/** The argument of `deviceSearch`. */
export type FindArgs = {
  params?: {
    filter?: Filter | null
    nextToken?: string | null
    pageSize?: number | null
    sort?: { fields?: readonly SortField[] | null } | null
  } | null
}

/**
 * Returns a page of a tenant's devices, in its own region. Throws `BAD_USER_INPUT`, `FORBIDDEN` and
 * `REGION_UNAVAILABLE`.
 */
export function searchTenant(
  context: GraphContext,
  profile: Profile,
  tenantId: string,
  { params }: FindArgs,
  info: GraphQLResolveInfo,
) {
  const search = searchFor(context, profile, { tenantId, roomId: null }, params)
  return context.planes
    .ofTenant(tenantId)
    .use((data) => connection(context, data, search, { error: null, info, isStart: !params?.nextToken }))
}

/** Returns a page of the devices in a room, as `searchTenant` does. */
export function searchRoom(
  context: GraphContext,
  { id, site: { tenantId } }: { id: string; site: { tenantId: string } },
  { params }: FindArgs,
  info: GraphQLResolveInfo,
) {
  const search = searchFor(context, 'full', { tenantId, roomId: id }, params)
  return context.planes
    .ofTenant(tenantId)
    .use((data) => connection(context, data, search, { error: null, info, isStart: !params?.nextToken }))
}

/**
 * Returns a page of the devices of all tenants that the caller sees; its `error` describes missing data. Throws as
 * `searchTenant` does.
 */
export function searchEverywhere(
  context: GraphContext,
  profile: Profile,
  { params }: FindArgs,
  info: GraphQLResolveInfo,
) {
  const search = searchFor(context, profile, { tenantId: null, roomId: null }, params)
  return acrossSeen(context, info, (data, missing) =>
    connection(context, data, search, { error: missing, info, isStart: !params?.nextToken }),
  )
}

/** Returns the number of devices that the caller sees, of one tenant or of all. Throws as `searchTenant` does. */
export function countDevices(context: GraphContext, data: AcrossData, tenantId: string | null): Promise<number> {
  return asTimeout(data.count({ tenantId, reach: reachOf(context), filter: null }, context.call))
}

/**
 * Works across the regions that the caller sees: data of an unavailable region is missing, with an error beside the
 * data. `missing`: its message; null where nothing is. Throws `REGION_UNAVAILABLE` where all are unavailable.
 */
export function acrossSeen<T>(
  context: GraphContext,
  info: GraphQLResolveInfo,
  work: (data: AcrossData, missing: string | null) => T,
): T | Promise<T> {
  const requested = regionsOf(context)
  return context.planes.across(requested, (data, missing) => {
    const errors = missing.map(regionUnavailable)
    if (errors[0] && missing.length === requested.length) throw errors[0]
    const place = { nodes: info.fieldNodes, path: responsePathAsArray(info.path) }
    const extraErrors = (context.call.extraErrors ??= [])
    for (const { message, extensions } of errors) extraErrors.push(new GraphQLError(message, { ...place, extensions }))
    return work(data, errors[0]?.message ?? null)
  })
}

type ConnectionOptions = {
  /** The connection's own error. */
  error: string | null
  info: GraphQLResolveInfo
  /** True without a token. */
  isStart: boolean
}

/** Returns a connection whose page is read once, when a field needs it. */
function connection(
  context: GraphContext,
  data: AcrossData,
  search: Search,
  { error, info, isStart }: ConnectionOptions,
) {
  const { pageTokens, call, contrary } = context
  const without = emptied(context, info)
  if (without !== null)
    return { ...without, edges: [], pageInfo: { totalCount: 0, countOnPage: 0, nextToken: null, hasNextPage: false } }
  let reading: Promise<Found> | undefined
  const totalCount = () => asTimeout(data.count(search, call))
  // The token of this position is that of the first page.
  if (isStart && contrary.is.firstPage === 'empty')
    return {
      error,
      edges: [],
      pageInfo: { totalCount, countOnPage: 0, nextToken: pageTokens.write(searchKey(search), []), hasNextPage: true },
    }
  const page = () => (reading ??= asTimeout(data.search(search, call)))
  const reported = async () =>
    withChangedOrder(contrary, await page(), search, () =>
      asTimeout(data.search({ ...search, after: null, pageSize: 1 }, call)),
    )
  return {
    error,
    edges: async () => inReportedOrder(contrary, (await reported()).devices).map((node) => edgeOf(contrary, node)),
    pageInfo: {
      totalCount,
      countOnPage: async () => (await page()).devices.length,
      nextToken: async () => nextOf(context, await page(), search),
      hasNextPage: async () => (await page()).more,
    },
  }
}

function nextOf({ contrary, pageTokens }: GraphContext, found: Found, search: Search): string | null {
  const after = nextAfter(contrary, found, search)
  return after === null ? null : pageTokens.write(searchKey(search), after)
}

async function asTimeout<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof TooLongError ? new GraphQLError(error.message, { extensions: { code: 'TIMEOUT' } }) : error
  }
}

type Within = { tenantId: string | null; roomId: string | null }

/** Returns the search, if the caller's role may run it. */
function searchFor(context: GraphContext, profile: Profile, within: Within, params: FindArgs['params']): Search {
  const { tenantId } = within
  const search = { ...asBadInput(() => toSearch(context, within, params)), reach: reachOf(context) }
  if (!usesSpecFieldsOnly(search) && profile === 'minimal')
    throw badInput('Only fields that the specification shows are filtered on')
  if (!usesSpecFieldsOnly(search) && !may(context, 'device:details'))
    throw forbidden('device:details', tenantId === null ? null : { id: tenantId, type: 'tenant' })
  return search
}

function toSearch({ contrary, pageTokens }: GraphContext, within: Within, params: FindArgs['params']): Search {
  const pageSize = typeof params?.pageSize === 'number' ? pageSizeOf(params) : defaultPageSize(contrary)
  rejectLargePage(contrary, pageSize)
  const search = { ...within, filter: params?.filter ?? null, sort: params?.sort?.fields ?? [], pageSize, after: null }
  const after = params?.nextToken ? pageTokens.read(searchKey(search), params.nextToken) : []
  const placed = after.length > 0 ? { ...search, after } : search
  checkSearch(placed)
  return placed
}

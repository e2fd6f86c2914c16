import { GraphQLError, responsePathAsArray } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import { badInput, forbidden, may, reachOf, regionsOf } from '../access/access.ts'
import type { GraphContext } from '../context.ts'
import { pageSizeOf, wordsToInput } from './page-input.ts'
import type { PageTokens } from './page-token.ts'
import { regionGone } from '../misfortune/regions.ts'
import type { AcrossData } from '../misfortune/regions.ts'
import type { Profile } from './schema.ts'
import type { Found } from '../world/pages.ts'
import { checkSearch, searchKey, shownOnly } from '../world/search.ts'
import type { Filter, Search, SortField } from '../world/search.ts'
import { TooLongError } from '../world/turns.ts'

/** The argument of `deviceSearch`. */
export type FindArgs = {
  params?: {
    filter?: Filter | null
    nextToken?: string | null
    pageSize?: number | null
    sort?: { fields?: readonly SortField[] | null } | null
  } | null
}

/** A page of the devices of that tenant, in its own region. Throws `BAD_USER_INPUT`, `FORBIDDEN` and `REGION_UNAVAILABLE`. */
export function searchTenant(context: GraphContext, profile: Profile, tenantId: string, { params }: FindArgs) {
  const search = searchFor(context, profile, tenantId, params)
  return context.planes.ofTenant(tenantId).use((data) => connection(context, data, search, null))
}

/** A page of the devices of all tenants that the caller sees; its `error` is that of the data that is missing. Throws as `searchTenant` does. */
export function searchEverywhere(context: GraphContext, profile: Profile, { params }: FindArgs, info: GraphQLResolveInfo) {
  const search = searchFor(context, profile, null, params)
  return acrossSeen(context, info, (data, missing) => connection(context, data, search, missing))
}

/** How many devices the caller sees, of one tenant or of all. Throws as `searchTenant` does. */
export function countIn(context: GraphContext, data: AcrossData, tenantId: string | null): Promise<number> {
  return inTime(data.count({ tenantId, reach: reachOf(context), filter: null }, context.call))
}

/**
 * Works across the regions that the caller sees: what is there of one that is gone is missing, and an error beside the data
 * says so. `missing`: its words; null where nothing is. Throws `REGION_UNAVAILABLE` where all of them are gone.
 */
export function acrossSeen<T>(context: GraphContext, info: GraphQLResolveInfo, work: (data: AcrossData, missing: string | null) => T): T | Promise<T> {
  const asked = regionsOf(context)
  return context.planes.across(asked, (data, missing) => {
    const errors = missing.map(regionGone)
    if (errors[0] && missing.length === asked.length) throw errors[0]
    const place = { nodes: info.fieldNodes, path: responsePathAsArray(info.path) }
    ;(context.call.beside ??= []).push(...errors.map(({ message, extensions }) => new GraphQLError(message, { ...place, extensions })))
    return work(data, errors[0]?.message ?? null)
  })
}

/** The page is read when some field needs it, and once for all of them. */
function connection({ pageTokens, call }: GraphContext, data: AcrossData, search: Search, error: string | null) {
  let reading: Promise<Found> | undefined
  const page = () => (reading ??= inTime(data.search(search, call)))
  return {
    error,
    edges: async () => (await page()).devices.map((node) => ({ node })),
    pageInfo: {
      totalCount: () => inTime(data.count(search, call)),
      countOnPage: async () => (await page()).devices.length,
      nextToken: async () => nextOf(await page(), pageTokens, search),
      hasNextPage: async () => (await page()).more,
    },
  }
}

function nextOf({ more, last }: Found, pageTokens: PageTokens, search: Search): string | null {
  return more ? pageTokens.write(searchKey(search), last) : null
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof TooLongError ? new GraphQLError(error.message, { extensions: { code: 'TIMEOUT' } }) : error
  }
}

/** What is asked for, if the caller's role may ask for it. */
function searchFor(context: GraphContext, profile: Profile, tenantId: string | null, params: FindArgs['params']): Search {
  const search = { ...wordsToInput(() => toSearch(tenantId, params, context.pageTokens)), reach: reachOf(context) }
  if (!shownOnly(search) && profile === 'minimal') throw badInput('Only fields that the specification shows are filtered on')
  if (!shownOnly(search) && !may(context, 'device:details')) throw forbidden('device:details', tenantId === null ? null : { id: tenantId, type: 'tenant' })
  return search
}

function toSearch(tenantId: string | null, params: FindArgs['params'], pageTokens: PageTokens): Search {
  const search = { tenantId, filter: params?.filter ?? null, sort: params?.sort?.fields ?? [], pageSize: pageSizeOf(params), after: null }
  const placed = params?.nextToken ? { ...search, after: pageTokens.read(searchKey(search), params.nextToken) } : search
  checkSearch(placed)
  return placed
}

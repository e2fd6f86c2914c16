import { GraphQLError, responsePathAsArray } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import { accountFields } from './accounts.ts'
import { badInput, forbidden, loggedIn, may, onDevice, reachOf, regionsOf, tenantOf, tenantsOf } from './access.ts'
import type { GraphContext } from './context.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './cost.ts'
import type { Charge } from './ledger.ts'
import { mutations } from './mutations.ts'
import type { PageTokens } from './page-token.ts'
import { regionGone } from './regions.ts'
import type { AcrossData } from './regions.ts'
import type { Profile } from './schema.ts'
import { deviceStream, peopleCountStream } from './subscriptions.ts'
import type { Found } from './world/pages.ts'
import { checkSearch, SearchError, searchKey, shownOnly } from './world/search.ts'
import type { Filter, Search, SortField } from './world/search.ts'
import { TooLongError } from './world/turns.ts'
import type { Tenant } from './world/world.ts'

type FindArgs = {
  params?: {
    filter?: Filter | null
    nextToken?: string | null
    pageSize?: number | null
    sort?: { fields?: readonly SortField[] | null } | null
  } | null
}

type InventorySource = { tenantId: string }

/** Resolvers for the fields that are more than a member of their object. */
export function resolvers(profile: Profile) {
  const common = {
    Query: {
      tenants: loggedIn((_source, _args: unknown, context) => tenantsOf(context).map(toTenant)),
      tenant: loggedIn((_source, { id }: { id: string }, context) => toTenant(tenantOf(context, id))),
      deviceSearch: loggedIn((_source, args: FindArgs, context, info) => searchEverywhere(context, args, info)),
      calculateQueryCost: (_source: unknown, _args: unknown, { call, ledger }: GraphContext) => queryCost(call.charge ?? { cost: 0, ...ledger.balance(null) }),
    },
    Inventory: {
      deviceSearch: ({ tenantId }: InventorySource, args: FindArgs, context: GraphContext) => searchTenant(context, tenantId, args),
    },
    Subscription: { deviceStream },
  }
  if (profile === 'minimal') return common
  return {
    ...common,
    ...accountFields,
    Query: {
      ...common.Query,
      device: loggedIn((_source, { id }: { id: string }, context) => onDevice(context, id, (device) => device)),
    },
    Mutation: { calculateQueryCost: common.Query.calculateQueryCost, ...mutations },
    Subscription: { deviceStream, peopleCountStream },
    Inventory: {
      ...common.Inventory,
      deviceCount: ({ tenantId }: InventorySource, _args: unknown, context: GraphContext) => context.planes.ofTenant(tenantId).use((data) => inTime(data.count({ tenantId, reach: reachOf(context), filter: null }, context.call))),
    },
  }
}

function toTenant({ id, name, region }: Tenant) {
  return { id, name, region: { id: region }, inventory: { tenantId: id } }
}

function searchTenant(context: GraphContext, tenantId: string, { params }: FindArgs) {
  const search = searchFor(context, tenantId, params)
  return context.planes.ofTenant(tenantId).use((data) => connection(context, data, search))
}

/** Across the regions that the caller sees: what is there of one that is gone is missing, and an error beside the data says so. */
function searchEverywhere(context: GraphContext, { params }: FindArgs, info: GraphQLResolveInfo) {
  const search = searchFor(context, null, params)
  const asked = regionsOf(context)
  return context.planes.across(asked, (data, missing) => {
    const errors = missing.map(regionGone)
    if (errors[0] && missing.length === asked.length) throw errors[0]
    const place = { nodes: info.fieldNodes, path: responsePathAsArray(info.path) }
    ;(context.call.beside ??= []).push(...errors.map(({ message, extensions }) => new GraphQLError(message, { ...place, extensions })))
    return connection(context, data, search)
  })
}

/** The page is read when some field needs it, and once for all of them. */
function connection({ pageTokens, call }: GraphContext, data: AcrossData, search: Search) {
  let reading: Promise<Found> | undefined
  const page = () => (reading ??= inTime(data.search(search, call)))
  return {
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
function searchFor(context: GraphContext, tenantId: string | null, params: FindArgs['params']): Search {
  const search = { ...wordsToInput(() => toSearch(tenantId, params, context.pageTokens)), reach: reachOf(context) }
  if (!shownOnly(search) && !may(context, 'device:details')) throw forbidden('device:details', tenantId === null ? null : { id: tenantId, type: 'tenant' })
  return search
}

function wordsToInput<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof SearchError ? badInput(error.message) : error
  }
}

function toSearch(tenantId: string | null, params: FindArgs['params'], pageTokens: PageTokens): Search {
  const pageSize = params?.pageSize ?? DEFAULT_PAGE_SIZE
  if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) throw badInput(`pageSize must be between 1 and ${MAX_PAGE_SIZE}`)
  const search = { tenantId, filter: params?.filter ?? null, sort: params?.sort?.fields ?? [], pageSize, after: null }
  const placed = params?.nextToken ? { ...search, after: pageTokens.read(searchKey(search), params.nextToken) } : search
  checkSearch(placed)
  return placed
}

/** Spec section 2. Without a valid token nothing is charged, and the balance is that of an untouched set. */
function queryCost({ cost, used, remaining, secondsToReset }: Omit<Charge, 'outcome'>) {
  return { queryCost: cost, costUsed: used, costRemaining: remaining, secondsToReset }
}

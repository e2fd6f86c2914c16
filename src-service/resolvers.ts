import { createHash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './cost.ts'
import type { Charge, Ledger } from './ledger.ts'
import type { PageTokens } from './page-token.ts'
import type { Profile } from './schema.ts'
import type { Hub } from './streams.ts'
import type { Session } from './tokens.ts'
import type { Device } from './world/device.ts'
import { reaches, SearchError, searchKey } from './world/search.ts'
import type { Filter, Reach, Search, SortField } from './world/search.ts'
import type { Tenant, World } from './world/world.ts'

/** What one request carries through the resolvers. */
export type GraphContext = {
  world: World
  pageTokens: PageTokens
  hub: Hub
  ledger: Ledger
  call: Call
}

/** Written while a request is answered: who asks, and what it cost. */
export type Call = {
  session: Session | null
  /** Null until the operation is about to run, and for good when nobody is logged in. */
  charge: Charge | null
}

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
      tenant: loggedIn((_source, { id }: { id: string }, context) => toTenant(found('tenant', id, tenantsOf(context).find((tenant) => tenant.id === id)))),
      deviceSearch: loggedIn((_source, args: FindArgs, context) => deviceSearch(context, null, args)),
      calculateQueryCost: (_source: unknown, _args: unknown, { call, ledger }: GraphContext) => queryCost(call.charge ?? { cost: 0, ...ledger.balance(null) }),
    },
    Inventory: {
      deviceSearch: ({ tenantId }: InventorySource, args: FindArgs, context: GraphContext) => deviceSearch(context, tenantId, args),
    },
    Subscription: {
      deviceStream: {
        subscribe: (_source: unknown, { deviceIds }: { deviceIds: string[] }, context: GraphContext) => context.hub.watch(deviceIds, (device) => reaches(reachOf(context), device)),
        resolve: toEvent,
      },
    },
  }
  if (profile === 'minimal') return common
  return {
    ...common,
    Query: {
      ...common.Query,
      device: loggedIn((_source, { id }: { id: string }, context) => found('device', id, deviceOf(context, id))),
    },
    Inventory: {
      ...common.Inventory,
      deviceCount: ({ tenantId }: InventorySource, _args: unknown, context: GraphContext) => context.world.count({ tenantId, reach: reachOf(context), filter: null }),
    },
  }
}

/** Twin section 4: validation comes first, then each protected field says that one must be logged in. */
function loggedIn<Args, Result>(resolve: (source: unknown, args: Args, context: GraphContext) => Result) {
  return (source: unknown, args: Args, context: GraphContext): Result => {
    if (context.call.session) return resolve(source, args, context)
    throw new GraphQLError('You must be logged in to run this query', { extensions: { code: 'UNAUTHENTICATED' } })
  }
}

/** A tenant or device out of reach is as if it were not there. */
function reachOf({ call }: GraphContext): Reach | null {
  return call.session?.set.reach ?? null
}

function tenantsOf(context: GraphContext): Tenant[] {
  const reach = reachOf(context)
  return context.world.tenants().filter(({ id }) => reach?.tenants?.includes(id) ?? true)
}

function deviceOf(context: GraphContext, id: string): Device | undefined {
  const device = context.world.device(id)
  return device && reaches(reachOf(context), device) ? device : undefined
}

function found<T>(type: string, id: string, thing: T | undefined): T {
  if (thing !== undefined) return thing
  throw new GraphQLError(`There is no ${type} ${JSON.stringify(id)}`, { extensions: { code: 'NOT_FOUND', resource: { id, type } } })
}

function toTenant({ id, name, region }: Tenant) {
  return { id, name, region: { id: region }, inventory: { tenantId: id } }
}

function deviceSearch(context: GraphContext, tenantId: string | null, { params }: FindArgs) {
  const { world, pageTokens } = context
  try {
    const search = { ...toSearch(tenantId, params, pageTokens), reach: reachOf(context) }
    const page = world.search(search)
    return {
      edges: page.devices.map((node) => ({ node })),
      pageInfo: {
        totalCount: () => world.count(search),
        countOnPage: page.devices.length,
        nextToken: page.more ? pageTokens.write(searchKey(search), page.last) : null,
        hasNextPage: page.more,
      },
    }
  } catch (error) {
    throw error instanceof SearchError ? badInput(error.message) : error
  }
}

function toSearch(tenantId: string | null, params: FindArgs['params'], pageTokens: PageTokens): Search {
  const pageSize = params?.pageSize ?? DEFAULT_PAGE_SIZE
  if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) throw badInput(`pageSize must be between 1 and ${MAX_PAGE_SIZE}`)
  const search = { tenantId, filter: params?.filter ?? null, sort: params?.sort?.fields ?? [], pageSize, after: null }
  return params?.nextToken ? { ...search, after: pageTokens.read(searchKey(search), params.nextToken) } : search
}

function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}

/** Spec section 2. Without a valid token nothing is charged, and the balance is that of an untouched set. */
function queryCost({ cost, used, remaining, secondsToReset }: Omit<Charge, 'outcome'>) {
  return { queryCost: cost, costUsed: used, costRemaining: remaining, secondsToReset }
}

/** The payload of `deviceStream` (twin section 12). */
function toEvent(device: Device) {
  return { ...device, modelId: modelId(device.hardwareModel), roomId: device.room?.id ?? null, siteId: device.site?.id ?? null }
}

/** A model has no id in this world; its name gives it a steady one in the form of a UUID. */
function modelId(model: string): string {
  const hex = createHash('sha256').update(model).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

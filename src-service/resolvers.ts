import { createHash } from 'node:crypto'
import { badInput, deviceOf, forbidden, loggedIn, may, reachOf, tenantOf, tenantsOf } from './access.ts'
import type { GraphContext } from './context.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './cost.ts'
import type { Charge } from './ledger.ts'
import { mutations } from './mutations.ts'
import type { PageTokens } from './page-token.ts'
import type { Profile } from './schema.ts'
import type { Device } from './world/device.ts'
import { reaches, SearchError, searchKey, shownOnly } from './world/search.ts'
import type { Filter, Search, SortField } from './world/search.ts'
import type { Room, Tenant } from './world/world.ts'

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
      deviceSearch: loggedIn((_source, args: FindArgs, context) => deviceSearch(context, null, args)),
      calculateQueryCost: (_source: unknown, _args: unknown, { call, ledger }: GraphContext) => queryCost(call.charge ?? { cost: 0, ...ledger.balance(null) }),
    },
    Inventory: {
      deviceSearch: ({ tenantId }: InventorySource, args: FindArgs, context: GraphContext) => deviceSearch(context, tenantId, args),
    },
    Subscription: {
      deviceStream: {
        subscribe: deviceStream,
        resolve: toEvent,
      },
    },
  }
  if (profile === 'minimal') return common
  return {
    ...common,
    Query: {
      ...common.Query,
      device: loggedIn((_source, { id }: { id: string }, context) => deviceOf(context, id)),
    },
    Mutation: { calculateQueryCost: common.Query.calculateQueryCost, ...mutations },
    Inventory: {
      ...common.Inventory,
      deviceCount: ({ tenantId }: InventorySource, _args: unknown, context: GraphContext) => context.world.count({ tenantId, reach: reachOf(context), filter: null }),
    },
    Room: {
      site: ({ id }: Pick<Room, 'id'>, _args: unknown, { world }: GraphContext) => world.site(world.room(id)?.siteId ?? '') ?? null,
    },
  }
}

/** Watches what the caller sees of these devices; whose role may not is told so, and a role that changes later hears nothing more. */
function deviceStream(_source: unknown, { deviceIds }: { deviceIds: string[] }, context: GraphContext) {
  if (!may(context, 'device:stream')) throw forbidden('device:stream', null)
  return context.hub.watch(deviceIds, (device) => may(context, 'device:stream') && reaches(reachOf(context), device))
}

function toTenant({ id, name, region }: Tenant) {
  return { id, name, region: { id: region }, inventory: { tenantId: id } }
}

function deviceSearch(context: GraphContext, tenantId: string | null, { params }: FindArgs) {
  const { world, pageTokens } = context
  try {
    const search = { ...toSearch(tenantId, params, pageTokens), reach: reachOf(context) }
    if (!shownOnly(search) && !may(context, 'device:details')) throw forbidden('device:details', tenantId === null ? null : { id: tenantId, type: 'tenant' })
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

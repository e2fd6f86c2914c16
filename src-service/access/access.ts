import { defaultFieldResolver, GraphQLError, isObjectType } from 'graphql'
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { GraphContext } from '../graphql/context.ts'
import type { PlaneData } from '../faults/misfortune/regions.ts'
import { mayWrite } from '../faults/contrary/fields/mutations.ts'
import { allows } from './roles.ts'
import type { Permission } from './roles.ts'
import { reaches } from '../world/search/search.ts'
import type { Reach } from '../world/search/search.ts'
import type { Device } from '../world/device.ts'
import type { Region } from '../world/store/rows.ts'
import type { Account, Site, Tenant } from '../world/store/rows.ts'

/** The value of `extensions.resource` in a rejection (twin section 4). */
type Resource = { id: string; type: string }

/**
 * Returns a resolver for logged-in callers; others get an error at each protected field, after validation (twin section
 * 4).
 */
export function loggedIn<Args, Result>(
  resolve: (source: unknown, args: Args, context: GraphContext, info: GraphQLResolveInfo) => Result,
) {
  return (source: unknown, args: Args, context: GraphContext, info: GraphQLResolveInfo): Result => {
    if (context.call.session) return resolve(source, args, context, info)
    throw new GraphQLError('You must be logged in to run this query', { extensions: { code: 'UNAUTHENTICATED' } })
  }
}

/**
 * Returns a resolver as `loggedIn` does, for roles with this permission; the role is checked before the resource's
 * existence.
 */
export function permitted<Args, Result>(
  permission: Permission,
  resource: (args: Args) => Resource | null,
  resolve: (args: Args, context: GraphContext) => Result,
) {
  return loggedIn((_source, args: Args, context): Result => {
    if (!may(context, permission)) throw forbidden(permission, resource(args))
    return resolve(args, context)
  })
}

/** Returns whether the caller is logged in with a role that has this permission. */
export function may({ call, contrary }: GraphContext, permission: Permission): boolean {
  const role = call.session?.set.role
  return role !== undefined && allows(role, permission) && mayWrite(contrary.is, role, permission)
}

/**
 * Returns the error of a missing permission: null at that field, and the rest of the answer is intact (twin section 4).
 */
export function forbidden(
  permission: Permission,
  resource: Resource | null,
  message = 'Authorization failed',
): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: 'FORBIDDEN', permissions: [permission], ...(resource === null ? {} : { resource }) },
  })
}

/**
 * Returns the part of the world that the caller sees; null: everything. Anything else does not exist for the caller.
 */
export function reachOf({ call }: GraphContext): Reach | null {
  return call.session?.set.reach ?? null
}

/** Returns the tenants that the caller sees, even while their region is gone. */
export function tenantsOf(context: GraphContext): Tenant[] {
  const only = tenantsWithin(context)
  return context.world.tenants().filter(({ id }) => only?.includes(id) ?? true)
}

/** Returns the tenants of the caller's reach: the named ones, otherwise those of its accounts or sites; null: all. */
function tenantsWithin(context: GraphContext): readonly string[] | null {
  const { tenants = null, accounts = null, sites = null } = reachOf(context) ?? {}
  if (tenants !== null || (accounts ?? sites) === null) return tenants
  return accounts === null
    ? scopedSites(context, sites).map(({ tenantId }) => tenantId)
    : accounts.flatMap((id) => context.world.account(id)?.tenantId ?? [])
}

function scopedSites({ world }: GraphContext, sites: readonly string[] | null) {
  return (sites ?? []).flatMap((id) => world.site(id) ?? [])
}

/** Returns the accounts of a tenant that the caller sees; for a caller limited to sites, those of its sites. */
export function accountsOf(context: GraphContext, tenantId: string): Account[] {
  const { accounts = null, sites = null } = reachOf(context) ?? {}
  const accountIds = sites && new Set(scopedSites(context, sites).map(({ accountId }) => accountId))
  return context.world
    .accounts(tenantId)
    .filter(({ id }) => (accounts?.includes(id) ?? true) && (accountIds?.has(id) ?? true))
}

/** Returns a tenant that the caller sees. Throws `NOT_FOUND` for any other id. */
export function tenantOf(context: GraphContext, id: string): Tenant {
  return found(
    'tenant',
    id,
    tenantsOf(context).find((tenant) => tenant.id === id),
  )
}

/** Returns the regions of the tenants that the caller sees. */
export function regionsOf(context: GraphContext): Region[] {
  return [...new Set(tenantsOf(context).map(({ region }) => region))]
}

/** Returns a site in reach, of that tenant where one is named; undefined for any other. */
export function visibleSite(context: GraphContext, data: PlaneData, id: string, tenantId?: string): Site | undefined {
  const site = data.site(id)
  return site &&
    reaches(reachOf(context), { tenantId: site.tenantId, site }) &&
    site.tenantId === (tenantId ?? site.tenantId)
    ? site
    : undefined
}

/**
 * Calls `work` with a device that the caller sees, in its region, without interruption between finding it and the end
 * of the work.
 */
export async function withDevice<T extends object>(
  context: GraphContext,
  id: string,
  work: (device: Device, data: PlaneData) => T,
): Promise<T> {
  const reach = reachOf(context)
  const done = await context.planes.find(regionsOf(context), (data) => {
    const device = data.device(id)
    return device && reaches(reach, device) ? work(device, data) : undefined
  })
  return found('device', id, done)
}

/** Returns the thing if it exists; throws `NOT_FOUND` with `resource { id type }` (ours) otherwise. */
export function found<T>(type: string, id: string, thing: T | undefined): T {
  if (thing !== undefined) return thing
  throw new GraphQLError(`There is no ${type} ${JSON.stringify(id)}`, {
    extensions: { code: 'NOT_FOUND', resource: { id, type } },
  })
}

/** Returns the error `BAD_USER_INPUT`, for values that cannot be served, to be thrown at their field. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}

/** Restricts fields that `shown` lacks, on types that it has, to roles with `device:details`. Changes `schema`. */
export function guardDetails(schema: GraphQLSchema, shown: GraphQLSchema): GraphQLSchema {
  for (const base of Object.values(shown.getTypeMap())) {
    const type = schema.getType(base.name)
    if (base.name.startsWith('__') || !isObjectType(base) || !isObjectType(type)) continue
    for (const field of Object.values(type.getFields()))
      if (!(field.name in base.getFields())) field.resolve = guarded(field.resolve ?? defaultFieldResolver)
  }
  return schema
}

function guarded(resolve: GraphQLFieldResolver<unknown, GraphContext>): GraphQLFieldResolver<unknown, GraphContext> {
  return (source, args, context, info) => {
    if (context.call.session === null || may(context, 'device:details')) return resolve(source, args, context, info)
    const id = typeof source === 'object' && source !== null && 'id' in source ? String(source.id) : null
    throw forbidden('device:details', id === null ? null : { id, type: info.parentType.name.toLowerCase() })
  }
}

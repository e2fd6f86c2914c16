import { GraphQLError } from 'graphql'
import type { GraphContext } from '../../../graphql/context.ts'
import type { Device } from '../../../world/device.ts'
import type { Contrary } from '../contrary.ts'

/** Returns the name of a device; null for some, always the same ones. */
export function nameOf({ is }: Contrary, { id, name }: Pick<Device, 'id' | 'name'>): string | null {
  return is.nullNames > 0 && Number.parseInt(id.slice(-4), 16) / 0x10000 < is.nullNames ? null : name
}

/** Returns the site of a device. For some, at random, it cannot be resolved, which is an error at its path. */
export function siteOf({ site }: Pick<Device, 'site'>, _args: unknown, { contrary }: GraphContext): Device['site'] {
  if (site === null || !contrary.chance(contrary.is.unresolvedSites)) return site
  throw new GraphQLError('resource mapping failed', { extensions: { code: 'INTERNAL_SERVER_ERROR' } })
}

type Region = { id: string | null }

/** Returns the region of a tenant, which may be null, or have an undocumented id. */
export function regionOf({ region }: { region: Region }, _args: unknown, { contrary }: GraphContext): Region | null {
  const { regions } = contrary.is
  if (regions === 'null') return null
  return regions === 'null-id' ? { id: null } : regions === 'unknown' ? { id: 'AP-SOUTH-2' } : region
}

/** Returns the list with null entries, as GraphQL has them where one could not be resolved and is nullable. */
export function withNulls<T>({ contrary }: GraphContext, tenants: readonly T[]): (T | null)[] {
  return [...tenants.slice(0, 1), ...Array.from({ length: contrary.is.nullTenants }, () => null), ...tenants.slice(1)]
}

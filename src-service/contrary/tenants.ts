import type { GraphContext } from '../context.ts'

type Region = { id: string | null }

/** The region of a tenant, which may be unknown here, or have an id that no document names. */
export function regionOf({ region }: { region: Region }, _args: unknown, { contrary }: GraphContext): Region | null {
  const { regions } = contrary.is
  if (regions === 'null') return null
  return regions === 'null-id' ? { id: null } : regions === 'unknown' ? { id: 'AP-SOUTH-2' } : region
}

/** The list with null entries in it, as GraphQL has them where one could not be resolved and may be null. */
export function withNulls<T>({ contrary }: GraphContext, tenants: readonly T[]): (T | null)[] {
  return [...tenants.slice(0, 1), ...Array.from({ length: contrary.is.nullTenants }, () => null), ...tenants.slice(1)]
}

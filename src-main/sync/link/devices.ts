/** The ids of the devices that a connection claims, by tenant. The live link subscribes to them. */
export interface Devices {
  /** Returns null for a tenant whose devices were not loaded yet. */
  of(tenant: string): ReadonlySet<string> | null
  tenants(): string[]
  /** Returns the tenants that have a device of this id: two may. */
  tenantsOf(id: string): string[]
  count(): number
  /**
   * Returns whether the ids of the tenant have to be loaded, because they never were or a sync may have changed them.
   * Clears the latter mark.
   */
  takeStale(tenant: string): boolean
  set(tenant: string, ids: Iterable<string>): void
  /** Adds the devices of a page. Those of a tenant that was not loaded yet are included when it is. */
  add(tenant: string, ids: readonly string[]): void
  markStale(tenant: string): void
  /** Forgets all tenants but these. */
  retain(tenants: ReadonlySet<string>): void
}

export function createDevices(): Devices {
  const ids = new Map<string, Set<string>>()
  const stale = new Set<string>()
  return {
    of: (tenant) => ids.get(tenant) ?? null,
    tenants: () => [...ids.keys()],
    tenantsOf: (id) => [...ids].flatMap(([tenant, known]) => (known.has(id) ? tenant : [])),
    count: () => [...ids.values()].reduce((sum, known) => sum + known.size, 0),
    takeStale: (tenant) => !ids.has(tenant) || stale.delete(tenant),
    set(tenant, all) {
      ids.set(tenant, new Set(all))
    },
    add(tenant, more) {
      const known = ids.get(tenant)
      for (const id of more) known?.add(id)
    },
    markStale: (tenant) => void stale.add(tenant),
    retain(tenants) {
      for (const tenant of ids.keys()) if (!tenants.has(tenant)) ids.delete(tenant)
    },
  }
}

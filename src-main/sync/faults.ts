import type { Clock } from '../../src-shared/lib/clock.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { Fault } from '../../src-shared/model/fault.ts'

/**
 * The keys of a tenant's faults: of its listing, of its comparison, of its list of places, and of a page of the former
 * two that is being repeated.
 */
export const tenantKey = (id: string): string => `tenant ${id}`
export const placesKey = (id: string): string => `places ${id}`
export const statesKey = (id: string): string => `states ${id}`
export const retryKey = (id: string): string => `again ${id}`

/** Returns the tenant of the key of a listing, a comparison or a list of places; null for any other key. */
export function tenantIn(key: string): string | null {
  const prefix = [tenantKey(''), statesKey(''), placesKey('')].find((each) => key.startsWith(each))
  return prefix === undefined ? null : key.slice(prefix.length)
}

/** The present faults of a connection, each under its own key. */
export interface Faults {
  /** Returns the present faults, the oldest first, those of a tenant with its id. */
  state(): ConnectionState['faults']
  get(key: string): Fault | null
  /** Sets the fault of a key, or removes it (null). An equal fault keeps the time of the first one. */
  note(key: string, where: string, fault: Fault | null): void
  /** Removes the faults of all tenants but these. */
  retainTenants(tenants: ReadonlySet<string>): void
}

/** `onChange` is called when a fault was set or removed. */
export function createFaults(clock: Pick<Clock, 'now'>, onChange: () => void): Faults {
  const known = new Map<string, { where: string; fault: Fault; at: number }>()
  const note = (key: string, where: string, fault: Fault | null) => {
    const before = known.get(key)?.fault
    if (fault === null ? before === undefined : before?.kind === fault.kind && before.detail === fault.detail) return
    if (fault === null) known.delete(key)
    else known.set(key, { where, fault, at: clock.now() })
    onChange()
  }
  return {
    note,
    get: (key) => known.get(key)?.fault ?? null,
    state: () => [...known].map(([key, fault]) => ({ ...fault, ...ofTenant(tenantIn(key)) })),
    retainTenants(tenants) {
      for (const key of known.keys()) {
        const tenant = tenantIn(key)
        if (tenant !== null && !tenants.has(tenant)) note(key, '', null)
      }
    },
  }
}

const ofTenant = (tenant: string | null): { tenant?: string } => (tenant === null ? {} : { tenant })

import { smallest } from '../../../src-shared/lib/extremes.ts'
import type { PlaceDirectory } from '../../../src-shared/model/place-directory.ts'

/** The number of places that were read of one tenant. */
export interface TenantCounts {
  /** Null where the service tells no accounts. */
  accounts: number | null
  sites: number
  rooms: number
  /** Cost of reading it, points; null: it was read in an earlier run. */
  points: number | null
  /** When it was read, ms since the epoch. */
  at: number
}

/** Returns the sums of all tenants; null where one of them (null) was not read, or there are none. */
export function directoryOf(tenants: readonly (TenantCounts | null)[]): PlaceDirectory | null {
  const read = tenants.filter((each) => each !== null)
  if (read.length === 0 || read.length < tenants.length) return null
  const sum = (of: (each: TenantCounts) => number) => Math.round(read.reduce((total, each) => total + of(each), 0))
  return {
    state: 'read',
    readAt: smallest(read.map(({ at }) => at)),
    accounts: read.every(({ accounts }) => accounts === null) ? null : sum(({ accounts }) => accounts ?? 0),
    sites: sum(({ sites }) => sites),
    rooms: sum(({ rooms }) => rooms),
    points: read.some(({ points }) => points === null) ? null : sum(({ points }) => points ?? 0),
  }
}

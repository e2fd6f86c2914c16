import type { Clock } from '../../../src-shared/lib/clock.ts'
import { maxTenants } from '../../../src-shared/model/bounds.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'

/** Delay before an answer that removes everything is requested again, ms. */
export const doubtMs = 2_000
/**
 * How long a list has to stay empty until it is believed, ms: the service may be at fault, and an hour of "unknown"
 * misleads nobody.
 */
const believedMs = 60 * 60_000
/**
 * How long a withdrawal must have been shown before an operator's refresh confirms it, ms: an earlier refresh means
 * that they want the devices back.
 */
const confirmMs = 60_000

/** The judgement of an empty list. `believed`: the known devices or tenants are removed. */
export interface Emptied {
  believed: boolean
  fault: Fault | null
}

/**
 * Lists that the service returns empty, without an error, though they were not: of a tenant's devices, or of tenants.
 * The known entries stay, unknown, and are requested again, until something is listed, an operator's refresh confirms
 * it, or it has lasted.
 */
export interface Doubts {
  /** Judges an empty list. `before`: what was listed, as text; null: unknown. */
  emptied(key: string, before: string | null, byPerson: boolean): Emptied
  /** Records that something is listed. */
  over(key: string): void
  has(key: string): boolean
  /**
   * Returns the tenants to report as withdrawn from the list (`listed`: their keys): those reported before (`reported`),
   * until they are listed again or an operator's refresh removes them, and those that were known. Beyond the largest
   * number of tenants only the newest are.
   */
  withdrawn(
    reported: readonly KnownTenant[],
    known: readonly KnownTenant[],
    listed: ReadonlySet<string>,
    byPerson: boolean,
  ): KnownTenant[]
}

export interface KnownTenant {
  key: string
  name: string
  devices: number
}

/** Number of tenants that are named. */
const maxNamed = 5

export function createDoubts(clock: Pick<Clock, 'monotonic'>): Doubts {
  const doubts = new Map<string, { before: string; since: number }>()
  const missingSince = new Map<string, number>()
  return {
    emptied(key, before, byPerson) {
      const known = doubts.get(key) ?? (before === null ? null : { before, since: clock.monotonic() })
      if (known === null) return { believed: true, fault: null }
      const age = clock.monotonic() - known.since
      if (byPerson && age >= confirmMs) {
        doubts.delete(key)
        return { believed: true, fault: null }
      }
      doubts.set(key, known)
      return { believed: age >= believedMs, fault: { kind: 'emptied', detail: known.before } }
    },
    over: (key) => void doubts.delete(key),
    has: (key) => doubts.has(key),
    withdrawn(reported, known, listed, byPerson) {
      const now = clock.monotonic()
      const isConfirmed = (key: string) => byPerson && now - (missingSince.get(key) ?? now) >= confirmMs
      const before = reported.filter(({ key }) => !isConfirmed(key))
      const gone = new Map(
        [...before, ...known].flatMap((tenant) => (listed.has(tenant.key) ? [] : [[tenant.key, tenant] as const])),
      )
      for (const { key } of known) missingSince.delete(key)
      for (const key of missingSince.keys()) if (!gone.has(key)) missingSince.delete(key)
      for (const key of gone.keys()) missingSince.set(key, missingSince.get(key) ?? now)
      return [...gone.values()].slice(-maxTenants)
    },
  }
}

/** Returns the fault of these tenants; null where there is none. */
export const withdrawnFault = (gone: readonly KnownTenant[]): Fault | null =>
  gone.length === 0 ? null : { kind: 'withdrawn', detail: withdrawnText(gone) }

/** Returns for example "2 tenants (140 devices): Acme, Berg". */
function withdrawnText(tenants: readonly KnownTenant[]): string {
  const devices = tenants.reduce((sum, tenant) => sum + tenant.devices, 0)
  const names = tenants
    .slice(0, maxNamed)
    .map(({ name }) => (name.trim() === '' ? 'no name' : name))
    .join(', ')
  const more = tenants.length > maxNamed ? ` and ${tenants.length - maxNamed} more` : ''
  return `${counted(tenants.length, 'tenant')} (${counted(devices, 'device')}): ${names}${more}`
}

/** Returns for example "1 device was listed before". */
export const listedBefore = (count: number, one: string, more = ''): string =>
  `${counted(count, one)}${more} ${count === 1 ? 'was' : 'were'} listed before`

export const counted = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`)

import { createHash } from 'node:crypto'
import { cities } from './places.ts'
import type { Part } from './places.ts'
import type { AccountRow, SiteRow, TenantRow } from '../store/rows.ts'

const names: Record<Part, string> = { US: 'Americas', EU: 'Europe', AP: 'Asia Pacific' }

const parts = new Map(cities.map(({ code, part }) => [code, part]))

/**
 * Returns the accounts of a tenant: the first in its home part of the world, and one in each other part with a site.
 * They are derived from the tenant and the sites' codes without random draws, so that an older world without accounts
 * gets the same ones.
 */
export function accountsOf(tenant: TenantRow, sites: readonly Pick<SiteRow, 'code'>[]): AccountRow[] {
  const home = homeOf(tenant)
  const wanted = new Set<Part>([home, ...sites.map((site) => partOf(site, home))])
  return [...wanted].map((part) => accountIn(tenant, part))
}

/** Returns the id of the account of this site. */
export function accountIdOf(tenant: TenantRow, site: Pick<SiteRow, 'code'>): string {
  return idOf(tenant, partOf(site, homeOf(tenant)))
}

function homeOf({ region }: TenantRow): Part {
  return region === 'US-1' ? 'US' : 'EU'
}

/** Returns the part of the world of a site; that of the tenant's home for an added site without a known city. */
function partOf({ code }: Pick<SiteRow, 'code'>, home: Part): Part {
  return parts.get(code) ?? home
}

function accountIn(tenant: TenantRow, part: Part): AccountRow {
  return { id: idOf(tenant, part), tenantId: tenant.id, name: names[part] }
}

/** Returns an id in the form of a UUID of version 4. */
function idOf(tenant: TenantRow, part: Part): string {
  const hex = createHash('sha256').update(`account ${part} of ${tenant.id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

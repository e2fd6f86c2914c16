import { createHash } from 'node:crypto'
import { cities } from './places.ts'
import type { Part } from './places.ts'
import type { AccountRow, SiteRow, TenantRow } from '../store/rows.ts'

const names: Record<Part, string> = { US: 'Americas', EU: 'Europe', AP: 'Asia Pacific' }

const parts = new Map(cities.map(({ code, part }) => [code, part]))

/**
 * A tenant has an account where it is at home, the first, and one in each other part of the world where it has a site. All
 * follows from the tenant and the sites' codes: no chance is drawn, so that a world from before there were accounts gets
 * the same ones.
 */
export function accountsOf(tenant: TenantRow, sites: readonly Pick<SiteRow, 'code'>[]): AccountRow[] {
  const home = homeOf(tenant)
  const wanted = new Set<Part>([home, ...sites.map((site) => partOf(site, home))])
  return [...wanted].map((part) => accountIn(tenant, part))
}

/** The id of the one of them to which this site belongs. */
export function accountIdOf(tenant: TenantRow, site: Pick<SiteRow, 'code'>): string {
  return idOf(tenant, partOf(site, homeOf(tenant)))
}

function homeOf({ region }: TenantRow): Part {
  return region === 'US-1' ? 'US' : 'EU'
}

/** A site that somebody has added stands in no city of the list: it is at home. */
function partOf({ code }: Pick<SiteRow, 'code'>, home: Part): Part {
  return parts.get(code) ?? home
}

function accountIn(tenant: TenantRow, part: Part): AccountRow {
  return { id: idOf(tenant, part), tenantId: tenant.id, name: names[part] }
}

/** In the form of a UUID of version 4. */
function idOf(tenant: TenantRow, part: Part): string {
  const hex = createHash('sha256').update(`account ${part} of ${tenant.id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

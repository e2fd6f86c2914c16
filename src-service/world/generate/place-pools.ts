import type { PlacePool } from './generate.ts'
import { itemAt } from '../random.ts'
import type { AccountRow, RoomRow, SiteRow, TenantRow } from '../store/rows.ts'
import type { Row, Store } from '../store/store.ts'

/** The possible places of a tenant's devices, as stored; read on demand, and cached until a place changes. */
export type PlacePools = {
  /** Returns undefined for an unknown tenant. */
  of(tenantId: string): PlacePool | undefined
  /** Returns the places of the first tenant, the largest. */
  first(): PlacePool
  forget(): void
}

export function startPlacePools(store: Store): PlacePools {
  const kept = new Map<string, PlacePool>()
  const of = (tenantId: string): PlacePool | undefined => {
    const places = kept.get(tenantId) ?? read(store, tenantId)
    if (places) kept.set(tenantId, places)
    return places
  }
  return {
    of,
    first: () =>
      itemAt(
        store.all('SELECT id FROM tenants ORDER BY rowid LIMIT 1').flatMap(({ id }) => of(String(id)) ?? []),
        0,
      ),
    forget: () => kept.clear(),
  }
}

function read(store: Store, tenantId: string): PlacePool | undefined {
  const tenant = store.get('SELECT * FROM tenants WHERE id = ?', tenantId)
  if (!tenant) return undefined
  const accounts = store
    .all('SELECT * FROM accounts WHERE tenantId = ? ORDER BY rowid', tenantId)
    .map((row) => row as AccountRow)
  const sites = store
    .all('SELECT * FROM sites WHERE tenantId = ? ORDER BY rowid', tenantId)
    .map((row) => row as SiteRow)
  const byId = new Map(sites.map((site) => [site.id, site]))
  const rooms: Row[] = store.all(
    'SELECT r.* FROM rooms r JOIN sites s ON s.id = r.siteId WHERE s.tenantId = ? ORDER BY r.rowid',
    tenantId,
  )
  const places = rooms.flatMap((row) => {
    const [room, site] = [row as RoomRow, byId.get(String(row['siteId']))]
    return site ? [{ site, room }] : []
  })
  return { tenant: tenant as TenantRow, accounts, sites, places }
}

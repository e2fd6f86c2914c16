import type { PlacePool } from './generate.ts'
import { cities } from './places.ts'
import { itemAt } from '../random.ts'
import type { Random } from '../random.ts'
import type { AccountRow, RoomRow, SiteRow } from '../store/rows.ts'

/** Places that have no devices yet. */
export type EmptyPlaces = { accounts: readonly AccountRow[]; sites: readonly SiteRow[]; rooms: readonly RoomRow[] }

/**
 * Returns the places that a tenant prepares: a site with two rooms, a site without any room, and for every other tenant
 * (`index` even) an account without sites. `random` should be a source of its own, so that the rest of the world stays
 * as it is without them.
 */
export function emptyPlaces(random: Random, { tenant, accounts }: PlacePool, index: number): EmptyPlaces {
  const home = itemAt(accounts, 0)
  const near = cities.filter(({ part }) => part === (tenant.region === 'US-1' ? 'US' : 'EU'))
  const at = random.int(0, near.length - 2)
  const [opening, bought] = near.slice(at, at + 2).map(({ name, code, language }, n): SiteRow => {
    const plan = n === 0 ? 'opening soon' : 'under construction'
    return { id: random.uuid(), tenantId: tenant.id, accountId: home.id, name: `${name} (${plan})`, language, code }
  })
  return {
    accounts: index % 2 === 0 ? [{ id: random.uuid(), tenantId: tenant.id, name: 'Events' }] : [],
    sites: [opening, bought].filter((site) => site !== undefined),
    rooms: opening ? [emptyRoom(random, opening, 'Lobby', 2), emptyRoom(random, opening, 'Auditorium', 120)] : [],
  }
}

function emptyRoom(random: Random, { id: siteId }: SiteRow, name: string, capacity: number): RoomRow {
  return { id: random.uuid(), siteId, name, floor: '1', capacity, size: capacity > 12 ? 'LARGE' : 'FOCUS' }
}

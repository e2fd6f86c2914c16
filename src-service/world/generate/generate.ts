import { accountIdOf, accountsOf } from './accounts.ts'
import { companies, familyNames, givenNames } from './people.ts'
import { buildings, cities, numberedRoom, roomNames } from './places.ts'
import type { City } from './places.ts'
import { itemAt } from '../random.ts'
import type { Random } from '../random.ts'
import type { AccountRow, RoomRow, RoomSize, SiteRow, TenantRow } from '../store/rows.ts'

/** The possible places of a tenant's devices: the sites of its accounts with their rooms. */
export type PlacePool = {
  tenant: TenantRow
  accounts: readonly AccountRow[]
  sites: readonly SiteRow[]
  places: readonly { site: SiteRow; room: RoomRow }[]
}

/** Returns `count` tenants; the first is the largest. Regions roughly alternate, so that two tenants cover both. */
export function makeTenants(random: Random, count: number): TenantRow[] {
  return Array.from({ length: count }, (_, index) => {
    const company = itemAt(companies, index % companies.length)
    const round = Math.floor(index / companies.length)
    return { ...company, id: random.uuid(), name: round === 0 ? company.name : `${company.name} ${round + 1}` }
  })
}

/** Returns the number of devices of each tenant: the first has by far the most, and together exactly `devices`. */
export function shareOut(tenants: number, devices: number): number[] {
  const weights = Array.from({ length: tenants }, (_, index) => 1 / (index + 1) ** 0.8)
  const sum = weights.reduce((a, b) => a + b, 0)
  const shares = weights.map((weight) => Math.floor((devices * weight) / sum))
  const rest = devices - shares.reduce((a, b) => a + b, 0)
  return shares.map((share, index) => (index === 0 ? share + rest : share))
}

/**
 * Returns sites and rooms for a tenant with `devices` devices: a few large sites, many small ones, about two devices a
 * room.
 */
export function makePlacePool(random: Random, tenant: TenantRow, devices: number): PlacePool {
  const count = Math.max(1, Math.round(devices / 60))
  const taken = new Set<string>()
  const weights = Array.from({ length: count }, (_, index) => random.log(0.2, 3) / (index + 1) ** 0.35)
  const sum = weights.reduce((a, b) => a + b, 0)
  const sites = weights.map((_, index) => makeSite(random, tenant, pickCity(random, tenant), index === 0, taken))
  const places = sites.flatMap((site, index) => {
    const rooms = Math.max(1, Math.round((devices * itemAt(weights, index)) / sum / 1.9))
    return makeRooms(random, site, rooms).map((room) => ({ site, room }))
  })
  return { tenant, accounts: accountsOf(tenant, sites), sites, places }
}

function pickCity(random: Random, tenant: TenantRow): City {
  const home = tenant.region === 'US-1' ? 'US' : 'EU'
  const at = random.next()
  const abroad = home === 'US' ? 'EU' : 'US'
  const part = at < 0.8 ? home : at < 0.9 ? 'AP' : abroad
  return random.pick(cities.filter((city) => city.part === part))
}

function makeSite(random: Random, tenant: TenantRow, city: City, first: boolean, taken: Set<string>): SiteRow {
  const names = buildings[city.language]
  const building = first ? itemAt(names, 0) : random.pick(names)
  const name = unused(
    taken,
    city.language === 'ja' || city.language === 'zh' ? `${city.name}${building}` : `${city.name} ${building}`,
  )
  return {
    id: random.uuid(),
    tenantId: tenant.id,
    accountId: accountIdOf(tenant, city),
    name,
    language: city.language,
    code: city.code,
  }
}

function makeRooms(random: Random, site: SiteRow, count: number): RoomRow[] {
  const taken = new Set<string>()
  const floors = Math.max(1, Math.min(24, Math.ceil(count / 9)))
  const named = random.next() * 0.6
  return Array.from({ length: count }, (_, index) => {
    const floor = 1 + (index % floors)
    const number = `${floor}.${String(1 + Math.floor(index / floors)).padStart(2, '0')}`
    const wanted = random.chance(named) ? random.pick(roomNames[site.language]) : numberedRoom[site.language](number)
    const name = taken.has(wanted) ? unused(taken, numberedRoom[site.language](number)) : unused(taken, wanted)
    const [id, capacity] = [random.uuid(), random.pick([2, 4, 4, 6, 6, 8, 8, 10, 12, 16, 24, 40])]
    return { id, siteId: site.id, name, floor: String(floor), capacity, size: sizeOf(capacity) }
  })
}

function sizeOf(capacity: number): RoomSize {
  if (capacity <= 4) return capacity <= 2 ? 'FOCUS' : 'HUDDLE'
  if (capacity <= 12) return capacity <= 6 ? 'SMALL' : 'MEDIUM'
  return 'LARGE'
}

/** Returns a person of that tenant, for a desk phone or a headset. */
export function makePerson(random: Random, tenant: TenantRow): { name: string; email: string } {
  const [given, family] = [random.pick(givenNames), random.pick(familyNames)]
  return { name: `${given} ${family}`, email: `${ascii(given)}.${ascii(family)}@${tenant.domain}` }
}

function ascii(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
}

function unused(taken: Set<string>, wanted: string): string {
  let name = wanted
  for (let number = 2; taken.has(name); number += 1) name = `${wanted} ${number}`
  taken.add(name)
  return name
}

import { cutName, isId, isPlaceId, maxPlaces, maxPlacesTogether } from '../../../src-shared/model/bounds.ts'
import type { PlacesWriter } from '../../storage/cache/places.ts'
import { type Directory, type ListedRoom, type ListedSite, sameRoom, sameSite, sizeOf } from '../engine/directory.ts'
import { newTouched } from '../engine/inventory.ts'
import { setDirectory } from '../engine/listed-places.ts'
import type { Place } from '../engine/places.ts'
import type { Tenant } from '../engine/tenants.ts'
import { accountReports } from './site-accounts.ts'
import { roomNode, siteNode } from '../keys.ts'
import type { PlaceList, PlacesInput } from '../thread/place-protocol.ts'
import type { InventoryData } from '../thread/protocol.ts'
import { changeOf, commit, isShared, type Store, tenantIn } from '../store.ts'

type Answer = Awaited<ReturnType<InventoryData['places']>>

/** Writes the places that a connection lists in a tenant (protocol.ts, `places`). */
export function places(store: Store, input: PlacesInput): Answer {
  const tenant = tenantIn(store, input.service, input.tenant)
  const before = tenant?.directories.get(input.connection) ?? null
  const isLate = before !== null && input.requestOrder < before.requestOrder
  if (!tenant?.connections.has(input.connection) || isLate) return { ...changeOf(store, newTouched()), leftOut: 0 }
  const { directory, leftOut } = directoryOf(store, tenant, input, before)
  const change = commit(store, {
    entries: [],
    keys: [],
    places: accountReports(store, tenant, input.connection, directory),
    cache: (to) => writeDirectory(store, tenant, directory, before, to.places(tenant, input.connection)),
    memory: (touched) => setDirectory(store.inventory, tenant, input.connection, directory, touched),
  })
  return { ...change, leftOut }
}

type Kind = 'accounts' | 'sites' | 'rooms'

/** The bounds of what a connection may list. A place that another connection lists in the tenant takes no room. */
interface Bound {
  leftOut: number
  /** Returns whether a place is within the bounds; counts it either way. */
  take(kind: Kind, key: string): boolean
}

function boundOf({ inventory }: Store, tenant: Tenant, connection: string): Bound {
  const others = [...tenant.directories].filter(([id]) => id !== connection).map(([, directory]) => directory)
  const own = tenant.directories.get(connection)
  const everywhere = [...inventory.tenants.values()].flatMap(({ directories }) => [...directories.values()])
  const together = everywhere.reduce((sum, each) => sum + sizeOf(each), 0) - (own ? sizeOf(own) : 0)
  let left = Math.min(maxPlaces - distinctIn(others), maxPlacesTogether - together)
  const bound: Bound = {
    leftOut: 0,
    take(kind, key) {
      if (others.some((each) => each[kind]?.has(key) === true)) return true
      left -= 1
      if (left < 0) bound.leftOut += 1
      return left >= 0
    },
  }
  return bound
}

function distinctIn(directories: readonly Directory[]): number {
  const keys = (kind: Kind) => new Set(directories.flatMap((each) => [...(each[kind]?.keys() ?? [])])).size
  return keys('accounts') + keys('sites') + keys('rooms')
}

/**
 * The directory after this reading. With `partial`, what was not read again stays, and a null is no news. `leftOut`: how
 * many places the bounds leave out, or an id that is none.
 */
function directoryOf(
  store: Store,
  tenant: Tenant,
  { connection, places: read, requestOrder, at, partial = false }: PlacesInput,
  before: Directory | null,
): { directory: Directory; leftOut: number } {
  const kept = partial ? before : null
  const bound = boundOf(store, tenant, connection)
  const accounts = (read.accounts ?? [])
    .filter(({ id }) => isId(id))
    .map(({ id, name }) => [id, cutName(name)] as const)
  const sites = read.sites.filter(({ id }) => isPlaceId(id)).map((site) => siteOf(site, kept?.sites.get(site.id)))
  const rooms = read.rooms
    .filter(({ id, site }) => isPlaceId(id) && isPlaceId(site ?? ''))
    .map((room) => [roomNode(tenant.key, room.site, room.id), room] as const)
  const isTold = read.accounts !== null || (kept !== null && kept.accounts !== null)
  bound.leftOut =
    (read.accounts?.length ?? 0) - accounts.length + read.sites.length - sites.length + read.rooms.length - rooms.length
  return {
    directory: {
      requestOrder,
      readAt: at,
      accounts: isTold ? bounded(bound, 'accounts', kept?.accounts, accounts) : null,
      sites: bounded(
        bound,
        'sites',
        kept?.sites,
        sites.map((site) => [site.id, site]),
      ),
      rooms: bounded(
        bound,
        'rooms',
        kept?.rooms,
        rooms.map(([node, room]) => [node, roomOf(room, kept?.rooms.get(node))]),
      ),
    },
    leftOut: bound.leftOut,
  }
}

/** Those that were known and those that were read, of each the last, as far as the bounds allow. */
function bounded<T>(
  bound: Bound,
  kind: Kind,
  known: ReadonlyMap<string, T> | null | undefined,
  read: readonly (readonly [string, T])[],
): Map<string, T> {
  const all = new Map([...(known ?? []), ...read])
  for (const key of all.keys()) if (!bound.take(kind, key)) all.delete(key)
  return all
}

function siteOf({ id, name, account }: ListedSite, known: ListedSite | undefined): ListedSite {
  const told = account === null || !isId(account) ? null : account
  return { id, name: cutName(name), account: told ?? known?.account ?? null }
}

function roomOf({ id, name, site, capacity, size, floor }: ListedRoom, known: ListedRoom | undefined): ListedRoom {
  return {
    id,
    name: cutName(name),
    site,
    capacity: capacity ?? known?.capacity ?? null,
    size: size === null ? (known?.size ?? null) : cutName(size),
    floor: floor === null ? (known?.floor ?? null) : cutName(floor),
  }
}

/** What a connection lists in its tenants (protocol.ts, `placeLists`). */
export function placeLists(
  { inventory }: Store,
  { service, connection }: Parameters<InventoryData['placeLists']>[0],
): PlaceList[] {
  return [...inventory.tenants.values()].flatMap((tenant) => {
    const list = tenant.service === service ? tenant.directories.get(connection) : undefined
    if (list === undefined) return []
    const { readAt, accounts, sites, rooms } = list
    return { tenant: tenant.id, readAt, accounts: accounts?.size ?? null, sites: sites.size, rooms: rooms.size }
  })
}

/**
 * Writes what differs. A name is written also where a page has brought another one since; a later one stays. In a copy of
 * the team's, which keeps the names of places apart, the list is written as it was read.
 */
export function writeDirectory(
  store: Store,
  tenant: Tenant,
  directory: Directory,
  before: Directory | null,
  to: PlacesWriter,
): void {
  const { accounts, sites, rooms, readAt, requestOrder } = directory
  const placeOf = (node: string) => (isShared(store) ? undefined : store.inventory.places.byId.get(node))
  const nameOf = (place: Place | undefined, name: string) =>
    place !== undefined && place.nameOrder > requestOrder ? place.name : name
  const needed = (place: Place | undefined, name: string, isSame: boolean) =>
    !isSame || (place !== undefined && place.name !== name)
  to.list(readAt, requestOrder, accounts !== null)
  for (const [id, name] of accounts ?? []) if (before?.accounts?.get(id) !== name) to.account(id, name)
  for (const id of before?.accounts?.keys() ?? []) if (accounts?.has(id) !== true) to.removeAccount(id)
  for (const site of sites.values()) {
    const place = placeOf(siteNode(tenant.key, site.id))
    const name = nameOf(place, site.name)
    if (needed(place, name, sameSite(site, before?.sites.get(site.id)))) to.site({ ...site, name })
  }
  for (const id of before?.sites.keys() ?? []) if (!sites.has(id)) to.removeSite(id)
  for (const [node, room] of rooms) {
    const place = placeOf(node)
    const name = nameOf(place, room.name)
    if (needed(place, name, sameRoom(room, before?.rooms.get(node)))) to.room({ ...room, name })
  }
  for (const [node, room] of before?.rooms ?? []) if (!rooms.has(node)) to.removeRoom(room)
}

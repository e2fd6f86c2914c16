import type { Counts, NamedRef, RoomFacts } from '../../../src-shared/model/inventory.ts'
import { accountNode, formerNode, regionNode, roomNode, siteNode, tenantNode } from '../keys.ts'
import { fold } from './filter/fold.ts'
import { hasAccountLevel, onlyAccountOf } from './directory.ts'
import type { Tenant } from './tenants.ts'

/**
 * A node of the tree above the devices: region > tenant > account > site > room. A region belongs to one service. A
 * tenant has a level of accounts where its connections list more than one. Every device is in a room; one without a
 * room or site is in a placeless one. A site or room exists as long as it has devices or a connection lists it.
 */
export interface Place {
  readonly id: string
  readonly kind: 'region' | 'tenant' | 'account' | 'site' | 'room'
  /** Position in `Places.byIndex`; free again when the place is removed. */
  readonly index: number
  parent: Place | null
  /** The service's id; null for the placeless. */
  readonly ref: string | null
  /** The tenant that it belongs to; null for a region. */
  readonly tenant: Tenant | null
  name: string
  /** Order of the request that brought the name (protocol.ts, `PageInput`): an earlier one does not overrule it. */
  nameOrder: number
  /** Number of connections that list it; for an account 1. */
  listings: number
  /** What the service tells about a room, where one is listed; null before it did. */
  facts: RoomFacts | null
  children: Place[]
  childrenSorted: boolean
  /** First row of a room's chain, or -1 (columns.ts, `next`). */
  firstRow: number
  /** The room's rows in their order; null when they must be sorted again. */
  sortedRows: Int32Array | null
  /** Rows below, by status code (columns.ts). */
  readonly counts: [disconnected: number, unknown: number, connected: number]
}

export interface Places {
  readonly byId: Map<string, Place>
  readonly byIndex: (Place | null)[]
  readonly free: number[]
  /** All names that places had in this run, folded for the text filter: many places share one. */
  readonly names: string[]
  readonly nameOf: Map<string, number>
  /**
   * By place index, for the filters: where its name is in `names` (no region's), and the index of its parent; -1 for
   * none.
   */
  readonly nameAt: number[]
  readonly parentAt: number[]
  /** Counts up whenever a place comes, goes or takes another name. */
  version: number
  /** Ids of places whose name or its order is not in the cache, or that are gone; null where that is not kept. */
  unsaved: Set<string> | null
  roots: Place[]
  rootsSorted: boolean
  readonly totals: [disconnected: number, unknown: number, connected: number]
}

export function newPlaces(): Places {
  return {
    byId: new Map(),
    byIndex: [],
    free: [],
    names: [],
    nameOf: new Map(),
    nameAt: [],
    parentAt: [],
    version: 0,
    unsaved: null,
    roots: [],
    rootsSorted: true,
    totals: [0, 0, 0],
  }
}

/** The name order of a place that nothing has named: any name overrules it. */
const unnamed = -2

/** Returns whether reports of devices name a place: it is a site or a room. */
export const isNamed = (place: Place): boolean =>
  (place.kind === 'site' || place.kind === 'room') && !isPlaceless(place)

type NewPlace = Pick<Place, 'id' | 'kind' | 'parent' | 'ref' | 'tenant' | 'name'>

function addPlace(places: Places, added: NewPlace): Place {
  const index = places.free.pop() ?? places.byIndex.length
  const place: Place = {
    ...added,
    index,
    nameOrder: unnamed,
    listings: 0,
    facts: null,
    children: [],
    childrenSorted: true,
    firstRow: -1,
    sortedRows: null,
    counts: [0, 0, 0],
  }
  places.byIndex[index] = place
  places.nameAt[index] = isPlaceless(place) || place.kind === 'region' ? -1 : nameIndex(places, place.name)
  places.parentAt[index] = place.parent?.index ?? -1
  places.byId.set(place.id, place)
  places.unsaved?.add(place.id)
  siblings(places, place).push(place)
  places.version += 1
  markUnsorted(places, place.parent)
  return place
}

function nameIndex(places: Places, name: string): number {
  const known = places.nameOf.get(name)
  if (known !== undefined) return known
  places.names.push(fold(name))
  places.nameOf.set(name, places.names.length - 1)
  return places.names.length - 1
}

const siblings = (places: Places, place: Place) => place.parent?.children ?? places.roots

function markUnsorted(places: Places, parent: Place | null): void {
  if (parent) parent.childrenSorted = false
  else places.rootsSorted = false
}

/** A place by its id; a region also by its former id, where only one region has that name. */
export function placeAt({ byId, roots }: Places, id: string): Place | undefined {
  const known = byId.get(id)
  if (known !== undefined || !id.startsWith('r:')) return known
  const [first, ...others] = roots.filter((root) => formerNode(root.id) === id)
  return others.length === 0 ? first : undefined
}

/** The title of a place; a region's includes its service where several services have a region of that name. */
export function titleOf({ roots }: Places, place: Place): string {
  const isAlone = place.kind !== 'region' || roots.every((root) => root === place || root.ref !== place.ref)
  const service = isAlone ? undefined : place.children[0]?.tenant?.service
  return service === undefined ? place.name : `${place.name} (${service.split('/')[0] ?? service})`
}

export const isPlaceless = (place: Place) => place.ref === null

/** The connections of "No site" and "No room": those that list its tenant. */
export const listedBy = (place: Place): { connections?: string[] } =>
  isPlaceless(place) && (place.kind === 'site' || place.kind === 'room') && place.tenant
    ? { connections: [...place.tenant.connections.keys()] }
    : {}

/** What the service tells about a room; nothing where it tells nothing. */
export const factsOf = ({ facts }: Place): { roomFacts?: RoomFacts } =>
  facts === null || (facts.capacity === null && facts.size === null && facts.floor === null) ? {} : { roomFacts: facts }

/**
 * The tenant's only account, for a site of it: the tree leaves its level out, and its policies apply to the site all
 * the same.
 */
export function onlyAccountAt({ kind, ref, tenant }: Place): { onlyAccount?: string } {
  const account = kind !== 'site' || ref === null || tenant === null ? null : onlyAccountOf(tenant.accounts, ref)
  return account === null || tenant === null ? {} : { onlyAccount: accountNode(tenant.key, account) }
}

export function rowCount(place: Place): number {
  return place.counts[0] + place.counts[1] + place.counts[2]
}

export function countsOf(counts: Place['counts']): Counts {
  return { connected: counts[2], disconnected: counts[0], unknown: counts[1] }
}

export function tenantPlace(places: Places, tenant: Tenant): Place {
  const id = tenantNode(tenant.key)
  return (
    places.byId.get(id) ??
    addPlace(places, {
      id,
      kind: 'tenant',
      parent: regionPlace(places, tenant),
      ref: tenant.id,
      tenant,
      name: tenant.name,
    })
  )
}

function regionPlace(places: Places, tenant: Tenant): Place {
  const id = regionNode(tenant.service, tenant.region)
  return (
    places.byId.get(id) ??
    addPlace(places, {
      id,
      kind: 'region',
      parent: null,
      ref: tenant.region,
      tenant: null,
      name: tenant.region ?? 'No region',
    })
  )
}

/** Puts a tenant with everything below it into its region. */
export function moveToRegion(places: Places, tenant: Tenant): void {
  const place = tenantPlace(places, tenant)
  const before = place.parent
  const region = regionPlace(places, tenant)
  if (before === region || before === null) return
  before.children.splice(before.children.indexOf(place), 1)
  attach(places, place, region)
  prune(places, before)
}

/** Puts a place, which has been taken from its parent's children, below another one; its counts move with it. */
export function attach(places: Places, place: Place, to: Place): void {
  for (let above = place.parent; above; above = above.parent) addCounts(above, place, -1)
  for (let above: Place | null = to; above; above = above.parent) addCounts(above, place, 1)
  place.parent = to
  places.parentAt[place.index] = to.index
  places.version += 1
  to.children.push(place)
  to.childrenSorted = false
}

function addCounts(to: Place, from: Place, by: 1 | -1): void {
  for (const code of [0, 1, 2] as const) to.counts[code] += by * from.counts[code]
}

/** The node of an account, created when it does not exist. */
export function accountPlace(places: Places, tenant: Tenant, account: string | null): Place {
  const id = accountNode(tenant.key, account)
  return (
    places.byId.get(id) ??
    addPlace(places, {
      id,
      kind: 'account',
      parent: tenantPlace(places, tenant),
      ref: account,
      tenant,
      name: account === null ? 'No account' : (tenant.accounts.names.get(account) ?? ''),
    })
  )
}

/** The place that a site is below: its account where the tenant has such a level, or else the tenant. */
export function aboveSite(places: Places, tenant: Tenant, site: string | null): Place {
  if (!hasAccountLevel(tenant.accounts)) return tenantPlace(places, tenant)
  return accountPlace(places, tenant, site === null ? null : (tenant.accounts.bySite.get(site) ?? null))
}

/** The room of a device, created when it does not exist. Does not rename: see `rename`. */
export function roomPlace(places: Places, tenant: Tenant, site: NamedRef | null, room: NamedRef | null): Place {
  const id = roomNode(tenant.key, site?.id ?? null, room?.id ?? null)
  const known = places.byId.get(id)
  if (known) return known
  const above = sitePlace(places, tenant, site)
  return addPlace(places, {
    id,
    kind: 'room',
    parent: above,
    ref: room?.id ?? null,
    tenant,
    name: room?.name ?? 'No room',
  })
}

/** The site's node, created when it does not exist. Does not rename. */
export function sitePlace(places: Places, tenant: Tenant, site: NamedRef | null): Place {
  const id = siteNode(tenant.key, site?.id ?? null)
  return (
    places.byId.get(id) ??
    addPlace(places, {
      id,
      kind: 'site',
      parent: aboveSite(places, tenant, site?.id ?? null),
      ref: site?.id ?? null,
      tenant,
      name: site?.name ?? 'No site',
    })
  )
}

/** Sets the name. True when it differs. */
export function rename(places: Places, place: Place, name: string): boolean {
  if (place.name === name) return false
  place.name = name
  if (!isPlaceless(place)) places.nameAt[place.index] = nameIndex(places, name)
  places.version += 1
  markUnsorted(places, place.parent)
  return true
}

/** Adds to the counts of a place and of all above it. */
export function addToCounts(places: Places, room: Place, status: number, by: 1 | -1): void {
  const code = status as 0 | 1 | 2
  places.totals[code] += by
  for (let place: Place | null = room; place; place = place.parent) place.counts[code] += by
}

/** True while something keeps a place: tenants stay, and what has devices, is listed, or has such places below. */
const isKept = (place: Place) =>
  place.kind === 'tenant' || place.listings > 0 || place.children.length > 0 || rowCount(place) > 0

/** Removes a place that nothing keeps, and then those above it. */
export function prune(places: Places, place: Place | null): void {
  if (!place || isKept(place)) return
  const around = siblings(places, place)
  around.splice(around.indexOf(place), 1)
  forget(places, place)
  prune(places, place.parent)
}

/** The same for many places below tenants: their siblings are passed over once, however many go. */
export function pruneAll(places: Places, candidates: Iterable<Place>): void {
  const gone = new Set([...candidates].filter((place) => !isKept(place) && places.byIndex[place.index] === place))
  if (gone.size === 0) return
  const above = new Set([...gone].flatMap(({ parent }) => parent ?? []))
  for (const parent of above) parent.children = parent.children.filter((child) => !gone.has(child))
  for (const place of gone) forget(places, place)
  pruneAll(places, above)
}

/** Removes a tenant without rows, with the places below it, and its region when that was the last tenant. */
export function removeTenantPlace(places: Places, place: Place): void {
  forgetBelow(places, place)
  const around = siblings(places, place)
  around.splice(around.indexOf(place), 1)
  forget(places, place)
  prune(places, place.parent)
}

function forgetBelow(places: Places, place: Place): void {
  for (const child of place.children) {
    forgetBelow(places, child)
    forget(places, child)
  }
}

function forget(places: Places, place: Place): void {
  places.byId.delete(place.id)
  places.byIndex[place.index] = null
  places.free.push(place.index)
  places.unsaved?.add(place.id)
  places.version += 1
}

/** True when a place is `above` or lies below it; both by index. */
export function isWithin({ parentAt }: Places, place: number, above: number): boolean {
  for (let at = place; at !== -1; at = parentAt[at] as number) if (at === above) return true
  return false
}

/** Every room at or below a place. */
export function roomsBelow(place: Place, visit: (room: Place) => void): void {
  if (place.kind === 'room') visit(place)
  else for (const child of place.children) roomsBelow(child, visit)
}

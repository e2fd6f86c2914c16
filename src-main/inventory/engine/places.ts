import type { Counts, NamedRef } from '../../../src-shared/model/inventory.ts'
import { formerNode, regionNode, roomNode, siteNode, tenantNode } from '../keys.ts'
import { fold } from './filter/fold.ts'
import type { Tenant } from './tenants.ts'

/**
 * A node of the tree above the devices: region > tenant > site > room. A region belongs to one service. Every device is
 * in a room; one without a room or site is in a placeless one. A site or room exists as long as it has devices.
 */
export interface Place {
  readonly id: string
  readonly kind: 'region' | 'tenant' | 'site' | 'room'
  /** Position in `Places.byIndex`; free again when the place is removed. */
  readonly index: number
  readonly parent: Place | null
  /** The service's id; null for the placeless. */
  readonly ref: string | null
  /** The tenant that it belongs to; null for a region. */
  readonly tenant: Tenant | null
  name: string
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
    roots: [],
    rootsSorted: true,
    totals: [0, 0, 0],
  }
}

type NewPlace = Pick<Place, 'id' | 'kind' | 'parent' | 'ref' | 'tenant' | 'name'>

function addPlace(places: Places, added: NewPlace): Place {
  const index = places.free.pop() ?? places.byIndex.length
  const place: Place = {
    ...added,
    index,
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
  isPlaceless(place) && place.kind !== 'tenant' && place.tenant
    ? { connections: [...place.tenant.connections.keys()] }
    : {}

export function rowCount(place: Place): number {
  return place.counts[0] + place.counts[1] + place.counts[2]
}

export function countsOf(counts: Place['counts']): Counts {
  return { connected: counts[2], disconnected: counts[0], unknown: counts[1] }
}

export function tenantPlace(places: Places, tenant: Tenant): Place {
  const id = tenantNode(tenant.key)
  const node = regionNode(tenant.service, tenant.region)
  const region =
    places.byId.get(node) ??
    addPlace(places, {
      id: node,
      kind: 'region',
      parent: null,
      ref: tenant.region,
      tenant: null,
      name: tenant.region ?? 'No region',
    })
  return (
    places.byId.get(id) ??
    addPlace(places, { id, kind: 'tenant', parent: region, ref: tenant.id, tenant, name: tenant.name })
  )
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

function sitePlace(places: Places, tenant: Tenant, site: NamedRef | null): Place {
  const id = siteNode(tenant.key, site?.id ?? null)
  return (
    places.byId.get(id) ??
    addPlace(places, {
      id,
      kind: 'site',
      parent: tenantPlace(places, tenant),
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

/** Removes an empty place, and then those above it that are empty. Tenants stay. */
export function prune(places: Places, place: Place | null): void {
  if (!place || place.kind === 'tenant' || place.children.length > 0 || rowCount(place) > 0) return
  removePlace(places, place)
  prune(places, place.parent)
}

/** Removes a tenant without rows, and its region when that was the last tenant. */
export function removeTenantPlace(places: Places, place: Place): void {
  removePlace(places, place)
  prune(places, place.parent)
}

function removePlace(places: Places, place: Place): void {
  const around = siblings(places, place)
  around.splice(around.indexOf(place), 1)
  places.byId.delete(place.id)
  places.byIndex[place.index] = null
  places.free.push(place.index)
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

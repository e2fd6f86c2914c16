import type { StoredPlaces } from '../../storage/cache/places.ts'
import { roomNode, siteNode } from '../keys.ts'
import { recordAll } from './changes.ts'
import { accountsOf, type Directory, hasAccountLevel, type ListedRoom, sameAccounts } from './directory.ts'
import { type Inventory, renamePlace, type Touched } from './inventory.ts'
import {
  aboveSite,
  accountPlace,
  attach,
  type Place,
  pruneAll,
  rename,
  roomPlace,
  rowCount,
  sitePlace,
  tenantPlace,
} from './places.ts'
import type { Tenant } from './tenants.ts'

/** A directory from the cache. */
export function directoryFrom(
  tenant: Tenant,
  { readAt, requestOrder, accounts, sites, rooms }: StoredPlaces,
): Directory {
  return {
    requestOrder,
    readAt,
    accounts: accounts && new Map(accounts.map(({ id, name }) => [id, name])),
    sites: new Map(sites.map((site) => [site.id, site])),
    rooms: new Map(rooms.map((room) => [roomNode(tenant.key, room.site, room.id), room])),
  }
}

/**
 * Sets what a connection lists in a tenant; null: nothing any more. Places come and go, take the names and the accounts
 * of the directory, and only what differs is recorded. No row is read: counts move with their site.
 */
export function setDirectory(
  inventory: Inventory,
  tenant: Tenant,
  connection: string,
  directory: Directory | null,
  touched: Touched,
): void {
  const { places } = inventory
  const before = tenant.directories.get(connection) ?? null
  if (directory) tenant.directories.set(connection, directory)
  else tenant.directories.delete(connection)
  const version = places.version
  const accounts = accountsOf(tenant.directories.values())
  // A policy of the only account follows its sites, although no place of the tree changes.
  if (!sameAccounts(accounts, tenant.accounts)) touched.structure = true
  tenant.accounts = accounts
  arrangeSites(inventory, tenant, touched)
  if (directory) listPlaces(inventory, tenant, directory, before, touched)
  if (before) unlistPlaces(inventory, tenant, before, directory, touched)
  if (places.version !== version) touched.structure = true
}

/** Makes the nodes of the accounts, or removes them, and puts each site below its own. */
function arrangeSites(inventory: Inventory, tenant: Tenant, touched: Touched): void {
  const { places } = inventory
  const top = tenantPlace(places, tenant)
  const former = top.children.filter(({ kind }) => kind === 'account')
  if (former.length === 0 && !hasAccountLevel(tenant.accounts)) return
  for (const account of former) account.listings = 0
  let hasMovedRows = false
  if (hasAccountLevel(tenant.accounts)) {
    for (const [id, name] of tenant.accounts.names) {
      const account = accountPlace(places, tenant, id)
      account.listings = 1
      if (rename(places, account, name) && rowCount(account) > 0) hasMovedRows = true
    }
  }
  const sites = [...top.children.filter(({ kind }) => kind === 'site'), ...former.flatMap(({ children }) => children)]
  const moved = sites.filter((site) => aboveSite(places, tenant, site.ref) !== site.parent)
  moveSites(inventory, tenant, moved)
  pruneAll(places, former)
  if (!hasMovedRows && !moved.some((site) => rowCount(site) > 0)) return
  recordAll(inventory.changes, 'place')
  recordAll(inventory.changes, 'notes')
  touched.many = true
}

/** Their former siblings are passed over once, however many move. */
function moveSites({ places }: Inventory, tenant: Tenant, moved: readonly Place[]): void {
  const going = new Set(moved)
  for (const parent of new Set(moved.flatMap((site) => site.parent ?? [])))
    parent.children = parent.children.filter((child) => !going.has(child))
  for (const site of moved) attach(places, site, aboveSite(places, tenant, site.ref))
}

function listPlaces(
  inventory: Inventory,
  tenant: Tenant,
  { requestOrder, sites, rooms }: Directory,
  before: Directory | null,
  touched: Touched,
): void {
  const { places } = inventory
  for (const site of sites.values()) {
    const place = sitePlace(places, tenant, site)
    if (before?.sites.has(site.id) !== true) place.listings += 1
    renamePlace(inventory, place, site.name, requestOrder, touched)
  }
  for (const [node, room] of rooms) {
    const place = places.byId.get(node) ?? listedRoom(inventory, tenant, room)
    if (before?.rooms.has(node) !== true) place.listings += 1
    renamePlace(inventory, place, room.name, requestOrder, touched)
    setFacts(place, room, touched)
  }
}

/** A room in a site that is not listed itself: the site has no name until a device tells one. */
const listedRoom = ({ places }: Inventory, tenant: Tenant, { id, name, site }: ListedRoom): Place =>
  roomPlace(places, tenant, site === null ? null : { id: site, name: '' }, { id, name })

function setFacts(place: Place, { capacity, size, floor }: ListedRoom, touched: Touched): void {
  const { facts } = place
  if (facts?.capacity === capacity && facts.size === size && facts.floor === floor) return
  place.facts = { capacity, size, floor }
  touched.structure = true
}

/** Places that nothing else keeps go. A room that stays, because of its devices, has no facts any more. */
function unlistPlaces(
  { places }: Inventory,
  tenant: Tenant,
  before: Directory,
  after: Directory | null,
  touched: Touched,
): void {
  const left: Place[] = []
  const leave = (node: string) => {
    const place = places.byId.get(node)
    if (place) left.push(place)
  }
  for (const id of before.sites.keys()) if (after?.sites.has(id) !== true) leave(siteNode(tenant.key, id))
  for (const node of before.rooms.keys()) if (after?.rooms.has(node) !== true) leave(node)
  for (const place of left) {
    place.listings -= 1
    if (place.listings > 0 || place.facts === null) continue
    place.facts = null
    touched.structure = true
  }
  pruneAll(places, left)
}

import { randomUUID } from 'node:crypto'
import type { PlacePools } from '../generate/place-pools.ts'
import type { Account, Room, RoomSize, Site } from '../store/rows.ts'
import type { Row, Store } from '../store/store.ts'
import { pageOf } from '../search/place-pages.ts'
import type { PlacePage, PlaceSearch } from '../search/place-pages.ts'
import { tenantPlaces } from '../search/tenant-places.ts'
import type { TenantPlaces, TenantPlacesPage } from '../search/tenant-places.ts'

/** Verbs for sites and rooms. */
export function placeVerbs({
  store,
  placePools,
  notify,
}: {
  store: Store
  placePools: PlacePools
  notify: (deviceId: string) => void
}) {
  const site = (id: string): Site | undefined => store.all('SELECT * FROM sites WHERE id = ?', id).map(toSite)[0]
  // Accounts are created with the world and never change.
  const accounts = new Map(
    store
      .all('SELECT * FROM accounts ORDER BY rowid')
      .map(toAccount)
      .map((account) => [account.id, account]),
  )
  const accountsIn = Map.groupBy(accounts.values(), ({ tenantId }) => tenantId)
  const firstAccount = (tenantId: string): string => there(accountsIn.get(tenantId)?.[0], tenantId).id
  return {
    ...roomVerbs(store, placePools, notify),
    account: (id: string): Account | undefined => accounts.get(id),
    accounts: (tenantId: string): Account[] => accountsIn.get(tenantId) ?? [],
    sitesOf: (accountId: string, search: PlaceSearch): PlacePage<Site> =>
      pageOf(store, { table: 'sites', column: 'accountId', value: accountId }, search, toSite),
    sitesOfTenant: (search: TenantPlaces): TenantPlacesPage<Site> => tenantPlaces(store, 'sites', search, toSite),
    site,
    sites: (tenantId: string) =>
      store.all('SELECT * FROM sites WHERE tenantId = ? ORDER BY rowid', tenantId).map(toSite),
    addSite(tenantId: string, name: string, accountId = firstAccount(tenantId)): Site {
      if (accounts.get(accountId)?.tenantId !== tenantId) throw new RangeError(`The tenant has no account ${accountId}`)
      const made = { id: randomUUID(), tenantId, accountId, name }
      placePools.forget()
      store.addSite({ ...made, language: 'en', code: name.slice(0, 3).toUpperCase() })
      return made
    },
    renameSite(id: string, name: string): Site {
      placePools.forget()
      store.run('UPDATE sites SET name = ? WHERE id = ?', name, id)
      return there(site(id), id)
    },
  }
}

function roomVerbs(store: Store, placePools: PlacePools, notify: (deviceId: string) => void) {
  const room = (id: string): Room | undefined => store.all('SELECT * FROM rooms WHERE id = ?', id).map(toRoom)[0]
  return {
    room,
    rooms: (siteId: string) => store.all('SELECT * FROM rooms WHERE siteId = ? ORDER BY rowid', siteId).map(toRoom),
    roomsOf: (siteId: string, search: PlaceSearch): PlacePage<Room> =>
      pageOf(store, { table: 'rooms', column: 'siteId', value: siteId }, search, toRoom),
    roomsOfTenant: (search: TenantPlaces): TenantPlacesPage<Room> => tenantPlaces(store, 'rooms', search, toRoom),
    addRoom(given: Omit<Room, 'id'>): Room {
      const made = { id: randomUUID(), ...given }
      placePools.forget()
      store.addRoom(made)
      return made
    },
    changeRoom(id: string, { siteId, name, floor, capacity, size }: Omit<Room, 'id'>): Room {
      placePools.forget()
      const before = there(room(id), id)
      const inside =
        before.siteId === siteId
          ? []
          : store.all('SELECT id FROM devices WHERE roomId = ? ORDER BY id', id).map((row) => String(row['id']))
      store.together(() => {
        store.run(
          'UPDATE rooms SET siteId = ?, name = ?, floor = ?, capacity = ?, size = ? WHERE id = ?',
          siteId,
          name,
          floor,
          capacity,
          size,
          id,
        )
        if (inside.length > 0) store.run('UPDATE devices SET siteId = ? WHERE roomId = ?', siteId, id)
      })
      inside.forEach(notify)
      return there(room(id), id)
    },
  }
}

function there<T>(thing: T | undefined, id: string): T {
  if (thing === undefined) throw new RangeError(`The world has no place ${id}`)
  return thing
}

const toAccount = ({ id, name, tenantId }: Row): Account => ({
  id: String(id),
  name: String(name),
  tenantId: String(tenantId),
})
const toSite = ({ id, name, tenantId, accountId }: Row): Site => ({
  id: String(id),
  name: String(name),
  tenantId: String(tenantId),
  accountId: String(accountId),
})
const toRoom = ({ id, name, siteId, floor, capacity, size }: Row): Room => ({
  id: String(id),
  name: String(name),
  siteId: String(siteId),
  floor: typeof floor === 'string' ? floor : null,
  capacity: typeof capacity === 'number' ? capacity : null,
  size: size as RoomSize,
})

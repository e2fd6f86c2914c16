import { emptyPlaces } from './empty-places.ts'
import type { EmptyPlaces } from './empty-places.ts'
import { makePlacePool, makeTenants, shareOut } from './generate.ts'
import type { PlacePool } from './generate.ts'
import { namingSchemeOf, makeDevice } from './make-device.ts'
import { itemAt, startRandom } from '../random.ts'
import type { Random } from '../random.ts'
import type { WorldSize } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/**
 * Creates the world of that size as it is at `now`, in one transaction, with places without devices if `hasEmpty`;
 * returns the random source for later draws.
 */
export function fillStore(store: Store, size: WorldSize, now: number, hasEmpty = false): Random {
  const [random, emptyRandom] = [startRandom(size.seed), startRandom(size.seed ^ 0xe3b7)]
  const shares = shareOut(size.tenants, size.devices)
  const placePools = makeTenants(random, size.tenants).map((tenant, index) =>
    makePlacePool(random, tenant, itemAt(shares, index)),
  )
  let n = 0
  store.together(() => {
    store.create(size)
    for (const [index, places] of placePools.entries()) {
      addEstate(store, places)
      if (hasEmpty) addEmpty(store, emptyPlaces(emptyRandom, places, index))
      const namingScheme = namingSchemeOf(index)
      for (let i = 0; i < itemAt(shares, index); i += 1)
        store.addDevice(makeDevice(random, n++, places, namingScheme, now))
    }
    store.index()
  })
  return random
}

function addEmpty(store: Store, { accounts, sites, rooms }: EmptyPlaces): void {
  for (const account of accounts) store.addAccount(account)
  for (const site of sites) store.addSite(site)
  for (const room of rooms) store.addRoom(room)
}

function addEstate(store: Store, places: PlacePool): void {
  store.addTenant(places.tenant)
  for (const account of places.accounts) store.addAccount(account)
  for (const site of places.sites) store.addSite(site)
  for (const { room } of places.places) store.addRoom(room)
}

import { emptyPlaces } from './empty-places.ts'
import type { EmptyPlaces } from './empty-places.ts'
import { makeEstate, makeTenants, shareOut } from './generate.ts'
import type { Estate } from './generate.ts'
import { habitOf, makeDevice } from './make-device.ts'
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
  const estates = makeTenants(random, size.tenants).map((tenant, index) =>
    makeEstate(random, tenant, itemAt(shares, index)),
  )
  let n = 0
  store.together(() => {
    store.create(size)
    for (const [index, estate] of estates.entries()) {
      addEstate(store, estate)
      if (hasEmpty) addEmpty(store, emptyPlaces(emptyRandom, estate, index))
      const habit = habitOf(index)
      for (let i = 0; i < itemAt(shares, index); i += 1) store.addDevice(makeDevice(random, n++, estate, habit, now))
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

function addEstate(store: Store, estate: Estate): void {
  store.addTenant(estate.tenant)
  for (const account of estate.accounts) store.addAccount(account)
  for (const site of estate.sites) store.addSite(site)
  for (const { room } of estate.places) store.addRoom(room)
}

import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import { fold } from '../engine/filter/fold.ts'
import { type Inventory, roomOf } from '../engine/inventory.ts'
import { comparePlaces } from '../engine/sort/orders.ts'
import { factsOf, listedBy, onlyAccountAt, placeAt, rowCount, titleOf, type Place } from '../engine/places.ts'

/** Places by name, by id or by a device of theirs (contract.ts, `inventory.places`). */
export function findPlaces(
  inventory: Inventory,
  { asked, limit }: CallInput<'inventory.places'>,
): CallOutput<'inventory.places'> {
  const found =
    'find' in asked
      ? placesByName(inventory, asked)
      : 'nodes' in asked
        ? placesById(inventory, asked.nodes)
        : placesOfDevice(inventory, asked.device)
  return {
    total: found.length,
    places: found.slice(0, limit).map((place) => ({
      ...placeRef(inventory, place),
      ...factsOf(place),
      ...[place, ...ancestors(place)].map(onlyAccountAt).find(({ onlyAccount }) => onlyAccount !== undefined),
      above: ancestors(place).map((each) => placeRef(inventory, each)),
    })),
  }
}

const ranks: Record<Place['kind'], number> = { tenant: 0, account: 1, site: 2, room: 3, region: 4 }

type ByName = Extract<CallInput<'inventory.places'>['asked'], { find: string }>

function placesByName({ places }: Inventory, { find, within, kind, empty }: ByName): Place[] {
  const text = fold(find.trim())
  const isWanted = (place: Place) =>
    (kind === undefined || place.kind === kind) &&
    (empty !== true || rowCount(place) === 0) &&
    (within === undefined || ancestors(place).some(({ id }) => id === within))
  const nameOf = (place: Place) => places.names[places.nameAt[place.index] ?? -1] ?? ''
  const found = places.byIndex.filter(
    (place) =>
      place !== null && (places.nameAt[place.index] ?? -1) !== -1 && nameOf(place).includes(text) && isWanted(place),
  ) as Place[]
  const startRank = (place: Place) => (nameOf(place).startsWith(text) ? 0 : 1)
  return found.sort(
    (one, other) =>
      startRank(one) - startRank(other) || ranks[one.kind] - ranks[other.kind] || comparePlaces(one, other),
  )
}

function placesById({ places }: Inventory, ids: readonly string[]): Place[] {
  return ids.flatMap((id) => placeAt(places, id) ?? [])
}

function placesOfDevice(inventory: Inventory, key: string): Place[] {
  const slot = inventory.rows.slotOf.get(key)
  return slot === undefined ? [] : [roomOf(inventory, slot)]
}

const placeRef = ({ places }: Inventory, place: Place) => ({
  id: place.id,
  kind: place.kind,
  name: titleOf(places, place),
  ...listedBy(place),
})

function ancestors(place: Place): Place[] {
  return place.parent === null ? [] : [place.parent, ...ancestors(place.parent)]
}

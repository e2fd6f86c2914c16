import type { FleetMap } from '../map/use-map.ts'

/** A place with those below it. `counts`: offline, without data, online. */
export interface TreePlace {
  id: string
  name: string
  counts: [number, number, number]
  below: TreePlace[]
}

/** Returns the places of a map as a tree, those with devices only. */
export function placeTree({ places: { groups, tiles }, counts }: Pick<FleetMap, 'places' | 'counts'>): TreePlace[] {
  const newPlace = ({ id, name }: { id: string; name: string }): TreePlace => ({
    id,
    name,
    counts: [0, 0, 0],
    below: [],
  })
  const all = groups.map(newPlace)
  tiles.forEach((tile, index) => {
    const place = newPlace(tile)
    place.counts = [0, 1, 2].map((status) => counts[index * 3 + status] ?? 0) as TreePlace['counts']
    all[tile.group]?.below.push(place)
  })
  // A group comes after the one that it is in.
  for (const [index, group] of groups.entries())
    if (group.parent !== null) all[group.parent]?.below.push(all[index] ?? newPlace(group))
  for (const place of all.toReversed())
    for (const one of place.below) one.counts.forEach((count, status) => (place.counts[status as 0 | 1 | 2] += count))
  return withDevices(all.filter((_, index) => groups[index]?.parent === null))
}

const withDevices = (places: readonly TreePlace[]): TreePlace[] =>
  places
    .filter(({ counts: [offline, none, online] }) => offline + none + online > 0)
    .map((place) => ({ ...place, below: withDevices(place.below) }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))

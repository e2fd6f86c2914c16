import type { MapGroup } from '../map/layout.ts'
import { countsAt, type TileCounts } from '../map/looks.ts'
import type { FleetMap } from '../map/use-map.ts'

/** The part of a map that is within one place. */
export interface MapBelow {
  /** The names around the place, the widest first, and its own. */
  path: readonly Pick<MapGroup, 'id' | 'name' | 'kind'>[]
  map: FleetMap
  counts: TileCounts
}

/** Returns the part of a map within a place, which is one of its groups or tiles; null where it is neither. */
export function mapBelow(map: FleetMap, place: string): MapBelow | null {
  const { groups, tiles, kind } = map.places
  const group = groups.findIndex(({ id }) => id === place)
  const own = tiles.find(({ id }) => id === place)
  if (group === -1 && own === undefined) return null
  const within = groups.map(() => false)
  groups.forEach(
    ({ parent }, index) => (within[index] = index === group || (parent !== null && within[parent] === true)),
  )
  const kept = tiles.flatMap((tile, index) => (tile === own || within[tile.group] === true ? [index] : []))
  const places = new Map(kept.map((tile, index) => [tile, index]))
  const counts = kept.flatMap((tile) => map.counts.slice(tile * 3, tile * 3 + 3))
  return {
    path: [
      ...groupsTo(groups, group === -1 ? (own?.group ?? null) : group),
      ...(group === -1 && own !== undefined ? [{ id: own.id, name: own.name, kind }] : []),
    ],
    map: {
      layout: `${map.layout} ${place}`,
      places: { ...map.places, tiles: kept.flatMap((tile) => tiles.slice(tile, tile + 1)), leftOut: 0 },
      counts,
      devices: kept.map((tile) => map.devices[tile] ?? 0),
      watched: map.watched.flatMap((tile) => places.get(tile) ?? []),
    },
    counts: kept.reduce((sum, _, tile) => added(sum, countsAt(counts, tile)), { offline: 0, unknown: 0, online: 0 }),
  }
}

const added = (one: TileCounts, other: TileCounts): TileCounts => ({
  offline: one.offline + other.offline,
  unknown: one.unknown + other.unknown,
  online: one.online + other.online,
})

function groupsTo(groups: readonly MapGroup[], index: number | null): readonly MapGroup[] {
  const group = index === null ? undefined : groups[index]
  return group === undefined ? [] : [...groupsTo(groups, group.parent), group]
}

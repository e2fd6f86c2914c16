import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { at, statusCodes } from '../../engine/columns/columns.ts'
import type { Match } from '../../engine/filter/filters.ts'
import { roomOf, type Inventory } from '../../engine/inventory.ts'
import { countsOf, type Place, placeAt, titleOf } from '../../engine/places.ts'
import { comparePlaces } from '../../engine/sort/orders.ts'
import type { OverviewData } from '../../thread/overview-protocol.ts'

type Answer = CallOutput<'overview.map'>
type Layout = NonNullable<Answer['places']>
type TileKind = Layout['kind']

/** The most tiles of a map (overview-calls.ts). */
const maxTiles = 20_000

/** The tiles of the last maps, so that a map that only changed its counts is not laid out again. */
export interface FleetMaps {
  /** Part of the names of layouts, which differ from those of a thread before this one. */
  readonly run: number
  readonly last: Map<TileKind, Tiles>
}

interface Tiles {
  version: number
  layout: Layout
  tiles: readonly Place[]
  indexOf: ReadonlyMap<Place, number>
}

/** `rev`: the thread's first revision. */
export const newFleetMaps = (rev: number): FleetMaps => ({ run: rev, last: new Map() })

/** Answers `overview.map`. `watched`: keys of devices and ids of rooms. */
export function fleetMap(
  inventory: Inventory,
  maps: FleetMaps,
  { tiles: kind, layout: known, watched, query, now }: Parameters<OverviewData['overviewMap']>[0],
): Omit<Answer, 'rev'> {
  const { layout, places, tiles, indexOf } = fleetTiles(inventory, maps, kind)
  const match = query === undefined ? null : inventory.filters.matching(query, now)
  return {
    layout,
    places: known === layout ? null : places,
    ...(match === null ? countsOfAll(inventory, tiles) : countsOfMatch(inventory, indexOf, match)),
    watched: watchedTiles(inventory, indexOf, watched),
  }
}

type Counted = Pick<Answer, 'counts' | 'totals'>

function countsOfAll({ places }: Inventory, tiles: readonly Place[]): Counted {
  const counts: number[] = []
  for (const tile of tiles)
    counts.push(
      tile.counts[statusCodes.disconnected],
      tile.counts[statusCodes.unknown],
      tile.counts[statusCodes.connected],
    )
  return { counts, totals: countsOf(places.totals) }
}

function countsOfMatch(inventory: Inventory, indexOf: ReadonlyMap<Place, number>, { mask }: Match): Counted {
  const counts = Array.from({ length: indexOf.size * 3 }, () => 0)
  const totals: [number, number, number] = [0, 0, 0]
  mask.forEach((matches, slot) => {
    if (matches !== 1) return
    // The codes are in the order of the counts.
    const status = at(inventory.rows.status, slot)
    totals[status] = (totals[status] ?? 0) + 1
    const tile = tileOf(indexOf, roomOf(inventory, slot))
    if (tile !== undefined) counts[tile * 3 + status] = (counts[tile * 3 + status] ?? 0) + 1
  })
  const [disconnected, unknown, connected] = totals
  return { counts, totals: { connected, disconnected, unknown } }
}

function tileOf(indexOf: ReadonlyMap<Place, number>, room: Place): number | undefined {
  for (let place: Place | null = room; place; place = place.parent) {
    const index = indexOf.get(place)
    if (index !== undefined) return index
  }
  return undefined
}

/** Returns the present tiles of a kind, in the order of the layout's; `layout`: its name. */
export function fleetTiles(
  inventory: Inventory,
  maps: FleetMaps,
  kind: TileKind,
): { layout: string; places: Layout; tiles: readonly Place[]; indexOf: ReadonlyMap<Place, number> } {
  const { version } = inventory.places
  const present = maps.last.get(kind)
  const tiles = present?.version === version ? present : tilesOf(inventory, kind)
  maps.last.set(kind, tiles)
  const { layout: places, tiles: all, indexOf } = tiles
  return { layout: `${maps.run}.${version}.${kind}`, places, tiles: all, indexOf }
}

function tilesOf(inventory: Inventory, kind: TileKind): Tiles {
  const { places } = inventory
  if (kind === 'room' && roomsIn(places.roots) > maxTiles) return tilesOf(inventory, 'site')
  const tiles: Place[] = []
  const layout: Layout = { kind, groups: [], tiles: [], leftOut: 0 }
  const visit = (place: Place, parent: number | null) => {
    if (place.kind === kind) {
      if (tiles.length >= maxTiles) return void (layout.leftOut += 1)
      layout.tiles.push({ id: place.id, name: place.name, group: parent ?? 0 })
      return void tiles.push(place)
    }
    const group = layout.groups.length
    layout.groups.push({ id: place.id, kind: place.kind, name: titleOf(places, place), parent })
    for (const child of place.children.toSorted(comparePlaces)) visit(child, group)
  }
  for (const root of places.roots.toSorted(comparePlaces)) visit(root, null)
  return {
    version: places.version,
    layout,
    tiles,
    indexOf: new Map(tiles.map((place, index) => [place, index])),
  }
}

const roomsIn = (places: readonly Place[]): number =>
  places.reduce(
    (sum, { kind, children }) => sum + (kind === 'room' ? 1 : kind === 'site' ? children.length : roomsIn(children)),
    0,
  )

function watchedTiles(inventory: Inventory, indexOf: ReadonlyMap<Place, number>, watched: readonly string[]): number[] {
  const found = new Set<number>()
  for (const key of watched) {
    const slot = inventory.rows.slotOf.get(key)
    const start = slot === undefined ? placeAt(inventory.places, key) : roomOf(inventory, slot)
    const tile = start === undefined ? undefined : tileOf(indexOf, start)
    if (tile !== undefined) found.add(tile)
  }
  return [...found].sort((one, other) => one - other)
}

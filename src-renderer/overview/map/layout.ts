import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { squarified, type Rect } from './treemap.ts'

export type MapPlaces = NonNullable<CallOutput<'overview.map'>['places']>
export type MapGroup = MapPlaces['groups'][number]
export type MapTile = MapPlaces['tiles'][number]

export interface MapLayout {
  /** By index of the group: its rectangle, and the height of its heading, 0 for none. */
  groups: readonly { rect: Rect; head: number }[]
  /** By index of the tile; empty for one without devices. */
  tiles: readonly Rect[]
}

/** Heights of headings, and the smallest rectangle that has one, in CSS pixels. */
const headHeights: Partial<Record<MapGroup['kind'], number>> = { region: 16, tenant: 16, account: 14, site: 13 }
const smallest = { width: 54, height: 46 }
/** The space between groups, in CSS pixels. */
const gaps: Partial<Record<MapGroup['kind'], number>> = { region: 3, tenant: 2, account: 1, site: 1 }

/** Lays the map out: each group's area by the devices in it, and within it each tile's by its own. */
export function mapLayout({ groups, tiles }: MapPlaces, devices: readonly number[], box: Rect): MapLayout {
  const below = childrenOf(groups, tiles)
  const weights = groups.map(() => 0)
  tiles.forEach(({ group }, index) => {
    for (let at: number | null = group; at !== null; at = groups[at]?.parent ?? null)
      weights[at] = (weights[at] ?? 0) + (devices[index] ?? 0)
  })
  const nothing = { x: box.x, y: box.y, width: 0, height: 0 }
  const rects: { rect: Rect; head: number }[] = groups.map(() => ({ rect: nothing, head: 0 }))
  const tileRects: Rect[] = tiles.map(() => nothing)
  const isOneRegion = below.roots.filter((root) => (weights[root] ?? 0) > 0).length === 1
  const fill = (childGroups: readonly number[], childTiles: readonly number[], inner: Rect) => {
    const all = [...childGroups.map((index) => weights[index] ?? 0), ...childTiles.map((index) => devices[index] ?? 0)]
    const placed = squarified(all, inner)
    childTiles.forEach((tile, place) => (tileRects[tile] = placed[childGroups.length + place] ?? nothing))
    childGroups.forEach((index, place) => {
      const kind = groups[index]?.kind ?? 'tenant'
      const rect = placed[place] ?? nothing
      const fits = rect.width >= smallest.width && rect.height >= smallest.height
      const head = fits && !(kind === 'region' && isOneRegion) ? (headHeights[kind] ?? 0) : 0
      rects[index] = { rect, head }
      fill(below.groups.at(index) ?? [], below.tiles.at(index) ?? [], innerOf(rect, head, gaps[kind] ?? 0))
    })
  }
  fill(below.roots, [], box)
  return { groups: rects, tiles: tileRects }
}

function innerOf({ x, y, width, height }: Rect, head: number, gap: number): Rect {
  const pad = Math.min(gap, width / 8, height / 8)
  return {
    x: x + pad,
    y: y + head + pad,
    width: Math.max(0, width - 2 * pad),
    height: Math.max(0, height - head - 2 * pad),
  }
}

function childrenOf(groups: readonly MapGroup[], tiles: readonly MapTile[]) {
  const inGroups: number[][] = groups.map(() => [])
  const inTiles: number[][] = groups.map(() => [])
  const roots: number[] = []
  groups.forEach(({ parent }, index) => (parent === null ? roots : (inGroups[parent] ?? roots)).push(index))
  tiles.forEach(({ group }, index) => inTiles[group]?.push(index))
  return { roots, groups: inGroups, tiles: inTiles }
}

/** Returns the index of the tile at a point; null for none. */
export function tileAt({ tiles }: MapLayout, x: number, y: number): number | null {
  const index = tiles.findIndex(
    (rect) => x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height,
  )
  return index === -1 ? null : index
}

export type Direction = 'left' | 'right' | 'up' | 'down'

const middle = ({ x, y, width, height }: Rect) => ({ x: x + width / 2, y: y + height / 2 })

/**
 * Returns the tile that is next in a direction: of those whose middle lies there, the nearest one, where a step aside counts
 * twice; the same tile at the edge.
 */
export function neighbour({ tiles }: MapLayout, index: number, direction: Direction): number {
  const from = tiles[index]
  if (from === undefined) return index
  const here = middle(from)
  let [best, least] = [index, Infinity]
  tiles.forEach((rect, other) => {
    if (rect.width <= 0 || other === index) return
    const to = middle(rect)
    const [dx, dy] = [to.x - here.x, to.y - here.y]
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction]
    if (ahead <= 0.5) return
    const aside = direction === 'left' || direction === 'right' ? Math.abs(dy) : Math.abs(dx)
    const distance = ahead + 2 * aside
    if (distance < least) [best, least] = [other, distance]
  })
  return best
}

/** Returns the tiles with devices, in the order of their groups. */
export function readingOrder({ tiles }: MapLayout): readonly number[] {
  return tiles.flatMap(({ width }, index) => (width > 0 ? [index] : []))
}

/** Returns the names of the groups around a tile, the deepest first. */
export function pathOf({ groups, tiles }: MapPlaces, index: number): readonly string[] {
  const names: string[] = []
  for (let at: number | null = tiles[index]?.group ?? null; at !== null; at = groups[at]?.parent ?? null)
    names.push(groups[at]?.name ?? '')
  return names
}

import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useSettings } from '../../settings/use-settings.ts'
import type { MapLayout } from './layout.ts'
import { countsAt, lookOf, tileNote, type Colouring, type TileData } from './looks.ts'
import { brushFor, paintMap, paintTile, readPalette, type Brush, type PaintedTile } from './paint.ts'
import type { FleetMap } from './use-map.ts'

/** The size of the map in CSS pixels. */
export interface Size {
  width: number
  height: number
  /** Device pixels of a CSS pixel. */
  ratio: number
}

/** The size of the box, which follows the window, the zoom and the display. */
export function useSize(box: RefObject<HTMLDivElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, ratio: window.devicePixelRatio })
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const measure = () => {
      const next = { width: current.clientWidth, height: current.clientHeight, ratio: window.devicePixelRatio }
      setSize((last) =>
        last.width === next.width && last.height === next.height && last.ratio === next.ratio ? last : next,
      )
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(current)
    window.addEventListener('resize', measure)
    return () => {
      sizes.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [box])
  return size
}

/** All that the drawing depends on. */
interface Scene {
  map: FleetMap
  layout: MapLayout
  size: Size
  colouring: Colouring
  data: ReadonlyMap<string, TileData> | null
}

/** Draws the map: all of it when size, colours, places or data change, and otherwise only the tiles that differ. */
export function useCanvas(box: RefObject<HTMLDivElement | null>, scene: Scene): RefObject<HTMLCanvasElement | null> {
  const { map, layout, size, colouring, data } = scene
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef<{ brush: Brush; scene: Scene; theme: string } | null>(null)
  const theme = useTheme()
  useEffect(() => {
    if (canvas.current === null || box.current === null || size.width === 0) return
    const next = { map, layout, size, colouring, data }
    const last = drawn.current
    if (last !== null && last.theme === theme && isSameGround(last.scene, next)) {
      for (const tile of changedTiles(last.scene.map, map)) paintTile(last.brush, paintedTile(next, tile))
      drawn.current = { ...last, scene: next }
      return
    }
    const brush = brushFor(canvas.current, readPalette(box.current), size, size.ratio)
    if (brush === null) return
    const groups = map.places.groups.map(({ name, kind }, index) => ({
      ...(layout.groups.at(index) ?? { rect: nothing, head: 0 }),
      name,
      strong: kind === 'region' || kind === 'tenant',
    }))
    const tiles = map.places.tiles.map((_, tile) => paintedTile(next, tile))
    paintMap(brush, size, groups, tiles)
    drawn.current = { brush, scene: next, theme }
  }, [box, map, layout, size, colouring, data, theme])
  return canvas
}

const nothing = { x: 0, y: 0, width: 0, height: 0 }

const isSameGround = (one: Scene, other: Scene): boolean =>
  one.size === other.size &&
  one.layout === other.layout &&
  one.map.places === other.map.places &&
  one.colouring === other.colouring &&
  one.data === other.data

/** Returns the tiles whose counts or marks differ. */
function changedTiles(before: FleetMap, after: FleetMap): Set<number> {
  const changed = new Set<number>()
  after.counts.forEach((count, index) => {
    if (count !== before.counts[index]) changed.add(Math.floor(index / 3))
  })
  const [were, are] = [new Set(before.watched), new Set(after.watched)]
  for (const tile of were) if (!are.has(tile)) changed.add(tile)
  for (const tile of are) if (!were.has(tile)) changed.add(tile)
  return changed
}

function paintedTile({ map, layout, colouring, data }: Scene, tile: number): PaintedTile {
  const { id, name } = map.places.tiles[tile] ?? { id: '', name: '' }
  const [counts, past] = [countsAt(map.counts, tile), data?.get(id)]
  return {
    rect: layout.tiles[tile] ?? nothing,
    look: lookOf(colouring, counts, past),
    name,
    note: () => tileNote(colouring, counts, past),
    watched: map.watched.includes(tile),
  }
}

/** A text that changes with the colours of the page. */
function useTheme(): string {
  const { theme } = useSettings()
  const [dark, setDark] = useState(() => window.matchMedia(darkQuery).matches)
  useEffect(() => {
    const query = window.matchMedia(darkQuery)
    const follow = () => setDark(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return `${theme} ${dark}`
}

const darkQuery = '(prefers-color-scheme: dark)'

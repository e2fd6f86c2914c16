import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useSettings } from '../../settings/use-settings.ts'
import type { MapLayout } from './layout.ts'
import { countsAt, lookOf, tileNote, type Colouring, type TileHistory } from './looks.ts'
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

/** What is drawn of each tile. */
export function usePainted(
  map: FleetMap,
  layout: MapLayout,
  colouring: Colouring,
  history: ReadonlyMap<string, TileHistory> | null,
): readonly PaintedTile[] {
  return useMemo(() => {
    const watched = new Set(map.watched)
    return map.places.tiles.map(({ id, name }, tile) => {
      const counts = countsAt(map.counts, tile)
      const past = history?.get(id)
      return {
        rect: layout.tiles[tile] ?? { x: 0, y: 0, width: 0, height: 0 },
        look: lookOf(colouring, counts, past),
        name,
        note: tileNote(colouring, counts, past),
        watched: watched.has(tile),
      }
    })
  }, [map, layout, colouring, history])
}

/** Draws the map: all of it when size, colours or layout change, and otherwise only the tiles that differ. */
export function useCanvas(
  box: RefObject<HTMLDivElement | null>,
  size: Size,
  map: FleetMap,
  layout: MapLayout,
  tiles: readonly PaintedTile[],
) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef<{
    brush: Brush
    size: Size
    layout: MapLayout
    tiles: readonly PaintedTile[]
    theme: string
  } | null>(null)
  const theme = useTheme()
  useEffect(() => {
    if (canvas.current === null || box.current === null || size.width === 0) return
    const last = drawn.current
    if (last !== null && last.size === size && last.layout === layout && last.theme === theme) {
      tiles.forEach((tile, index) => {
        if (differs(tile, last.tiles[index])) paintTile(last.brush, tile)
      })
      drawn.current = { ...last, tiles }
      return
    }
    const brush = brushFor(canvas.current, readPalette(box.current), size, size.ratio)
    if (brush === null) return
    const groups = map.places.groups.map(({ name, kind }, index) => ({
      ...(layout.groups[index] ?? { rect: { x: 0, y: 0, width: 0, height: 0 }, head: 0 }),
      name,
      strong: kind === 'region' || kind === 'tenant',
    }))
    paintMap(brush, size, groups, tiles)
    drawn.current = { brush, size, layout, tiles, theme }
  }, [box, size, map.places, layout, tiles, theme])
  return canvas
}

const differs = (tile: PaintedTile, last: PaintedTile | undefined): boolean =>
  last === undefined ||
  tile.look.fill !== last.look.fill ||
  tile.look.hatched !== last.look.hatched ||
  tile.look.tone !== last.look.tone ||
  tile.note !== last.note ||
  tile.name !== last.name ||
  tile.watched !== last.watched

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

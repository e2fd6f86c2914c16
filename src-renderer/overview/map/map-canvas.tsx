import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { useSettings } from '../../settings/use-settings.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { mapLayout, neighbour, pathOf, readingOrder, tileAt, type Direction, type MapLayout } from './layout.ts'
import { countsAt, countsText, historyText, lookOf, totalOf, type Colouring, type TileHistory } from './looks.ts'
import { brushFor, paintMap, paletteNames, paintTile, readPalette, type Brush, type PaintedTile } from './paint.ts'
import type { Rect } from './treemap.ts'
import type { FleetMap } from './use-map.ts'

interface Props {
  map: FleetMap
  colouring: Colouring
  history: ReadonlyMap<string, TileHistory> | null
  /** Opens the place of a tile. */
  onOpen: (id: string) => void
}

interface Size {
  width: number
  height: number
  /** Device pixels of a CSS pixel. */
  ratio: number
}

/**
 * The map on one canvas. It is a list box whose present tile is its active descendant: the arrow keys go to the next tile in
 * their direction, Home and End to the first and last, and Enter opens the place.
 */
export function MapCanvas({ map, colouring, history, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const size = useSize(box)
  const devices = useDevices(map)
  const layout = useMemo(
    () => mapLayout(map.places, devices, { x: 0, y: 0, width: size.width, height: size.height }),
    [map.places, devices, size.width, size.height],
  )
  const tiles = usePainted(map, layout, colouring, history)
  const canvas = useCanvas(box, size, map, layout, tiles)
  const [present, setPresent] = useState<string | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const [focused, setFocused] = useState(false)
  const order = readingOrder(layout)
  const known = map.places.tiles.findIndex((tile) => tile.id === present)
  const at = known !== -1 && (layout.tiles[known]?.width ?? 0) > 0 ? known : (order[0] ?? -1)
  const label = (tile: number) =>
    [
      map.places.tiles[tile]?.name ?? '',
      ...pathOf(map.places, tile),
      countsText(countsAt(map.counts, tile)),
      ...(colouring === 'state' ? [] : [historyText(history?.get(map.places.tiles[tile]?.id ?? ''))]),
      ...(map.watched.includes(tile) ? ['watched'] : []),
    ].join(', ')
  const go = (tile: number | undefined) => setPresent(map.places.tiles[tile ?? -1]?.id ?? null)
  const open = (tile: number) => {
    const { id: place } = map.places.tiles[tile] ?? {}
    if (place !== undefined) onOpen(place)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || at === -1) return
    const direction = directions.get(event.key)
    if (direction !== undefined) go(neighbour(layout, at, direction))
    else if (event.key === 'Home') go(order[0])
    else if (event.key === 'End') go(order.at(-1))
    else if (event.key === 'Enter') open(at)
    else return
    event.preventDefault()
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    setHovered(tileAt(layout, event.clientX - left, event.clientY - top))
  }
  const shown = hovered ?? (focused && at !== -1 ? at : null)
  return (
    <div className="map-box" ref={box}>
      <div className="map-colours" aria-hidden="true">
        {paletteNames.map((name) => (
          <i key={name} data-colour={name} />
        ))}
      </div>
      <canvas ref={canvas} className="map-canvas" aria-hidden="true" />
      <div
        className="map-keys"
        role="listbox"
        tabIndex={0}
        aria-label="Fleet map"
        aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(null)}
        onClick={() => hovered !== null && open(hovered)}
      >
        {at !== -1 && (
          <div
            id={`${id}-${at}`}
            role="option"
            aria-selected="true"
            aria-setsize={order.length}
            aria-posinset={order.indexOf(at) + 1}
            aria-label={label(at)}
            className="map-present"
            data-focused={focused}
            style={placed(layout.tiles[at])}
          />
        )}
      </div>
      {hovered !== null && <div className="map-hovered" style={placed(layout.tiles[hovered])} />}
      {shown !== null && (
        <MapTip map={map} tile={shown} rect={layout.tiles[shown]} size={size} colouring={colouring} history={history} />
      )}
    </div>
  )
}

const directions: ReadonlyMap<string, Direction> = new Map([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
])

const placed = (rect: Rect | undefined) => ({
  left: rect?.x ?? 0,
  top: rect?.y ?? 0,
  width: rect?.width ?? 0,
  height: rect?.height ?? 0,
})

/** Size of a tip in CSS pixels, by which it stays within the map. */
const tipSize = { width: 250, height: 84 }

interface TipProps extends Pick<Props, 'map' | 'colouring' | 'history'> {
  tile: number
  rect: Rect | undefined
  size: Size
}

/** What a tile shows, beside it. Screen readers have the option's label. */
function MapTip({ map, tile, rect, size, colouring, history }: TipProps) {
  if (rect === undefined) return null
  const { name = '', id = '' } = map.places.tiles[tile] ?? {}
  const left = Math.max(0, Math.min(rect.x + rect.width / 2 - tipSize.width / 2, size.width - tipSize.width))
  const below = rect.y + rect.height + tipSize.height < size.height || rect.y < tipSize.height
  const style = below ? { left, top: rect.y + rect.height + 4 } : { left, bottom: size.height - rect.y + 4 }
  return (
    <div className="map-tip" aria-hidden="true" style={style}>
      <Isolated className="clip map-tip-name">{name}</Isolated>
      <Isolated className="clip map-tip-path">{pathOf(map.places, tile).join(' · ')}</Isolated>
      <span>{countsText(countsAt(map.counts, tile))}</span>
      {colouring !== 'state' && <span>{historyText(history?.get(id))}</span>}
      {map.watched.includes(tile) && <span>On the watch list</span>}
    </div>
  )
}

/** The size of the box, which follows the window, the zoom and the display. */
function useSize(box: React.RefObject<HTMLDivElement | null>): Size {
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

/** The devices of each tile. The same list as long as they are the same: a change of status alone lays nothing out anew. */
function useDevices(map: FleetMap): readonly number[] {
  const last = useRef<readonly number[]>([])
  const next = map.places.tiles.map((_, tile) => totalOf(countsAt(map.counts, tile)))
  const isSame = next.length === last.current.length && next.every((count, tile) => count === last.current[tile])
  if (!isSame) last.current = next
  return last.current
}

/** What is drawn of each tile. */
function usePainted(
  map: FleetMap,
  layout: MapLayout,
  colouring: Colouring,
  history: ReadonlyMap<string, TileHistory> | null,
): readonly PaintedTile[] {
  return useMemo(() => {
    const watched = new Set(map.watched)
    return map.places.tiles.map(({ id, name }, tile) => {
      const counts = countsAt(map.counts, tile)
      const [offline, total] = [counts.offline, totalOf(counts)]
      return {
        rect: layout.tiles[tile] ?? { x: 0, y: 0, width: 0, height: 0 },
        look: lookOf(colouring, counts, history?.get(id)),
        name,
        note: offline > 0 ? `${offline} of ${total} offline` : `${total}`,
        watched: watched.has(tile),
      }
    })
  }, [map, layout, colouring, history])
}

/** Draws the map: all of it when size, colours or layout change, and otherwise only the tiles that differ. */
function useCanvas(
  box: React.RefObject<HTMLDivElement | null>,
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

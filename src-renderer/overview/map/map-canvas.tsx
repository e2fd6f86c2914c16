import { useId, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { mapLayout, neighbour, pathOf, readingOrder, tileAt, type Direction, type MapLayout } from './layout.ts'
import { countsAt, countsText, dataText, sizesOf, type Colouring, type Sizing, type TileData } from './looks.ts'
import { MapTip, placed } from './map-tip.tsx'
import { paletteNames } from './paint.ts'
import { useCanvas, useSize } from './use-canvas.ts'
import type { FleetMap } from './use-map.ts'

interface Props {
  map: FleetMap
  colouring: Colouring
  /** What the areas of tiles say; the devices by default. */
  sizing?: Sizing
  data: ReadonlyMap<string, TileData> | null
  /** Opens the place of a tile. */
  onOpen: (id: string) => void
}

/**
 * The map on one canvas. It is a list box whose present tile is its active descendant: the arrow keys go to the next tile in
 * their direction, Home and End to the first and last, and Enter opens the place.
 */
export function MapCanvas({ map, colouring, sizing = 'devices', data, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const size = useSize(box)
  const sizes = useSame(sizesOf(sizing, map.devices, map.counts))
  const layout = useMemo(
    () => mapLayout(map.places, sizes, { x: 0, y: 0, width: size.width, height: size.height }),
    [map.places, sizes, size.width, size.height],
  )
  const canvas = useCanvas(box, { map, layout, size, colouring, data })
  const [hovered, setHovered] = useState<number | null>(null)
  const [focused, setFocused] = useState(false)
  const { present, order, onKeyDown, open } = useKeys(map, layout, onOpen)
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    setHovered(tileAt(layout, event.clientX - left, event.clientY - top))
  }
  const shown = hovered ?? (focused ? present : null)
  const tip = { map, size, colouring, data }
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
        aria-activedescendant={present === null ? undefined : `${id}-${present}`}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(null)}
        onClick={() => hovered !== null && open(hovered)}
      >
        {present !== null && (
          <div
            id={`${id}-${present}`}
            role="option"
            aria-selected="true"
            aria-setsize={order.length}
            aria-posinset={order.indexOf(present) + 1}
            aria-label={labelOf({ map, colouring, data }, present)}
            className="map-present"
            data-focused={focused}
            style={placed(layout.tiles[present])}
          />
        )}
      </div>
      {hovered !== null && <div className="map-hovered" style={placed(layout.tiles[hovered])} />}
      {shown !== null && <MapTip tile={shown} rect={layout.tiles[shown]} {...tip} />}
    </div>
  )
}

/** Returns the former list as long as the numbers are the same, so that nothing is laid out anew. */
function useSame(numbers: readonly number[]): readonly number[] {
  const [known, setKnown] = useState(numbers)
  if (known === numbers) return known
  if (known.length === numbers.length && known.every((number, index) => number === numbers[index])) return known
  setKnown(numbers)
  return numbers
}

const directions: ReadonlyMap<string, Direction> = new Map([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
])

/** The present tile, which is kept by its id while the map changes. Null on an empty map. */
function useKeys({ places }: FleetMap, layout: MapLayout, onOpen: (id: string) => void) {
  const [chosen, setChosen] = useState<string | null>(null)
  const order = useMemo(() => readingOrder(layout), [layout])
  const known = places.tiles.findIndex(({ id }) => id === chosen)
  const present = known !== -1 && (layout.tiles[known]?.width ?? 0) > 0 ? known : (order[0] ?? null)
  const go = (tile: number | undefined) => setChosen(places.tiles[tile ?? -1]?.id ?? null)
  const open = (tile: number) => {
    const { id } = places.tiles[tile] ?? {}
    if (id !== undefined) onOpen(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || present === null) return
    const direction = directions.get(event.key)
    if (direction !== undefined) go(neighbour(layout, present, direction))
    else if (event.key === 'Home') go(order[0])
    else if (event.key === 'End') go(order.at(-1))
    else if (event.key === 'Enter') open(present)
    else return
    event.preventDefault()
  }
  return { present, order, onKeyDown, open }
}

/** Returns for example "Berlin HQ, Acme, EU-1, 3 of 24 offline". */
function labelOf({ map, colouring, data }: Omit<Props, 'onOpen' | 'sizing'>, tile: number): string {
  const { id = '', name = '' } = map.places.tiles[tile] ?? {}
  return [
    name,
    ...pathOf(map.places, tile),
    countsText(countsAt(map.counts, tile)),
    ...(colouring === 'state' ? [] : [dataText(colouring, data?.get(id))]),
    ...(map.watched.includes(tile) ? ['watched'] : []),
  ].join(', ')
}

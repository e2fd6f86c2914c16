import { Isolated } from '../../lib/ui/isolated.tsx'
import { pathOf } from './layout.ts'
import { countsAt, countsText, dataText, type Colouring, type TileData } from './looks.ts'
import type { Rect } from './treemap.ts'
import type { Size } from './use-canvas.ts'
import type { FleetMap } from './use-map.ts'

/** The style that puts something over a tile. */
export const placed = (rect: Rect | undefined) => ({
  left: rect?.x ?? 0,
  top: rect?.y ?? 0,
  width: rect?.width ?? 0,
  height: rect?.height ?? 0,
})

/** Size of a tip in CSS pixels, by which it stays within the map. */
const tipSize = { width: 250, height: 84 }

interface TipProps {
  map: FleetMap
  colouring: Colouring
  data: ReadonlyMap<string, TileData> | null
  tile: number
  rect: Rect | undefined
  size: Size
}

/** What a tile shows, beside it. Screen readers have the option's label. */
export function MapTip({ map, tile, rect, size, colouring, data }: TipProps) {
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
      {colouring !== 'state' && <span>{dataText(colouring, data?.get(id))}</span>}
      {map.watched.includes(tile) && <span>On the watch list</span>}
    </div>
  )
}

import { useMemo, useRef } from 'react'
import { explain } from '../../src-shared/model/fault.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { mapLayout } from '../overview/map/layout.ts'
import { countsAt } from '../overview/map/looks.ts'
import { paletteNames } from '../overview/map/paint.ts'
import { useCanvas, useSize } from '../overview/map/use-canvas.ts'
import type { FleetMap, MapState } from '../overview/map/use-map.ts'

/** The fleet map of the wall display, with labels that are read from afar. */
export function WallMap({ map }: { map: MapState }) {
  if (map.state !== 'shown')
    return (
      <p className="wall-empty" role={map.state === 'failed' ? 'alert' : 'status'}>
        {map.state === 'failed' ? explain(map.fault).title : 'Loading…'}
      </p>
    )
  if (map.map.devices.every((devices) => devices === 0)) return <p className="wall-empty">No devices match</p>
  return <Canvas map={map.map} />
}

/** Labels have 11 CSS pixels where a window is this wide, and grow with it. */
const plainWidth = 760

function Canvas({ map }: { map: FleetMap }) {
  const box = useRef<HTMLDivElement>(null)
  const full = useSize(box)
  const scale = Math.max(1, window.innerWidth / plainWidth)
  const size = useMemo(
    () => ({ width: full.width / scale, height: full.height / scale, ratio: full.ratio * scale }),
    [full, scale],
  )
  const layout = useMemo(
    () => mapLayout(map.places, map.devices, { x: 0, y: 0, width: size.width, height: size.height }),
    [map.places, map.devices, size.width, size.height],
  )
  const canvas = useCanvas(box, { map, layout, size, colouring: 'state', data: null })
  return (
    <div className="map-box wall-map" ref={box}>
      <div className="map-colours" aria-hidden="true">
        {paletteNames.map((name) => (
          <i key={name} data-colour={name} />
        ))}
      </div>
      <canvas ref={canvas} className="map-canvas" role="img" aria-label={mapText(map)} />
    </div>
  )
}

/** Returns for example "Fleet map: 142 sites, 3 with offline devices". */
function mapText({ places, counts, devices }: FleetMap): string {
  const used = devices.filter((count) => count > 0).length
  const bad = places.tiles.filter((_, tile) => countsAt(counts, tile).offline > 0).length
  return `Fleet map: ${many(used, places.kind)}, ${numberText(bad)} with offline devices`
}

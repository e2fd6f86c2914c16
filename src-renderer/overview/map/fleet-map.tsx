import { memo, useState } from 'react'
import { faultSentence } from '../../../src-shared/model/fault.ts'
import type { TileKind } from '../../../src-shared/contract/overview-calls.ts'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import type { Last } from '../../lib/hooks/use-last.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { Select } from '../../lib/ui/select.tsx'
import { Panel } from '../panel.tsx'
import { Legend } from './legend.tsx'
import { colourings, type Colouring, isOfWeek, type Sizing, sizings } from './looks.ts'
import { MapCanvas } from './map-canvas.tsx'
import { MapTable } from './map-table.tsx'
import { unlessLost, useFleetMap, usePlacesFacts, usePlacesHistory, type MapState } from './use-map.ts'

export const tileKinds = [
  { value: 'site', word: 'Sites' },
  { value: 'room', word: 'Rooms' },
] as const
export const mapForms = [
  { value: 'map', word: 'Map' },
  { value: 'table', word: 'Table' },
] as const

/** The fleet map with its choices and its legend, or the same as a table. `sites`: the map of sites, as it is to be shown. */
export const FleetMap = memo(function FleetMap({ sites, coreLost }: { sites: MapState; coreLost: boolean }) {
  const { session } = useAppContext()
  const [kind, setKind] = useState<TileKind>('site')
  const [colouring, setColouring] = useState<Colouring>('state')
  const [sizing, setSizing] = useState<Sizing>('devices')
  const [form, setForm] = useState<'map' | 'table'>('map')
  const rooms = unlessLost(useFleetMap(kind === 'room' ? 'room' : null), coreLost)
  const state = kind === 'room' ? rooms : sites
  const isWeek = isOfWeek(colouring)
  const history = usePlacesHistory(kind, isWeek)
  const facts = usePlacesFacts(kind, colouring !== 'state' && !isWeek)
  const data = isWeek ? history : facts
  // Without what colours them, tiles would look as if there were no data.
  const fault = state.state === 'failed' ? state.fault : colouring === 'state' ? null : data.fault
  const open = (scope: string) => session.open({ scope, filter: '', device: null })
  return (
    <Panel
      title="Fleet map"
      className="overview-map"
      note={noteText(state, readingText(colouring, data))}
      tools={
        <>
          <Choice label="Tiles" value={kind} options={tileKinds} onChange={setKind} />
          <Select label="Size by" value={sizing} options={sizings} onChange={setSizing} />
          <Select label="Colour by" value={colouring} options={colourings} onChange={setColouring} />
          <Choice label="Show as" value={form} options={mapForms} onChange={setForm} />
        </>
      }
    >
      {fault !== null ? (
        <p className="overview-empty" role="alert">
          {faultSentence(fault)}
        </p>
      ) : state.state !== 'shown' ? (
        <p className="overview-empty" role="status">
          Loading…
        </p>
      ) : state.map.devices.every((devices) => devices === 0) ? (
        <p className="overview-empty">No devices are known yet</p>
      ) : form === 'table' ? (
        <MapTable map={state.map} data={data.value} colouring={colouring} onOpen={open} />
      ) : sizing === 'offline' && noneOffline(state.map.counts) ? (
        <p className="overview-empty">No device is offline</p>
      ) : (
        <>
          <MapCanvas map={state.map} colouring={colouring} sizing={sizing} data={data.value} onOpen={open} />
          <Legend colouring={colouring} />
        </>
      )}
    </Panel>
  )
})

const noneOffline = (counts: readonly number[]): boolean =>
  counts.every((count, index) => index % 3 !== 0 || count === 0)

/** Returns what is being read for the colours; '' when nothing is. */
function readingText(colouring: Colouring, { value, fault }: Last<unknown>): string {
  if (colouring === 'state' || value !== null || fault !== null) return ''
  return isOfWeek(colouring) ? 'reading the last 7 days…' : 'reading the inventory…'
}

function noteText(state: MapState, reading: string): string {
  if (state.state !== 'shown') return ''
  const { places, devices } = state.map
  const used = devices.filter((count) => count > 0).length
  return [many(used, places.kind), places.leftOut > 0 && `${numberText(places.leftOut)} more are not shown`, reading]
    .filter((part) => part !== false && part !== '')
    .join(' · ')
}

import { useMemo } from 'react'
import type { Answer, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { TileKind } from '../../../src-shared/contract/overview-calls.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Counts, InventoryQuery } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { unknownCounts } from '../../lib/format/numbers.ts'
import { afterChanges, every, useCall, type Repeat } from '../../lib/hooks/use-call.ts'
import type { Last } from '../../lib/hooks/use-last.ts'
import { useSettings } from '../../settings/use-settings.ts'
import type { MapPlaces } from './layout.ts'
import type { TileFacts, TileHistory } from './looks.ts'

/** The fleet map as the core last told it. */
export interface FleetMap {
  layout: string
  places: MapPlaces
  counts: readonly number[]
  /** The devices of each tile: the same list as long as they are the same, so that a change of status lays nothing out anew. */
  devices: readonly number[]
  watched: readonly number[]
}

/** `totals`: of all devices that count. */
export type MapState =
  | { state: 'loading' }
  | { state: 'shown'; map: FleetMap; totals: Counts }
  | { state: 'failed'; fault: Fault }

/** The devices that count. */
export type MapQuery = Pick<InventoryQuery, 'scope' | 'filter'>

interface Named {
  /** The kind and the query that it answers. */
  key: string
  state: MapState
}

/** The least time (ms) between two reads while devices change. */
const changesEvery = 1000

/**
 * Returns the fleet map, read again after changes; with null nothing is read. Without an answer the last one stays. `query`: all
 * devices without it.
 */
export function useFleetMap(kind: TileKind | null, query: MapQuery | null = null): MapState {
  const { session } = useAppContext()
  const { watched } = useSettings()
  const marks = useMemo(() => JSON.stringify(watched), [watched])
  const key = JSON.stringify([kind, query?.scope, query?.filter])
  const load = async (last: Named | null): Promise<Named | null> => {
    if (kind === null) return null
    const known = last?.key === key && last.state.state === 'shown' ? last.state.map : null
    const answer = await session.pipe.call('overview.map', {
      tiles: kind,
      layout: known?.layout ?? null,
      ...(query !== null && { query }),
    })
    if (!answer.ok) return known === null ? { key, state: { state: 'failed', fault: answer.fault } } : null
    const map = mapOf(answer.value, known)
    return map === null ? null : { key, state: { state: 'shown', map, totals: answer.value.totals } }
  }
  const { value } = useCall(kind === null ? null : `${key} ${marks}`, load, afterChanges(session, changesEvery))
  return value?.key === key ? value.state : { state: 'loading' }
}

/** Returns a map from an answer, with the places of the known one where they are the same; null without any. */
export function mapOf(
  { layout, places, counts, watched }: Omit<CallOutput<'overview.map'>, 'rev' | 'totals'>,
  known: FleetMap | null,
): FleetMap | null {
  const present = places ?? known?.places
  if (present === undefined) return null
  const devices = present.tiles.map((_, tile) => totalAt(counts, tile))
  const isSame =
    known !== null &&
    known.devices.length === devices.length &&
    known.devices.every((count, tile) => count === devices[tile])
  return { layout, places: present, counts, devices: isSame ? known.devices : devices, watched }
}

/** As `totalOf(countsAt(…))`, for all tiles at once. */
const totalAt = (counts: readonly number[], tile: number): number =>
  (counts[tile * 3] ?? 0) + (counts[tile * 3 + 1] ?? 0) + (counts[tile * 3 + 2] ?? 0)

/** History is made of parts of ten minutes. */
const historyEvery = 10 * 60_000

/** What is known of each tile, by its id; `value` is null while it is read, and where it failed. */
type OfTiles<T> = Last<ReadonlyMap<string, T>>

/** Returns what the last 7 days have shown of each tile; nothing while `wanted` is false. */
export function usePlacesHistory(kind: TileKind, wanted: boolean): OfTiles<TileHistory> {
  const { session } = useAppContext()
  const call = () => session.pipe.call('overview.places', { tiles: kind })
  return useTileData(wanted ? kind : null, call, every(historyEvery))
}

/** How often firmware and ages are read again, ms. */
const factsEvery = 60_000

/** Returns firmware and age of each tile; nothing while `wanted` is false. */
export function usePlacesFacts(kind: TileKind, wanted: boolean): OfTiles<TileFacts> {
  const { session } = useAppContext()
  const { firmwareTargets } = useSettings()
  const call = () => session.pipe.call('overview.facts', { tiles: kind })
  return useTileData(wanted ? `${kind} ${JSON.stringify(firmwareTargets)}` : null, call, every(factsEvery))
}

/** An answer stays while later calls for the same key fail; without a `key` nothing is read. */
function useTileData<T extends { id: string }>(
  key: string | null,
  call: () => Promise<Answer<{ places: T[] }>>,
  repeat: Repeat,
): OfTiles<T> {
  const load = async (last: (OfTiles<T> & { key: string | null }) | null) => {
    const answer = await call()
    if (answer.ok) return { key, value: new Map(answer.value.places.map((place) => [place.id, place])), fault: null }
    return last?.key === key && last.value !== null ? null : { key, value: null, fault: answer.fault }
  }
  const { value } = useCall<OfTiles<T> & { key: string | null }>(key, load, repeat)
  return key !== null && value?.key === key ? value : { value: null, fault: null }
}

/** While the core cannot be reached, every device is unknown (invariant 4). */
export function unlessLost(state: MapState, coreLost: boolean): MapState {
  if (!coreLost || state.state !== 'shown') return state
  const counts = state.map.devices.flatMap((devices) => [0, devices, 0])
  return { state: 'shown', map: { ...state.map, counts }, totals: unknownCounts(state.totals) }
}

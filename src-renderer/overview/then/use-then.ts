import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { TileKind } from '../../../src-shared/contract/overview-calls.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { type FleetMap, mapOf } from '../map/use-map.ts'

/** The fleet at a past time. */
export interface Past {
  told: CallOutput<'overview.then'>
  map: FleetMap
}

export type ThenState = { state: 'loading' } | { state: 'shown'; past: Past } | { state: 'failed'; fault: Fault }

interface Asked {
  at: number
  tiles: TileKind
  place: string | null
  coreLost: boolean
}

/** Returns the fleet at a past time (ms), or as it was last read while another time is read: `past.told.at` says which. */
export function useThen({ at, tiles, place, coreLost }: Asked): { state: ThenState; isCurrent: boolean } {
  const { session } = useAppContext()
  const load = async (last: ThenState | null): Promise<ThenState | null> => {
    const known = last?.state === 'shown' ? last.past.map : null
    const answer = await session.pipe.call('overview.then', { at, tiles, layout: known?.layout ?? null, place })
    if (!answer.ok) return { state: 'failed', fault: answer.fault }
    const map = mapOf({ ...answer.value, watched: [] }, known)
    return map === null ? null : { state: 'shown', past: { told: answer.value, map } }
  }
  const { value, current } = useCall<ThenState>(JSON.stringify([at, tiles, place, coreLost]), load)
  return { state: value ?? { state: 'loading' }, isCurrent: current }
}

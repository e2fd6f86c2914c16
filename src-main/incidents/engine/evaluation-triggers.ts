import type { Change } from '../../inventory/thread/protocol.ts'
import type { StoredTransition } from '../../storage/journal/alerts.ts'
import { incidentIdOf, type Drop } from './drop.ts'
import type { State } from './state.ts'

/** Whether a change may have removed or moved devices that are down. */
export const mayHaveMoved = (state: State, { structure }: Pick<Change, 'structure'>): boolean =>
  structure && state.drops.size > 0

/** Whether a device may have recovered that an incident counts as down beside it: nothing else says so. */
export const recoversBesideIncident = (state: State, transitions: readonly StoredTransition[]): boolean =>
  transitions.some(({ key, connected }) => connected && incidentIdOf(state.drops.get(key)) === null) &&
  [...state.incidents.values()].some(({ othersDown }) => othersDown > 0)

/** Whether a device drops that had recovered in its incident: it is in it as before, and no hold-off of it ends. */
export const dropsAgain = (state: State, transitions: readonly StoredTransition[]): boolean =>
  transitions.some(({ key, connected }) => !connected && hasRecovered(state.drops.get(key)?.kind))

const hasRecovered = (kind: Drop['kind'] | undefined): boolean => kind === 'recovering' || kind === 'recovered'

/** The state without thresholds, because devices may be in other places or thresholds may have changed. */
export function withoutThresholds(state: State): State {
  if (![...state.drops.values(), ...state.flaps.values()].some(({ thresholds }) => thresholds !== null)) return state
  const without = <T extends object>(all: ReadonlyMap<string, T>) =>
    new Map([...all].map(([key, one]) => [key, { ...one, thresholds: null }]))
  return { ...state, drops: without(state.drops), flaps: without(state.flaps) }
}

/** Whether incidents, or what suppresses them, have changed. */
export function haveIncidentsChanged(before: State, after: State): boolean {
  const { incidents } = after
  return (
    before.pause !== after.pause ||
    before.monitoringLost.size !== after.monitoringLost.size ||
    incidents.size !== before.incidents.size ||
    [...incidents].some(([id, incident]) => before.incidents.get(id) !== incident)
  )
}

import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { AlertsDelta, StoredTransition } from '../../storage/journal/alerts.ts'
import { deliveryRow, type StoredDelivery } from './delivery.ts'
import { hasFutureTimes, clampFutureTimes } from '../engine/clamp-future-times.ts'
import type { AlertRules } from '../engine/rules.ts'
import { emptyState, noNotes, type Notes, type State } from '../engine/state.ts'
import { deltaOf, stateOf } from './state.ts'

/** The journal's part of the state, and the changes that are not written yet. */
export interface StateStore {
  /**
   * Reads the state and the transitions that were not evaluated. `since`: how far back transitions are counted (ms).
   * Discards unwritten changes.
   */
  read(since: number): Promise<{ state: State; outbox: StoredTransition[] }>
  /** Removes these transitions from the outbox with the next write, because the next state includes them. */
  take(transitions: readonly StoredTransition[]): void
  /** Adds these notes, and messages to channels, to the next write. */
  note(notes: Notes, deliveries?: readonly StoredDelivery[]): void
  /**
   * Writes the changes since the last write, with these notes and the operator's action, in one transaction. `utc`:
   * times in search texts are in UTC. Returns the number of the action, or 0 without one. Rejects when the journal
   * cannot be written; then the next write includes all of it except `notes` and `by`. Rejects with `erased` where the state has to
   * be read again.
   */
  write(state: State, rules: Pick<AlertRules, 'utc'>, notes?: Notes, by?: OperatorAction): Promise<number>
}

/** The operator's action that makes a change, or the number of the action that it undoes, and the messages that it leads to. */
export type OperatorAction = Pick<AlertsDelta, 'action' | 'undone' | 'ask'> & { deliveries?: readonly StoredDelivery[] }

interface Unwritten {
  /** The state that the journal holds. */
  stored: State
  notes: Notes
  /** Transitions that are in the state and still in the journal's outbox. */
  taken: { key: string; at: number }[]
  deliveries: readonly StoredDelivery[]
  /** Number of the last row of the team's log that was read; null without a team. */
  after: number | null
}

const none = { put: [], gone: [] }
const nothingChanged = {
  drops: none,
  notifications: none,
  monitoringLosses: none,
  incidents: [],
  members: [],
  events: [],
  unseen: [],
}

/** `inTeam`: what is written may come after a row of the team's log that was not read. */
export function createStateStore(
  data: Pick<InventoryData, 'alerts' | 'saveAlerts'>,
  clock: Clock,
  inTeam: boolean,
): StateStore {
  let unwritten: Unwritten = { stored: emptyState, notes: noNotes, taken: [], deliveries: [], after: null }
  return {
    async read(since) {
      const read = await data.alerts({ since })
      const stored = stateOf(read, clock.now())
      unwritten = { stored, notes: noNotes, taken: [], deliveries: [], after: read.after ?? (inTeam ? 0 : null) }
      const isAhead = hasFutureTimes(stored, clock.now())
      return { state: isAhead ? clampFutureTimes(stored, clock.now()) : stored, outbox: read.outbox }
    },
    take(transitions) {
      for (const { key, at } of transitions) unwritten.taken.push({ key, at })
    },
    note(notes, deliveries = []) {
      unwritten.notes = merged(unwritten.notes, notes)
      unwritten.deliveries = [...unwritten.deliveries, ...deliveries]
    },
    async write(state, { utc }, notes = noNotes, { deliveries: own = [], ...by } = {}) {
      const delta = deltaOf(unwritten.stored, state, merged(unwritten.notes, notes), clock.now(), utc)
      const { taken, after } = unwritten
      const deliveries = [...unwritten.deliveries, ...own].map(deliveryRow)
      if (delta === null && taken.length === 0 && deliveries.length === 0 && Object.keys(by).length === 0) return 0
      const { action } = await data.saveAlerts({
        ...(delta ?? nothingChanged),
        taken,
        ...by,
        deliveries,
        ...(after !== null && { after }),
      })
      unwritten = { stored: state, notes: noNotes, taken: [], deliveries: [], after }
      return action
    },
  }
}

function merged(one: Notes, other: Notes): Notes {
  return {
    members: [...one.members, ...other.members],
    events: [...one.events, ...other.events],
    closed: [...one.closed, ...other.closed],
    uncounted: [...one.uncounted, ...other.uncounted],
  }
}
